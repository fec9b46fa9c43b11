"""Facts as text: every fact round-trips exactly."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from domain.formats.errors import FormatError
from domain.formats.facts import FACT_TYPES, parse_fact, write_fact
from domain.law.clause import BY_HAND, Clause
from domain.table import facts as f
from domain.table.table import LANES, Clock, Effect, Frame, Obj, Result, Todo, ValueColumns
from tests.formats.tables import P1, P2, SCHEMA, TABLE, card
from tests.rows import for_each

NUMBERS = st.integers(-(10**12), 10**12)
IDS = st.integers(1, 99)
CARDS = st.lists(IDS, max_size=4).map(tuple)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
SEATS = st.sampled_from(["p1", "p2", "p9", "a b", "*", "-", ""])
PLACES = st.sampled_from(["p1.hand", "stage", "unit:3,4", "p1.foreshadow:2", "odd place"])
FACES = st.one_of(st.none(), st.sampled_from(["S4", "?", "-", "a,b", 'q"q', "", "x=y", "u57", "#1"]))
OBJS = st.builds(Obj, IDS, IDS)
COLUMNS: dict[str, Any] = {
    "objs": st.lists(OBJS, max_size=2).map(tuple),
    "pairs": st.lists(st.tuples(OBJS, OBJS), max_size=2).map(tuple),
    "cards": CARDS,
    "frames": CARDS,
    "seats": st.lists(SEATS, max_size=2).map(tuple),
    "places": st.lists(PLACES, max_size=2).map(tuple),
    "numbers": st.lists(NUMBERS, max_size=2).map(tuple),
    "words": st.lists(TEXTS, max_size=2).map(tuple),
}
PATHS = st.lists(st.integers(0, 9), max_size=3).map(tuple)
TODO = st.lists(st.builds(Todo, PATHS, SEATS), max_size=2).map(tuple)
LANE = st.sampled_from(LANES)
CLOCKS = st.builds(
    Clock,
    NUMBERS,
    st.none() | SEATS,
    st.none() | SEATS,
    TEXTS,
    TEXTS,
    st.lists(SEATS).map(tuple),
    st.lists(SEATS).map(tuple),
)
FACTS = st.one_of(
    st.builds(f.Created, PLACES, CARDS, st.lists(FACES, max_size=4).map(tuple), SEATS),
    st.builds(f.Removed, CARDS),
    st.builds(f.Moved, CARDS, PLACES, st.integers(-2, 5), st.booleans()),
    st.builds(f.Arranged, PLACES, CARDS, st.booleans()),
    st.builds(f.Turned, CARDS, st.booleans()),
    st.builds(f.Stanced, CARDS, st.integers(-1, 4)),
    st.builds(f.Controlled, CARDS, SEATS),
    st.builds(f.Tied, CARDS, st.integers(0, 99)),
    st.builds(f.Marked, st.one_of(st.none(), SEATS, CARDS), TEXTS, NUMBERS),
    st.builds(f.Learned, IDS, TEXTS),
    st.builds(f.Identified, CARDS, st.lists(st.none() | TEXTS, max_size=3).map(tuple)),
    st.builds(f.Shown, CARDS, st.lists(SEATS, max_size=3).map(tuple), st.booleans()),
    st.builds(f.Rolled, TEXTS, NUMBERS, SEATS, st.integers(0, 99)),
    st.builds(
        f.Began, st.builds(Effect, id=IDS, kind=TEXTS, by=SEATS, source=OBJS, path=PATHS, until=TEXTS, **COLUMNS)
    ),
    st.builds(f.Adjusted, IDS, st.lists(NUMBERS, max_size=3).map(tuple)),
    st.builds(f.Ended, CARDS),
    st.builds(f.Finished, st.builds(Result, st.lists(SEATS, max_size=2).map(tuple), TEXTS)),
    st.builds(f.Pushed, st.builds(Frame, id=IDS, lane=LANE, kind=TEXTS, by=SEATS, step=TEXTS, todo=TODO, **COLUMNS)),
    st.builds(
        f.Altered,
        IDS,
        st.none() | TEXTS,
        st.none() | LANE,
        st.none() | st.builds(ValueColumns, **COLUMNS),
        st.none() | TODO,
    ),
    st.builds(f.Popped, IDS, TEXTS),
    st.builds(f.Clocked, CLOCKS),
)


def test_every_fact_is_tried() -> None:
    assert len(FACTS.branches) == len(f.FACTS) == len(FACT_TYPES)  # type: ignore[attr-defined]


@given(FACTS, st.sampled_from([BY_HAND, Clause("BP-7.16"), Clause("-"), Clause("odd clause")]))
def test_round_trip(fact: f.AnyFact, clause: Clause) -> None:
    line = write_fact((clause, fact), TABLE, SCHEMA)
    assert "\n" not in line
    assert parse_fact(line, TABLE, SCHEMA) == (clause, fact)


@for_each(
    "line, fact",
    [
        ("BP-7.16 stance u57,u58 driven", f.Stanced((7, 8), 1)),  # type: ignore[arg-type]
        ("BP-6.15 move u57,#99 p2.grave", f.Moved((7, 99), "p2.grave")),  # type: ignore[arg-type]
        ("BP-6.15 move u57 p2.grave at=0 up", f.Moved((7,), "p2.grave", 0, True)),  # type: ignore[arg-type]
        ("- mark p1 attacks 1", f.Marked(P1, "attacks", 1)),
        ("- mark table round 2", f.Marked(None, "round", 2)),
        ("- order p1.life #11,#10 shuffled", f.Arranged("p1.life", (11, 10))),  # type: ignore[arg-type]
        ("- tie u58 -", f.Tied((8,))),  # type: ignore[arg-type]
        ("- show u51 p1,p2 lasting", f.Shown((1,), (P1, P2), True)),  # type: ignore[arg-type]
        (
            "- clock turn=3 active=p1 phase=play awaited=p2 passed=p1",
            f.Clocked(Clock(3, P1, None, "play", "", (P2,), (P1,))),
        ),
        ("- pop 3 resolved", f.Popped(3, "resolved")),  # type: ignore[arg-type]
        ("- alter 3 step=leave lane=running", f.Altered(3, "leave", "running")),  # type: ignore[arg-type]
        ("- end p1 life", f.Finished(Result((P1,), "life"))),
    ],
)
def test_written_as_it_is_read(line: str, fact: f.AnyFact) -> None:
    clause, found = parse_fact(line, TABLE, SCHEMA)
    assert found == fact
    assert write_fact((clause, found), TABLE, SCHEMA) == line


def test_people_may_use_any_name() -> None:
    assert parse_fact("- turn S9@p1.grave up", TABLE, SCHEMA)[1] == f.Turned((card("S9"),), True)


@for_each(
    "line, column, message",
    [
        ("", 1, "begins with its clause"),
        ("- stances u57 driven", 3, "did you mean stance"),
        ("- stance u57", 3, "needs a stance"),
        ("- stance u57 asleep", 14, "charged, driven"),
        ("- stance u99 driven", 10, "there is no u99"),
        ("- move u57 p1.grave up up", 24, "nothing may follow"),
        ("- move u57 p1.grave at=x", 24, "whole number"),
        ("- push {}", 8, "JSON of push"),
        ("- push {", 8, "JSON of push"),
        ("- alter 3 lane=sky", 16, "stack, running"),
        ("- alter 3 colour=red", 11, "there is no part of alter"),
        ('- pop 3 "', 9, "never closed"),
        ("- turn u57 sideways", 12, "up, down"),
    ],
)
def test_refused(line: str, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_fact(line, TABLE, SCHEMA)
    assert message in caught.value.message
    assert caught.value.column == column


PARTS = st.sampled_from(
    [*FACT_TYPES, " ", "-", "u57", "#3", ",", "p1", "p1.hand", "{}", "[", '"', "=", "step=", "3", "up"]
)


@given(st.one_of(st.text(max_size=40), st.lists(PARTS, max_size=9).map(" ".join).map("- ".__add__)))
def test_any_text_is_a_fact_or_a_format_error(text: str) -> None:
    try:
        telling = parse_fact(text, TABLE, SCHEMA)
    except FormatError:
        return
    assert parse_fact(write_fact(telling, TABLE, SCHEMA), TABLE, SCHEMA) == telling
