"""Facts, actions and entries for a viewer: what is shown and what is left out."""

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Closed, Entry, Noted, Played, entry_facts, fold_entries, opened_of
from domain.law.law import Law
from domain.law.record import Record
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import fold
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import EVERYONE, JUDGE, CardId, Effect, EffectId, Obj, Place, Seat
from projections.phrases import fact_words
from projections.seen_entries import SeenEntry, seen_entries
from projections.seen_facts import SeenFact, see_fact
from projections.viewing import NotInMatch, find_viewer
from tests.laws.samples import sample
from tests.projections.records import GAME, P1, P2, RULES, by_hand, laid_out, play, with_telling
from tests.rows import for_each
from tests.shelves import seen_by

START = laid_out(
    {"p1.hand": "H8 S2 HJ", "p2.hand": "C3 D3", "p1.bulwarks": "C8", "p1.soldiers": "S4", "p2.grave": "C2"}
)
H8, S2, HJ, C3, D3, C8, S4, C2 = (CardId(one) for one in range(23, 31))
TOP, NEXT = CardId(1), CardId(2)


def view_fact(fact: F.AnyFact, viewer: Seat, *before: F.AnyFact, clause: str = "BP-9.1") -> SeenFact | None:
    opened = opened_of(START)
    table = fold(fold_entries(START), before)
    return see_fact(TableViewer(Physics(opened.schema), viewer), Draft(table), clause, fact)


def faces(fact: SeenFact | None) -> list[str | None]:
    assert fact is not None
    return [card.face for card in fact.cards]


KNOWN_H8 = F.Shown((H8,), (EVERYONE,), lasting=True)


@for_each(
    "fact, viewer, expected, number",
    [
        (F.Moved((H8,), Place("stage"), up=True), "p2", ["H8"], 1),
        (F.Moved((H8,), Place("p1.bulwarks")), "p2", [None], 1),
        (F.Moved((H8,), Place("p1.bulwarks")), "p1", ["H8"], 1),
        (F.Moved((TOP, NEXT), Place("p1.hand")), "p2", [], 2),
        (F.Moved((TOP, NEXT), Place("p1.hand")), "p1", ["C5", "C6"], 2),
        (F.Moved((H8, S2), Place("p1.grave")), "p2", [], 2),
        (F.Moved((C8, H8), Place("p1.grave")), "p2", [None], 2),
        (F.Moved((S4,), Place("p1.life")), "spectator", ["S4"], 1),
        (F.Removed((S4, H8)), "p2", ["S4"], 2),
        (F.Shown((H8,), (P2,)), "p2", ["H8"], 1),
        (F.Shown((H8,), (P2,)), "spectator", [], 1),
        (F.Shown((TOP, NEXT), (P1,), lasting=True), "p2", [], None),
        (F.Shown((TOP, NEXT), (P1,), lasting=True), "p1", ["C5", "C6"], 2),
        (F.Turned((C8,), up=True), "p2", ["C8"], None),
        (F.Stanced((C8, S4), 1), "p2", [None, "S4"], None),
        (F.Learned(S4, "S4"), "p2", ["S4"], None),
        (F.Identified((S4, H8), ("S4", "H8")), "p2", ["S4"], None),
        (F.Rolled("coin_toss", card=C8), "p2", [None], None),
    ],
)
def test_a_fact_as_each_viewer_sees_it(
    fact: F.AnyFact, viewer: str, expected: list[str | None], number: int | None
) -> None:
    told_of = view_fact(fact, Seat(viewer))
    assert told_of is not None
    assert (faces(told_of), told_of.number) == (expected, number)


@for_each(
    "fact",
    [
        F.Turned((H8,), up=False),
        F.Stanced((H8,), 1),
        F.Learned(H8, "H8"),
        F.Identified((H8, S2), ("H8", None)),
        F.Marked((H8,), "entered", 3),
        F.Tied((H8,), S2),
        F.Controlled((H8,), P2),
        F.Shown((H8, S2), (), lasting=True),
    ],
)
def test_what_happens_to_cards_nobody_can_point_at_is_not_told(fact: F.AnyFact) -> None:
    assert view_fact(fact, P2) is None
    assert view_fact(fact, P1) is not None and view_fact(fact, JUDGE) is not None


def test_a_known_card_that_leaves_a_hand_unseen_is_not_told_apart() -> None:
    for cards in ((H8, S2), (S2, HJ)):
        assert faces(view_fact(F.Moved(cards, Place("p1.grave")), P2, KNOWN_H8)) == []
    assert faces(view_fact(F.Moved((H8,), Place("p1.grave"), up=True), P2, KNOWN_H8)) == ["H8"]


def test_things_are_told_where_the_card_can_be_followed() -> None:
    out = view_fact(F.Moved((C8, H8), Place("stage"), up=True), P2)
    assert out is not None
    bulwark, key = out.cards
    assert bulwark.was == 28 and bulwark.thing == 31
    assert key.was == 0 and key.thing == 32
    assert {one.place: one.number for one in out.origin} == {"p1.bulwarks": 1, "p1.hand": 1}


