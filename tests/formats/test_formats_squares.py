"""Squares by name: either name is read, the short one is written, and a square stands for its piece."""

from typing import Any

import msgspec
import pytest

from domain.formats.actions import parse_action, write_action
from domain.formats.casebook import load_casebook, run_case
from domain.formats.casebook.load import StartPosition
from domain.formats.casebook.skeleton import write_case
from domain.formats.casebook.start_position import build
from domain.formats.errors import FormatError
from domain.formats.facts import parse_fact, write_fact
from domain.formats.names import resolve_card
from domain.formats.notation import parse_notation, write_notation
from domain.formats.places import NO_NAMES, PlaceNames
from domain.law.clause import BY_HAND
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.slots import Slot
from domain.parts.grid import LETTERED, numbered_slots
from domain.table.facts import Created, Moved
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import CardId, Place, Table
from recorder.simulate import simulate
from tests.rows import for_each
from tests.toys.chart import CHART, P1, SEATS, UNIT, Rules, Step, Walk, schema

RULES = Rules()
SCHEMA = schema(RULES)
PLACES = PlaceNames(CHART.display, SCHEMA)
LAID = {
    "c4": ("guard = G1 up owner=p1", "S1 down owner=p2"),
    "b1": ("scout = S1 down owner=p1",),
    "unit:3,10": ("G1 up owner=p2",),
    "ground:b1": ("MIRE owner=p1",),
    "ground:a9": ("MIRE owner=p2",),
    "p1.f2": ("F1",),
}


def laid(**places: tuple[str, ...]) -> Table:
    return build(SCHEMA, SEATS, StartPosition(places={**LAID, **places}), display=CHART.display).table


TABLE = laid()
GUARD, OTHER, SCOUT, FAR, MIRE, FAR_MIRE, PIT = map(CardId, range(1, 8))


def test_names_lead_to_squares_and_back() -> None:
    assert [LETTERED.called(square) for square in ("3,4", "26,99", "27,1", "0,1", "3", "")] == ["c4", "z99", *[""] * 4]
    assert [LETTERED.meant(name) for name in ("c4", "z99", "c0", "c04", "C4", "c", "cc4")] == [
        "3,4",
        "26,99",
        *[""] * 5,
    ]
    assert (numbered_slots("f").called("2"), numbered_slots("f").meant("f2"), numbered_slots("f").meant("f0")) == (
        "f2",
        "2",
        "",
    )


@for_each(
    "text, place, name",
    [
        ("c4", "unit:3,4", "c4"),
        ("unit:c4", "unit:3,4", "c4"),
        ("unit:3,4", "unit:3,4", "c4"),
        ("ground:c4", "ground:3,4", "ground:c4"),  # the first of two layers has the short name
        ("p2.f3", "p2.trap:3", "p2.f3"),
        ("p2.trap:3", "p2.trap:3", "p2.f3"),
        ("unit:9,9", "unit:9,9", "unit:9,9"),  # the rules decide whether the square exists
        ("p1.hand", "p1.hand", "p1.hand"),
    ],
)
def test_a_place_is_read_by_either_name_and_written_by_the_short_one(text: str, place: str, name: str) -> None:
    assert PLACES.read(TABLE, text) == place
    assert PLACES.name(Place(place)) == name
    assert PLACES.read(TABLE, name) == place
    assert NO_NAMES.name(Place(place)) == place and PlaceNames(CHART.display).name(Place(place)) == place


@for_each(
    "text, first, last",
    [("d4", "a1", "c10"), ("a11", "a1", "c10"), ("ground:d1", "ground:a1", "ground:c10"), ("p1.f4", "p1.f1", "p1.f3")],
)
def test_a_square_that_is_not_there_is_refused_with_the_first_and_the_last(text: str, first: str, last: str) -> None:
    with pytest.raises(FormatError) as refused:
        PLACES.read(TABLE, text)
    for lang in ("en", "ja"):
        said = refused.value.say(lang)  # type: ignore[arg-type]
        assert first in said and last in said and text in said
    with pytest.raises(FormatError, match=first):
        parse_action(CHART, TABLE, f"p1: step u1 {text}", schema=SCHEMA)


@for_each("text", ["p1.c4", "p3.f1", "f1", "c4:1", "unit:", "p1.unit:c4"])
def test_no_name_of_a_place_is_none(text: str) -> None:
    with pytest.raises(FormatError):
        place = PLACES.read(TABLE, text)
        if Physics(SCHEMA).area(place) is None:
            raise FormatError(place)  # type: ignore[arg-type]


def act(text: str, **more: Any) -> Step:
    _, action = parse_action(CHART, TABLE, text, schema=SCHEMA, **more)
    assert isinstance(action, Step)
    return action


