"""Keyframes of a match for navigation: turns, moments with an empty stack, notable entries, and undone entries."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import Closed, Entry, Gap, Noted, Played, Rewound, entry_facts, opened_of, predecessor
from domain.table import facts as F
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, FrameId, Seat

MarkKind = Literal["broken", "note", "rewind", "closed", "gap"]
"""`broken`: an action played against the law. `note`: a note. `rewind`: the match went back. `closed`: it was closed.
`gap`: actions are missing."""


class Stretch(Struct, frozen=True):
    """Consecutive entries of one turn. `deepest` is the largest number of requests waiting at once."""

    turn: int
    seat: Seat | None
    first: int
    last: int
    deepest: int = 0


class EntryMark(Struct, frozen=True):
    entry: int
    kind: MarkKind


class Keyframes(Struct, frozen=True):
    """Keyframes of a match for one viewer. `empties` are the entries after which a stack became empty."""

    stretches: tuple[Stretch, ...]
    empties: tuple[int, ...]
    marks: tuple[EntryMark, ...]
    names: Mapping[Seat, str] = {}

    def stretch(self, number: int) -> Stretch:
        return next(stretch for stretch in self.stretches if stretch.first <= number <= stretch.last)


class Undone(Struct, frozen=True):
    by: int
    to: int


class _TurnState(Struct, frozen=True):
    turn: int = 0
    seat: Seat | None = None
    waiting: frozenset[FrameId] = frozenset()


def keyframes(entries: Sequence[Entry], eyes: TableViewer) -> Keyframes:
    """Return the keyframes of a record from its facts alone, without folding tables."""
    states = [_TurnState()]
    stretches: list[Stretch] = []
    empties: list[int] = []
    marks: list[EntryMark] = []
    for number, entry in enumerate(entries, start=1):
        before = states[predecessor(entries, number)]
        after = _advance(before, entry)
        states.append(after)
        if before.waiting and not after.waiting:
            empties.append(number)
        kind = _mark_kind(entry, eyes)
        if kind is not None:
            marks.append(EntryMark(number, kind))
        state = after if isinstance(entry, Rewound) else before
        _stretch(stretches, number, state, len(after.waiting))
    return Keyframes(tuple(stretches), tuple(empties), tuple(marks), opened_of(entries).names)


def mark_findings(frames: Keyframes, entries: Iterable[int]) -> Keyframes:
    """Return the keyframes with a mark at each entry that has a finding."""
    marked = {mark.entry for mark in frames.marks if mark.kind == "broken"}
    found = [EntryMark(entry, "broken") for entry in dict.fromkeys(entries) if entry not in marked]
    return replace(frames, marks=tuple(sorted((*frames.marks, *found), key=lambda mark: mark.entry)))


def _stretch(stretches: list[Stretch], number: int, state: _TurnState, waiting: int) -> None:
    last = stretches[-1] if stretches else None
    if last is not None and (last.turn, last.seat) == (state.turn, state.seat):
        stretches[-1] = Stretch(last.turn, last.seat, last.first, number, max(last.deepest, waiting))
    else:
        stretches.append(Stretch(state.turn, state.seat, number, number, waiting))


def _advance(before: _TurnState, entry: Entry) -> _TurnState:
    turn, seat, waiting = before.turn, before.seat, before.waiting
    for _, fact in entry_facts(entry):
        match fact:
            case F.Clocked(clock):
                turn, seat = clock.turn, clock.active
            case F.Pushed(frame) if frame.lane == "stack":
                waiting |= {frame.id}
            case F.Altered(id, lane="stack"):
                waiting |= {id}
            case F.Altered(id, lane=lane) if lane is not None:
                waiting -= {id}
            case F.Popped(id):
                waiting -= {id}
            case _:
                pass
    return _TurnState(turn, seat, waiting)


def _mark_kind(entry: Entry, eyes: TableViewer) -> MarkKind | None:
    match entry:
        case Played(violations=violations):
            telling = () if eyes.viewer in (entry.actor, JUDGE) else eyes.physics.schema.telling
            return "broken" if any(clause not in telling for clause in violations) else None
        case Noted():
            return "note"
        case Rewound():
            return "rewind"
        case Closed():
            return "closed"
        case Gap():
            return "gap"
        case _:
            return None


def find_rewind(entries: Sequence[Entry], number: int) -> Undone | None:
    """Return the last rewind that undid an entry; None if the entry counts."""
    after, undone = {number}, None
    for at, entry in enumerate(entries[number:], start=number + 1):
        if isinstance(entry, Rewound) and at - 1 in after:
            undone = Undone(at, entry.to)
        if predecessor(entries, at) in after:
            after.add(at)
    return None if len(entries) in after else undone
