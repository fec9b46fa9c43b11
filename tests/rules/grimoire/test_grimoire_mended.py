"""Regression tests from soaks, one position each: nothing happens twice, and departed cards leave no state."""

from typing import Any

import pytest

from domain.formats.casebook import load_casebook
from domain.formats.casebook.start_position import build, from_deck
from domain.games.grimoire import GAME, clauses as C
from domain.games.grimoire.actions import ChooseYesNo, OdExplosion, Play
from domain.games.grimoire.rules import Rules
from domain.law.actions import Pass
from domain.law.clause import CitedFacts, Refusal
from domain.law.driver import decide
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table.facts import Marked, Moved, Pushed
from domain.table.table import CardId, Seat, Table
from tests.rows import for_each
from tests.rules.grimoire.errata import lay_over_every_pool

P1, P2 = Seat("p1"), Seat("p2")
HEAD = """
game = "grimoire"
version = "1"
[given]
turn = 7
active = "p1"
first = "p1"
phase = "main"
step = "priority"
awaited = ["p1"]
seats = { p1 = { mana = 9, capacity = 9, od = 4, "chroma.R" = 3 }, p2 = { od = 4 } }
[given.places]
"p1.personal" = ["C01"]
"p2.personal" = ["C02"]
"p1.grimoire" = ["x20"]
"p2.grimoire" = ["x20"]
[[case]]
id = "position"
en = "position"
ja = "局面"
[case.given.places]
"""
MADE_UP = """
[[cards]]
id = "Z60"
en = "Free Sight"
ja = "放たれた視線"
type = "spell"
user = "Nobody"
power = 1
toughness = 9
cost = 1
abilities = [
    { kind = "triggered", event = "resolve_self", do = [
        { do = "buff", what = "target", mods = [{ mod = "can", verb = "target" }], until = "this_turn" },
    ] },
]

[[cards]]
id = "Z61"
en = "Shelter"
ja = "庇護"
type = "spell"
user = "Nobody"
power = 1
toughness = 9
cost = 1
abilities = [
    { kind = "continuous", on = { whose = "you", other = true }, mods = [{ mod = "cannot", verb = "be_broken" }] },
]
"""


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_over_every_pool(monkeypatch, MADE_UP)


def position(rules: Rules, places: str) -> Table:
    (case,) = load_casebook(HEAD + places, "position.toml").cases

    law = Law(GAME, rules)
    fillers = from_deck(law.default_deck, lambda face: GAME.plain(rules, face))
    return build(law.schema(), law.seats(), case.given, fillers).table


def card(t: Table, face: str, place: str) -> CardId:
    return next(one for one, piece in t.pieces.items() if (piece.face, piece.place) == (face, place))


def act(rules: Rules, table: Table, *actions: tuple[Seat, Any]) -> tuple[Table, CitedFacts]:
    told: CitedFacts = ()
    for actor, action in actions:
        outcome = decide(Law(GAME, rules), table, actor, action)
        assert isinstance(outcome, Accepted), outcome
        table, told = outcome.table, (*told, *outcome.told)
    return table, told


@for_each("limit, lands", [("none", "p2.hand"), (7, "p2.junkyard")])
def test_a_card_returned_to_a_full_hand_moves_once(limit: Any, lands: str) -> None:
    rules = Rules(hand_limit=limit)
    table = position(rules, 'field = ["S17 owner=p1", "S18 owner=p2 spended"]\n"p2.hand" = ["x7"]')
    aimed = card(table, "S18", "field")
    play = Play(card(table, "S17", "field"), aimed)
    table, told = act(rules, table, (P1, play), (P1, Pass()), (P2, Pass()))
    moves = [fact for _, fact in told if isinstance(fact, Moved) and aimed in fact.cards]
    assert [move.to for move in moves] == [lands]


@for_each("full", [False, True])
def test_a_broken_card_that_finds_the_hand_full_stays_where_it_is(full: bool) -> None:
    rules = Rules(hand_limit=7)
    hand = '"p1.hand" = ["x7"]' if full else ""
    table = position(rules, f'field = ["S08 owner=p1 damage=1", "S53 owner=p2 spended"]\n{hand}')
    ash, withering = card(table, "S08", "field"), card(table, "S53", "field")
    table, _ = act(rules, table, (P1, Play(ash, withering)), (P1, Pass()), (P2, Pass()))
    assert [one.kind for one in table.asked] == ["yes_no"]
    table, told = act(rules, table, (P1, ChooseYesNo(True)))
    moves = [(str(clause), fact.to) for clause, fact in told if isinstance(fact, Moved) and ash in fact.cards]
    assert table.pieces[ash].place == ("p1.junkyard" if full else "p1.hand")
    assert len(moves) == (0 if full else 1)