@for_each(
    "text, piece, to",
    [
        ("p1: step b1 c2", SCOUT, "unit:3,2"),  # the lower piece does not fit the slot
        ("p1: step unit:2,1 to=unit:3,2", SCOUT, "unit:3,2"),
        ("p1: step G1@c10 c4", FAR, "unit:3,4"),
        ("p1: step ground:b1 a1", MIRE, "unit:1,1"),
        ("p1: step S1@b1 a10", SCOUT, "unit:1,10"),
    ],
)
def test_a_square_names_the_piece_on_it(text: str, piece: CardId, to: str) -> None:
    assert act(text) == Step(piece, Place(to))


def test_a_square_with_two_pieces_names_neither() -> None:
    with pytest.raises(FormatError) as refused:
        act("p1: step c4 a1")
    assert refused.value.message.key == "name.ambiguous"
    assert "u1 (c4)" in refused.value.say("en") and "u2 (c4)" in refused.value.say("ja")
    with pytest.raises(FormatError, match="a1 is empty"):
        act("p1: step a1 a2")


def test_of_two_pieces_on_a_square_a_slot_for_own_pieces_means_the_own_one() -> None:
    slot = Slot("card", areas=(UNIT,))
    assert [resolve_card(TABLE, "c4", seat, slot, places=PLACES) for seat in SEATS] == [GUARD, OTHER]
    assert resolve_card(TABLE, "b1", SEATS[1], slot, places=PLACES) == SCOUT, (
        "alone on its square it is meant all the same"
    )


def test_a_face_goes_before_a_square_of_the_same_name() -> None:
    table = laid(a1=("c2 owner=p1",), c2=("G1 owner=p2",))
    _, action = parse_action(CHART, table, "p1: step c2 c3", schema=SCHEMA)
    assert isinstance(action, Step) and table.pieces[action.piece].place == "unit:1,1"
    hidden = TableViewer(Physics(SCHEMA), SEATS[1])
    _, action = parse_action(CHART, laid(a1=("c2 down owner=p1",), c2=("G1 owner=p2",)), "p2: step c2 c3", eyes=hidden)
    assert isinstance(action, Step) and table.pieces[action.piece].place == "unit:3,2", "nobody learns what a back is"


def test_a_face_goes_before_a_square_that_is_not_there_too() -> None:
    table = laid(a1=("z9 owner=p1",))
    _, action = parse_action(CHART, table, "p1: step z9 c3", schema=SCHEMA)
    assert isinstance(action, Step) and table.pieces[action.piece].place == "unit:1,1"


def test_an_older_table_without_an_area_has_none_of_its_squares() -> None:
    older = PlaceNames(CHART.display, msgspec.structs.replace(SCHEMA, areas=SCHEMA.areas[:2]))
    assert older.find("c4") == ("ground:3,4",)
    assert older.read(TABLE, "ground:c4") == "ground:3,4" and older.find("unit:c4") == ()


def test_whoever_sees_only_a_back_may_name_it_by_its_square() -> None:
    assert act("p2: step b1 c1", eyes=TableViewer(Physics(SCHEMA), SEATS[1])).piece == SCOUT
    assert act("p1: step b1 c1", eyes=TableViewer(Physics(SCHEMA), SPECTATOR)).piece == SCOUT


def way(*squares: str) -> tuple[Place, ...]:
    return tuple(Place(f"{UNIT}:{square}") for square in squares)


@for_each(
    "text, path",
    [
        ("b1 b2,c2", way("2,2", "3,2")),
        ("b1 path=b2,unit:3,2,c3", way("2,2", "3,2", "3,3")),
        ("path=unit:2,2,unit:3,2 piece=S1", way("2,2", "3,2")),
        ("b1 c1", way("3,1")),
        ("b1 unit:3,1", way("3,1")),
        ("b1 -", ()),
        ("b1", ()),
        ("b1 ground:b2,p1.f2,p1.trap:3,b2", (Place("ground:2,2"), Place("p1.trap:2"), Place("p1.trap:3"), *way("2,2"))),
    ],
)
def test_a_path_is_squares_joined_by_commas(text: str, path: tuple[Place, ...]) -> None:
    action = Walk(SCOUT, path)
    assert parse_action(CHART, TABLE, f"p1: walk {text}", schema=SCHEMA) == (P1, action)
    for known in (SCHEMA, None):
        written = write_action(CHART, TABLE, P1, action, schema=known)
        assert parse_action(CHART, TABLE, written, schema=SCHEMA) == (P1, action)
    written = write_action(CHART, TABLE, P1, action, schema=SCHEMA)
    assert "unit:" not in written and written.count(" ") == (3 if path else 2)


@for_each(
    "path, column, said",
    [("b2,d2", 17, "c10"), ("b2,", 17, "empty"), ("b2,,c2", 17, "empty"), ("b2,p3.f1", 17, "seat"), ("b2,!", 17, "!")],
)
def test_a_path_that_cannot_be_read_says_where(path: str, column: int, said: str) -> None:
    with pytest.raises(FormatError, match=said) as refused:
        parse_action(CHART, TABLE, f"p1: walk b1 {path}", schema=SCHEMA)
    assert refused.value.column == column - 1


