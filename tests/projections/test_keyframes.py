"""Keyframes of matches: turns, empty stacks, marks, undone entries, and entries fact by fact."""

import pytest

from domain.law.entries import Rewound, entry_facts, fold_entries, line, predecessor
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.board import board_of
from projections.keyframes import Undone, find_rewind, keyframes
from projections.moments import moments
from projections.steps import steps, table_after
from projections.timeline import timeline
from projections.viewing import NotInMatch, find_viewer
from tests.rotation import rotate
from tests.rows import for_each
from tests.shelves import SHELVES, seen_by

pytestmark = pytest.mark.rotates(2)

MATCHES = [
    (key, name) for key, shelf in SHELVES.items() for name in ("normal", "rewind", "disputed") if name in shelf.matches
]


@for_each("key, name", MATCHES)
def test_stretches_follow_the_log_and_name_the_turn_an_entry_was_done_in(key: str, name: str) -> None:
    shelf = SHELVES[key]
    record, eyes = seen_by(shelf.game, shelf.entries(name), SPECTATOR)
    frames, when = keyframes(record.entries, eyes), moments(record)
    assert [stretch.first for stretch in frames.stretches] == [1, *(s.last + 1 for s in frames.stretches[:-1])]
    assert frames.stretches[-1].last == len(record.entries)
    for number, entry in enumerate(record.entries, start=1):
        stretch = frames.stretch(number)
        turn = when.turns[number if isinstance(entry, Rewound) else number - 1]
        assert (stretch.turn, stretch.seat) == turn, number


@for_each("key, name", MATCHES)
def test_a_stack_is_empty_where_the_table_says_so(key: str, name: str) -> None:
    shelf = SHELVES[key]
    record, eyes = seen_by(shelf.game, shelf.entries(name), SPECTATOR)
    entries, frames = record.entries, keyframes(record.entries, eyes)
    depths = [0, *(len(fold_entries(entries, number).stack) for number in range(1, len(entries) + 1))]
    emptied = [n for n in range(1, len(entries) + 1) if depths[predecessor(entries, n)] and not depths[n]]
    assert list(frames.empties) == emptied and bool(emptied) == any(depths)
    for stretch in frames.stretches:
        assert stretch.deepest == max(depths[stretch.first : stretch.last + 1])


def test_marks_say_what_each_viewer_may_read_in_the_log() -> None:
    for key in SHELVES:
        shelf = SHELVES[key]
        for viewer in (SPECTATOR, "p1", "p2", JUDGE):
            record, eyes = seen_by(shelf.game, shelf.entries("disputed"), viewer)
            marked = [mark.entry for mark in keyframes(record.entries, eyes).marks if mark.kind == "broken"]
            assert marked == [said.number for said in timeline(record, eyes, "en") if said.violations] != []


@for_each("key", ["blackpoker", "dea", "skillbook"])
def test_what_was_undone_names_its_rewind(key: str) -> None:
    entries = SHELVES[key].entries("rewind")
    at, rewind = next((n, entry) for n, entry in enumerate(entries, start=1) if isinstance(entry, Rewound))
    standing = line(entries)
    for number in range(1, len(entries) + 1):
        assert (find_rewind(entries, number) is None) == (number in standing)
    assert find_rewind(entries, rewind.to + 1) == Undone(at, rewind.to)
    assert find_rewind(entries[: at - 1], rewind.to + 1) is None


@pytest.mark.random
@for_each("key, name", rotate(MATCHES, 3))
def test_facts_lead_from_the_table_before_an_entry_to_the_one_after_it(key: str, name: str) -> None:
    shelf = SHELVES[key]
    record, eyes = seen_by(shelf.game, shelf.entries(name), "p1")
    for number, entry in enumerate(record.entries, start=1):
        made = steps(record, eyes, number)
        if not made:
            assert not entry_facts(entry) or number <= 3
            continue
        assert [step.upto for step in made] == sorted({step.upto for step in made})
        last = table_after(record, number, len(made))
        assert board_of(record, eyes, number, last) == board_of(record, eyes, number, table_after(record, number))


def test_facts_are_counted_alike_for_everybody() -> None:
    shelf = SHELVES["blackpoker"]
    record, _ = seen_by(shelf.game, shelf.entries("normal"), SPECTATOR)
    differing = 0
    for number in range(1, len(record.entries) + 1):
        seen = {viewer: steps(record, find_viewer(record, viewer), number) for viewer in (SPECTATOR, "p1", "p2", JUDGE)}
        assert len({tuple(step.upto for step in counted) for counted in seen.values()}) == 1
        differing += seen[SPECTATOR] != seen["p1"]
    assert differing


def test_there_is_no_fact_beyond_the_last() -> None:
    shelf = SHELVES["blackpoker"]
    record, eyes = seen_by(shelf.game, shelf.entries("normal"), SPECTATOR)
    with pytest.raises(NotInMatch) as missed:
        table_after(record, 4, len(steps(record, eyes, 4)) + 1)
    assert "entry 4" in missed.value.text
