"""Differences between two tables."""

from random import Random

import msgspec

from domain.law.entries import fold_entries, opened_of, tables
from domain.law.rulebook import Lang
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, CardId, Clock, Frame, FrameId, Place, Result, Seat
from projections.changes import render_changes
from projections.differences import Differences, differences
from projections.rows import plain
from tests.laws.leak_checks import redeal_table
from tests.laws.samples import hidden_cards, sample
from tests.projections.records import GAME, P1, P2, laid_out
from tests.rows import for_each

START = laid_out({"p1.hand": "H8 S2", "p1.bulwarks": "C8 C7", "p1.soldiers": "S4", "p2.grave": "C2 C4"})
TABLE = fold_entries(START)
OPENED = opened_of(START)
PHYSICS = Physics(OPENED.schema)
H8, S2, C8, C7, S4, C2, C4 = (CardId(one) for one in range(23, 30))


def compare_facts(viewer: Seat, *facts: F.AnyFact) -> Differences:
    return differences(TableViewer(PHYSICS, viewer), fold(TABLE, facts), TABLE)


def test_a_table_does_not_differ_from_itself() -> None:
    for viewer in (P1, P2, SPECTATOR, JUDGE):
        found = compare_facts(viewer)
        assert found == Differences(viewer=viewer)
        assert plain(render_changes(found, GAME, "en", {})) == "no difference"


def test_a_card_that_lies_elsewhere_says_from_where_to_where() -> None:
    found = compare_facts(JUDGE, F.Moved((S4,), Place("p1.grave"), up=True))
    (moved,) = found.moved
    assert (moved.card.face, moved.one, moved.other) == ("S4", "p1.grave", "p1.soldiers")
    counts = {one.place: (one.one, one.other) for one in found.counts}
    assert counts == {"p1.soldiers": (0, 1), "p1.grave": (1, 0)}
    said = plain(render_changes(found, GAME, "en", {}))
    assert "S4 (u30) went to p1 grave" in said and "S4 (u30) came from p1 soldiers" in said


def test_a_viewer_is_told_of_hidden_cards_by_number_only() -> None:
    found = compare_facts(P2, F.Moved((H8,), Place("p1.life")))
    assert found.moved == () and found.cards == ()
    assert [(one.place, one.one, one.other) for one in found.counts] == [("p1.hand", 1, 2)]
    assert "H8" not in plain(render_changes(found, GAME, "ja", {}))


def test_the_same_card_under_another_number_is_the_same_card() -> None:
    there_and_back = (F.Moved((S4,), Place("stage"), up=True), F.Moved((S4,), Place("p1.soldiers"), up=True))
    assert compare_facts(P2, *there_and_back) == Differences(viewer=P2)


@for_each(
    "fact, english, japanese",
    [
        (F.Stanced((S4,), 1), "p1 soldiers\n  S4 (u27), stance: charged → driven", "状態"),
        (F.Turned((C8,), up=True), "p1 bulwarks\n  C8 (u25), facing: face down → face up", "向き"),
        (F.Marked((S4,), "entered", 3), "p1 soldiers\n  S4 (u27), arrival turn: 0 → 3", "場に出たターン"),
        (F.Marked(P1, "attacks", 1), "p1, Attacks requested this turn: 0 → 1", "アタック"),
        (F.Learned(C8, "C9"), "p1 bulwarks\n  C9 (u25), card: C8 → C9", "カード"),
        (F.Arranged(Place("p1.bulwarks"), (C7, C8)), "p1 bulwarks\n  order changed", "順番"),
        (
            F.Pushed(Frame(id=FrameId(1), lane="stack", kind="attack", by=P1, step="designate")),
            "stack, top first: nothing → r1 Attack (p1) next: designate",
            "アタック",
        ),
        (F.Finished(Result((P1,), "life")), "result: nothing → p1 won: life ran out", "結果"),
        (F.Clocked(Clock(4, P2)), "clock: turn 3  p1's turn  play  awaited: p1 → turn 4  p2's turn", "進行"),
    ],
)
def test_what_differs_is_said(fact: F.AnyFact, english: str, japanese: str) -> None:
    found = compare_facts(JUDGE, fact)
    assert english in plain(render_changes(found, GAME, "en", {}))
    assert japanese in plain(render_changes(found, GAME, "ja", {}))
    assert msgspec.json.decode(msgspec.json.encode(found))["viewer"] == "judge"


@for_each("lang", ["en", "ja"])
@for_each("seed", range(3))
def test_hidden_faces_make_no_difference(seed: int, lang: Lang) -> None:
    one, random = sample("blackpoker", seed), Random(seed)
    physics = Physics(one.first_entry.schema)
    states = [table for _, _, _, table in tables(one.entries)]
    for table, other in random.sample(list(zip(states, states[3:], strict=False)), 6):
        for viewer in (P1, P2, SPECTATOR):
            dealt = redeal_table(other, hidden_cards(TableViewer(physics, viewer), other), random)
            assert differences(TableViewer(physics, viewer), table, dealt) == differences(
                TableViewer(physics, viewer), table, other
            )
            rows = render_changes(differences(TableViewer(physics, viewer), table, other), one.game, lang, {})
            assert rows and "{" not in plain(rows)


@for_each("game", ["blackpoker", "dea", "grimoire", "skillbook"])
def test_an_equal_table_does_not_differ(game: str) -> None:
    one = sample(game, 1)
    physics = Physics(opened_of(one.entries).schema)
    for number, _, _, table in tables(one.entries):
        if number % 20 == 0:
            copy = fold_entries(one.entries, number)
            for viewer in (SPECTATOR, JUDGE, P1):
                eyes = TableViewer(physics, viewer)
                assert copy is not table
                assert differences(eyes, table, copy) == differences(eyes, table, table) == Differences(viewer=viewer)