@for_each("to", ["unit:3,4", "ground:3,4", "p1.trap:2", "unit:9,9", "unit:27,1", "stage", ""])
def test_an_action_is_written_by_names_and_reads_back(to: str) -> None:
    action = Step(SCOUT, Place(to))
    for known in (SCHEMA, None):
        text = write_action(CHART, TABLE, P1, action, schema=known)
        assert parse_action(CHART, TABLE, text, schema=known) == (P1, action)
        assert parse_action(CHART, TABLE, text, schema=SCHEMA) == (P1, action)
    assert write_action(CHART, TABLE, P1, Step(SCOUT, Place("unit:3,4")), schema=SCHEMA) == "p1: step S1 c4"


def test_facts_say_places_by_their_names() -> None:
    telling = (BY_HAND, Moved((SCOUT,), Place("unit:3,2"), up=True))
    assert write_fact(telling, TABLE, SCHEMA, CHART.display) == "- move u3 c2 up"
    for line in ("- move u3 c2 up", "- move u3 unit:3,2 up"):
        assert parse_fact(line, TABLE, SCHEMA, CHART.display) == telling
    created = (BY_HAND, Created(Place("p1.trap:3"), (CardId(90),), ("F1",), P1))
    assert write_fact(created, TABLE, SCHEMA, CHART.display) == "- new p1.f3 #90 F1 p1"
    with pytest.raises(FormatError, match="c10") as refused:
        parse_fact("- move u3 d2 up", TABLE, SCHEMA, CHART.display)
    assert refused.value.column == len("- move u3 ") + 1


def test_a_record_holds_places_and_notation_their_names() -> None:
    entries = simulate(Law(CHART, RULES), 5)[:9]
    text = write_notation(CHART, entries)
    assert ": step" in text and "unit:" not in text
    assert b"unit:" in msgspec.msgpack.encode(entries)
    assert parse_notation(text, {"chart": CHART}) == entries


CASEBOOK = """
game = "chart"
version = "1"
[given]
turn = 1
active = "p1"
first = "p1"
phase = "play"
awaited = ["p1"]
[given.places]
c4 = ["guard = G1 up owner=p1"]
"unit:1,10" = ["S1 down owner=p2"]
"ground:b1" = ["MIRE owner=p1"]
"p2.f1" = ["F1"]
[[case]]
id = "short"
[[case.step]]
when = ["p1: step c4 c5"]
then.places = { "c5" = ["G1 owner=p1"], "unit:3,4" = [], "p2.f1" = ["F1"] }
then.has = { "a10" = ["S1"], "ground:b1" = ["MIRE"] }
then.has_not = { "c4" = ["G1"] }
then.count = { "c5" = 1, "unit:c4" = 0 }
then.readings = { "c5 force" = 3 }
then.views = [{ viewer = "p1", place = "a10", cards = ["?"] }]
then.knows_not = { p1 = ["a10"] }
then.offers = ["p2: step c5 c6"]
then.no_offers = ["p1: step c5 c6"]
"""


def failures(text: str) -> list[Any]:
    (case,) = load_casebook(text, "squares").cases
    return [(failure.what, failure.found) for failure in run_case(case, CHART).failures]


def test_a_casebook_names_squares_either_way() -> None:
    assert failures(CASEBOOK) == []
    walked = CASEBOOK.replace("p1: step c4 c5", "p1: walk guard b4,unit:2,5,").replace("unit:2,5,", "unit:2,5")
    assert failures(walked.replace("c5", "b5")) == []
    assert failures(CASEBOOK.replace('"a10" = ["S1"]', '"a9" = ["S1"]')) == [("has a9", ())]


@for_each(
    "was, now, said",
    [
        ("c4 =", "d4 =", "squares are a1 to c10"),
        ('"c5" = ["G1', '"c11" = ["G1', "squares are a1 to c10"),
        ('"unit:1,10" =', '"unit:3,4" =', "unit:3,4 is given twice"),
        ('"p2.f1" = ["F1"]\n', '"p2.f4" = ["F1"]\n', "squares are p2.f1 to p2.f3"),
    ],
)
def test_a_casebook_with_a_wrong_square_says_which_there_are(was: str, now: str, said: str) -> None:
    assert CASEBOOK.count(was) >= 1
    ((_, found), *_) = failures(CASEBOOK.replace(was, now, 1))
    assert said in found.say("en"), found.say("en")


def test_a_square_with_too_many_pieces_is_named_as_people_do() -> None:
    ((_, found), *_) = failures(CASEBOOK.replace('c4 = ["guard', 'c4 = ["S1 owner=p1", "S1 owner=p2", "guard'))
    assert "c4" in found.say("en") and "unit:" not in found.say("en")


def test_a_case_that_is_written_names_squares() -> None:
    entries = simulate(Law(CHART, RULES), 5)[:9]
    text = write_case(CHART, entries, 7, "drawn")
    assert "unit:" not in text and "ground:a2" in text and "p1.f2" in text and "b7 = " in text
    assert failures(text) == []
    assert fold_entries(entries, 7).places.keys() >= {"p1.trap:2"}