def test_counts_that_are_hidden_stay_hidden() -> None:
    life = fold_entries(START).places[Place("p1.life")]
    fresh = tuple(CardId(1_000 + one) for one in range(11))
    created = F.Created(Place("p1.life"), fresh, ("S9",) * 11, P1)
    for fact in (F.Arranged(Place("p1.life"), life[::-1]), F.Shown(life, (P1,), lasting=True), created):
        for viewer, number in ((P1, len(fact.cards)), (P2, None), (SPECTATOR, None)):
            told_of = view_fact(fact, viewer)
            assert told_of is not None and told_of.number == number


def test_the_order_of_a_shuffle_is_the_judge_s_business() -> None:
    life = fold_entries(START).places[Place("p1.life")]
    shuffled = F.Arranged(Place("p1.life"), life[::-1])
    orders = {viewer: getattr(view_fact(shuffled, viewer), "order") for viewer in (P1, P2, SPECTATOR, JUDGE)}  # noqa: B009
    assert orders == {P1: (), P2: (), SPECTATOR: (), JUDGE: life[::-1]}


def test_a_private_mark_needs_the_face() -> None:
    opened = opened_of(START)
    marks = tuple(replace(mark, public=False) for mark in opened.schema.marks)
    physics = Physics(replace(opened.schema, marks=marks))
    for viewer, expected in ((P1, ["C8"]), (P2, None)):
        told_of = see_fact(
            TableViewer(physics, viewer), Draft(fold_entries(START)), "BP-8.3", F.Marked((C8,), "entered", 3)
        )
        assert (None if told_of is None else faces(told_of)) == expected


def test_a_telling_clause_is_told_to_those_who_see_the_card() -> None:
    entries = with_telling(START, "BP-9.1", "BP-4.1")
    opened = opened_of(entries)
    physics = Physics(opened.schema)
    down, up = F.Moved((H8,), Place("p1.bulwarks")), F.Moved((H8,), Place("stage"), up=True)
    for fact, viewer, clause in ((down, P1, "BP-9.1"), (down, P2, ""), (up, P2, "BP-9.1"), (down, JUDGE, "BP-9.1")):
        told_of = see_fact(TableViewer(physics, viewer), Draft(fold_entries(entries)), "BP-9.1", fact)
        assert told_of is not None and told_of.clause == clause
    other = see_fact(TableViewer(physics, P2), Draft(fold_entries(entries)), "BP-9.2", down)
    assert other is not None and other.clause == "BP-9.2"
    broken = Played(actor=P1, action=Raw(msgspec.msgpack.encode({"do": "pass"})), violations=("BP-4.1", "BP-4.2"))
    found = [
        list(seen_entries(*seen_by(GAME, [*entries, broken], viewer)))[-1].violations for viewer in (P1, P2, JUDGE)
    ]
    assert found == [("BP-4.1", "BP-4.2"), ("BP-4.2",), ("BP-4.1", "BP-4.2")]


def entry(entries: list[Entry], viewer: Seat) -> SeenEntry:
    return list(seen_entries(*seen_by(GAME, entries, viewer)))[-1]


def test_an_action_names_what_can_be_seen_of_its_cards() -> None:
    entries = play(START, "p1: up H8 S2 S4")
    for viewer in (P1, P2):
        action = entry(entries, viewer).action
        assert action is not None
        assert {slot.name: [card.face for card in slot.cards] for slot in action.slots} == {
            "keys": ["H8"],
            "discards": ["S2"],
            "target": ["S4"],
        }
    hidden = play(START, "p1: set_bulwark", "p1: choose_bulwark_card HJ")
    for viewer, face in ((P1, "HJ"), (P2, None), (JUDGE, "HJ")):
        action = entry(hidden, viewer).action
        assert action is not None
        (slot,) = action.slots
        assert [card.face for card in slot.cards] == [face]
        assert (slot.cards[0].card is None) == (viewer != JUDGE)


def test_secret_parts_of_an_action_go_to_its_actor_and_the_judge() -> None:
    one = sample("blackpoker", 0)
    for viewer in (P1, P2, SPECTATOR, JUDGE):
        action = list(seen_entries(*seen_by(one.game, one.entries, viewer), 2))[-1].action
        assert action is not None and action.verb == "shuffle_deck"
        (order,) = [slot for slot in action.slots if slot.name == "order"]
        assert order.hidden == (viewer != JUDGE)
        assert (order.cards, order.number) == ((), None) if order.hidden else len(order.cards) == order.number


def test_an_action_that_the_law_does_not_know_is_told_by_its_verb() -> None:
    strange = Played(actor=P1, action=Raw(msgspec.msgpack.encode({"do": "levitate", "card": 23})))
    action = entry([*START, strange], P2).action
    assert action is not None and (action.verb, action.slots) == ("levitate", ())


