"""Folding of many facts into one table, when the tables in between are not needed.

Parts that change often are kept in forms that are cheap to change. The clock is overwritten, places are lists, and
marks are dicts. Frames are in a dict by id, which keeps their order within each lane. Changes of a frame are applied
only when they are needed, since most frames are gone by then. The result equals that of `evolve`, fact by fact.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, change_frame
from domain.table.facts import Altered, Clocked, Marked, Moved, Popped, Pushed
from domain.table.table import LANES, CardId, Frame, FrameId, Piece, Place, Seat, Table, area

_ROW_FACTS: Final = frozenset((F.Created, F.Removed, F.Arranged))
"""Facts about the contents of places, except moves."""


class Folding:
    """A table under construction from many facts."""

    __slots__ = ("_changes", "_draft", "_frames", "_marks", "_one_by_one", "_rows")

    def __init__(self, table: Table) -> None:
        self._draft = Draft(table)
        self._rows: dict[Place, list[CardId]] = {}
        self._marks: dict[Seat | None, dict[str, int]] = {}
        frames = [frame for name in LANES for frame in getattr(table, name)]
        self._frames: dict[FrameId, Frame] = {frame.id: frame for frame in frames}
        self._changes: dict[FrameId, list[Altered]] = {}
        self._one_by_one = len(self._frames) != len(frames)
        """True if two frames have the same id. Each fact is then applied at once, to the draft."""

    def apply(self, facts: Iterable[tuple[Any, Any]]) -> None:
        """Apply facts, each paired with its clause."""
        remaining = iter(facts)
        if self._one_by_one:
            self._evolve(remaining)
            return
        draft, frames, changes = self._draft, self._frames, self._changes
        for _, fact in remaining:
            kind = type(fact)
            if kind is Clocked:
                draft.clock = fact.clock
            elif kind is Moved:
                self._move(fact)
            elif kind is Pushed:
                frame = fact.frame
                number = frame.id
                if number in frames:
                    self._flush()
                    self._one_by_one = True
                    EVOLVE[kind](draft, fact)
                    self._evolve(remaining)
                    return
                frames[number] = frame
                if number > draft.framed:
                    draft.framed = number
            elif kind is Popped:
                number = fact.id
                if number in frames:
                    del frames[number]
                    if number in changes:
                        del changes[number]
            elif kind is Altered:
                number = fact.id
                if number in changes:
                    changes[number].append(fact)
                elif number in frames:
                    changes[number] = [fact]
                else:
                    continue
                if fact.lane is not None:
                    self._apply_changes(number)
            elif kind is Marked and type(fact.on) is not tuple:
                self._mark(fact)
            else:
                if kind in _ROW_FACTS:
                    self._store_rows()
                EVOLVE[kind](draft, fact)

    def _evolve(self, remaining: Iterator[tuple[Any, Any]]) -> None:
        for _, fact in remaining:
            EVOLVE[type(fact)](self._draft, fact)

    def _move(self, fact: Moved) -> None:
        draft, rows, cards, to, up = self._draft, self._rows, fact.cards, fact.to, fact.up
        pieces = draft.writable_pieces()
        within = area(to) if ":" in to else to
        for card in cards:
            old = pieces[card]
            origin = old.place
            row = rows[origin] if origin in rows else self._load_place(origin)
            row.remove(card)
            if origin == to or (within is not to and area(origin) == within):
                pieces[card] = Piece(
                    old.face, old.owner, old.controller, to, old.thing, up, old.stance, old.host, old.seen, old.marks
                )
            else:
                draft.minted = thing = draft.minted + 1
                owner = old.owner
                pieces[card] = Piece(old.face, owner, owner, to, thing, up)
        row = rows[to] if to in rows else self._load_place(to)
        if fact.at < 0:
            row.extend(cards)
        else:
            row[fact.at : fact.at] = cards

    def _load_place(self, place: Place) -> list[CardId]:
        row = self._rows[place] = list(self._draft.writable_places().setdefault(place, ()))
        return row

    def _mark(self, fact: Marked) -> None:
        on = fact.on
        assert not isinstance(on, tuple)
        marks = self._marks.get(on)
        if marks is None:
            marks = self._marks[on] = dict(self._draft.marks if on is None else self._draft.seats[on])
        if fact.to:
            marks[fact.name] = fact.to
        else:
            marks.pop(fact.name, None)

    def _apply_changes(self, number: FrameId) -> None:
        """Apply the deferred changes of a frame. In a new lane it comes last."""
        old = new = self._frames[number]
        for fact in self._changes.pop(number):
            new = change_frame(new, fact)
        if new.lane != old.lane:
            del self._frames[number]
        self._frames[number] = new

    def _store_rows(self) -> None:
        if self._rows:
            places = self._draft.writable_places()
            for place, row in self._rows.items():
                places[place] = tuple(row)
            self._rows.clear()

    def _flush(self) -> None:
        draft = self._draft
        self._store_rows()
        for on, marks in self._marks.items():
            if on is None:
                draft.marks = marks
            else:
                draft.writable_seats()[on] = marks
        self._marks.clear()
        for number in tuple(self._changes):
            self._apply_changes(number)
        for name in LANES:
            setattr(draft, name, tuple([frame for frame in self._frames.values() if frame.lane == name]))

    def freeze(self) -> Table:
        if not self._one_by_one:
            self._flush()
        return self._draft.freeze()