@for_each("used", [0, 1])
def test_a_mark_of_use_is_not_put_on_what_left(used: int) -> None:
    """Broken right after the collision, it still triggers once. The card in the junkyard is not marked."""
    rules = Rules(break_in_resolution="after_collision_trigger")
    mark = "used.0=1" if used else ""
    table = position(rules, f'field = ["S09 owner=p1 {mark}", "S27 owner=p2 spended"]')
    flame = card(table, "S09", "field")
    table, told = act(rules, table, (P1, Play(flame, card(table, "S27", "field"))), (P1, Pass()), (P2, Pass()))
    assert table.pieces[flame].place == "p1.junkyard" and not table.pieces[flame].marks
    assert not [fact for _, fact in told if isinstance(fact, Marked) and fact.name.startswith("used.")]
    triggered = [fact for clause, fact in told if isinstance(fact, Pushed) and clause == C.RESOLUTION_TRIGGERS]
    assert len(triggered) == 1 - used


def test_who_was_beaten_in_the_collision_triggers_nothing_more() -> None:
    """With three players, a spell that beats its controller's own character leaves without its resolution ability."""
    rules = Rules(player_count=3, break_in_resolution="after_collision_trigger")
    places = (
        '"p3.personal" = ["C04"]\n"p3.grimoire" = ["x20"]\nfield = ["S03 owner=p1"]\n"p1.personal" = ["C01 damage=11"]'
    )
    table = position(rules, places)
    lance, regent = card(table, "S03", "field"), card(table, "C01", "p1.personal")
    passes = ((P1, Pass()), (P2, Pass()), (Seat("p3"), Pass()))
    table, told = act(rules, table, (P1, Play(lance, regent)), *passes)
    assert table.seats[P1]["out"] and table.pieces[lance].place == "removed" and table.result is None
    assert not [fact for clause, fact in told if clause == C.RESOLUTION_TRIGGERS]


def buff(face: str, since: int) -> str:
    return f"""
[[case.given.effect]]
kind = "buff"
by = "p1"
source = "errata"
on = ["dart"]
until = "this_turn"
since = {since}
face = "{face}"
path = [0, 0]
"""


@pytest.mark.usefixtures("made_up")
@for_each("first, then, lost", [("Z60", "S36", True), ("S36", "Z60", False)])
def test_gr_18_10_a_permission_gained_before_the_loss_of_all_abilities_is_lost(
    first: str, then: str, lost: bool
) -> None:
    """Outside its turn, an extended character is a target only with a card's permission."""
    field = 'field = ["errata = S36 owner=p1", "dart = S01 owner=p2"]'
    table = position(Rules(), field + buff(first, 81) + buff(then, 82))
    table, _ = act(Rules(), table, (P1, Pass()))
    aimed = Play(card(table, "S01", "field"), card(table, "C01", "p1.personal"))
    outcome = decide(Law(GAME, Rules()), table, P2, aimed)
    if lost:
        assert isinstance(outcome, Refusal) and outcome.clause == C.OFFTURN_EXTENDED_CHARACTER
    else:
        assert isinstance(outcome, Accepted), outcome


@pytest.mark.usefixtures("made_up")
@for_each("shelter, broken", [(81, True), (83, False)])
def test_gr_18_10_what_another_object_forbids_is_lost_only_if_it_is_older_than_the_loss(
    shelter: int, broken: bool
) -> None:
    field = (
        f'field = ["errata = S36 owner=p1 thing=80", "dart = S01 owner=p1", "shelter = Z61 owner=p1 thing={shelter}"]'
    )
    table = position(Rules(), field + buff("S36", 82))
    dart = card(table, "S01", "field")
    table, _ = act(Rules(), table, (P1, OdExplosion(dart, "draw")))
    assert table.pieces[dart].place == ("p1.junkyard" if broken else "field")