def test_decks_go_to_their_owners_notes_to_their_writers() -> None:
    entries = [*START, Noted(by="p1", text="p2 holds C3"), Closed(by="judge", seed="ff")]
    decks = {viewer: list(seen_entries(*seen_by(GAME, entries, viewer))) for viewer in (P1, P2, SPECTATOR, JUDGE)}
    assert {viewer: sorted(opened.decks) for viewer, (opened, *_) in decks.items()} == {
        P1: ["p1"],
        P2: ["p2"],
        SPECTATOR: [],
        JUDGE: ["p1", "p2"],
    }
    assert [note.text for _, note, _ in decks.values()] == ["p2 holds C3", "", "", "p2 holds C3"]
    assert {(opened.commitment, opened.rules_hash != "", end.seed) for opened, _, end in decks.values()} == {
        ("ab12", True, "ff")
    }


def test_claims_and_appeals_go_to_judges_and_their_writers_and_opinions_to_judges() -> None:
    disputed = D.Disputed(by="judge", matter=D.Matter(entry=1), claims={P1: "two left", P2: "one left"})
    ruled = D.Ruled(by="judge", dispute=len(START) + 1, verdict="unclear", opinion=D.Opinion("law", "not_allowed"))
    entries = [*START, disputed, ruled, D.Appealed(by="p1", dispute=len(START) + 1, reason="I hold H8")]
    told_to = {
        viewer: list(seen_entries(*seen_by(GAME, entries, viewer)))[-3:] for viewer in (P1, P2, SPECTATOR, JUDGE)
    }
    assert {viewer: list(claims.claims.values()) for viewer, (claims, *_) in told_to.items()} == {
        P1: ["two left", ""],
        P2: ["", "one left"],
        SPECTATOR: ["", ""],
        JUDGE: ["two left", "one left"],
    }
    assert [ruling.opinion is not None for _, ruling, _ in told_to.values()] == [False, False, False, True]
    assert [appeal.reason for *_, appeal in told_to.values()] == ["I hold H8", "", "", "I hold H8"]


def test_flow_is_told_when_asked_for() -> None:
    entries = play(START, "p1: up H8 S2 S4")
    quiet, whole = (list(seen_entries(*seen_by(GAME, entries, P2), flow=flow))[-1].facts for flow in (False, True))
    assert [fact.fact for fact in quiet] == ["move", "move"]
    assert [fact.fact for fact in whole] == ["move", "move", "push"]
    assert len(entry_facts(entries[-1])) == 3


def test_an_unknown_viewer_is_named() -> None:
    with pytest.raises(NotInMatch, match=r"'p7'.*p1, p2, spectator, judge"):
        list(seen_entries(*seen_by(GAME, START, Seat("p7"))))
    with pytest.raises(NotInMatch, match="does not begin"):
        find_viewer(Record(Law(GAME, RULES), START[1:]), P1)


EFFECT = Effect(id=EffectId(9), kind="up", by=P1, source=Obj(H8, 23), on=(Obj(S4, 29),), numbers=(8,), until="turn")


@for_each("lang", ["en", "ja"])
def test_every_kind_of_fact_has_words(lang: str) -> None:
    one = sample("blackpoker", 3)
    flow = {
        fact.fact: fact
        for seen in seen_entries(*seen_by(one.game, one.entries, JUDGE), flow=True)
        for fact in seen.facts
    }
    made: tuple[F.AnyFact, ...] = (
        F.Removed((S4,)),
        F.Turned((S4,), up=False),
        F.Controlled((S4,), P2),
        F.Tied((S4,), C8),
        F.Tied((S4,)),
        F.Learned(S4, "S4"),
        F.Identified((S4,), (None,)),
        F.Rolled("coin_toss", 2, P1, S4),
        F.Began(EFFECT),
    )
    found = [*flow.values(), *(fact for each in made if (fact := view_fact(each, JUDGE)) is not None)]
    found += [
        fact
        for each in (F.Adjusted(EffectId(9), (5,)), F.Ended((EffectId(9),)))
        if (fact := view_fact(each, JUDGE, F.Began(EFFECT))) is not None
    ]
    assert {fact.fact for fact in found} == {str(kind.__struct_config__.tag) for kind in F.FACTS}
    for fact in found:
        text = fact_words(GAME, fact, "ja" if lang == "ja" else "en", {})
        assert text.strip() and "{" not in text and "None" not in text


def test_by_hand_facts_stand_without_a_clause() -> None:
    corrected = entry([*START, by_hand(F.Turned((C8,), up=True))], P2)
    assert (corrected.seen, corrected.by, corrected.facts[0].clause, faces(corrected.facts[0])) == (
        "corrected",
        "judge",
        "",
        ["C8"],
    )
