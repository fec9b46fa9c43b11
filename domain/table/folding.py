"""Many facts at once, of which only the table behind the last is wanted.

Nobody looks at what comes between, so what facts change over and over is kept in a form that is quickly changed: a
clock is only remembered, places are lists and marks dicts of their own, frames lie by their ids (a dict keeps the order
in which they came, as each lane of a table does), and what changes a frame waits until somebody wants it: most are gone
by then. That folding comes to the same as letting one fact happen after the other is a law of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, change
from domain.table.facts import Altered, Clocked, Marked, Moved, Popped, Pushed
from domain.table.table import LANES, CardId, Frame, FrameId, Piece, Place, Seat, Table, area

ORDERED: Final = frozenset((F.Created, F.Removed, F.Arranged))
"""The facts about what lies in places, but for moves."""


class Folding:
    """A table to which facts happen that nobody looks at in between."""

    __slots__ = ("_changes", "_draft", "_frames", "_marks", "_one_by_one", "_rows")

    def __init__(self, table: Table) -> None:
        self._draft = Draft(table)
        self._rows: dict[Place, list[CardId]] = {}
        self._marks: dict[Seat | None, dict[str, int]] = {}
        frames = [frame for name in LANES for frame in getattr(table, name)]
        self._frames: dict[FrameId, Frame] = {frame.id: frame for frame in frames}
        self._changes: dict[FrameId, list[Altered]] = {}
        self._one_by_one = len(self._frames) != len(frames)
        """Two frames have the same id, so it does not say which is meant."""

    def apply(self, told: Iterable[tuple[Any, Any]]) -> None:
        """Let these facts happen, each told by some clause."""
        coming = iter(told)
        if self._one_by_one:
            self._evolve(coming)
            return
        draft, frames, changes = self._draft, self._frames, self._changes
        for _, fact in coming:
            kind = type(fact)
            if kind is Clocked:
                draft.clock = fact.clock
            elif kind is Moved:
                self._move(fact)
            elif kind is Pushed:
                frame = fact.frame
                number = frame.id
                if number in frames:
                    self._settle()
                    self._one_by_one = True
                    EVOLVE[kind](draft, fact)
                    self._evolve(coming)
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
                    self._change(number)
            elif kind is Marked and type(fact.on) is not tuple:
                self._mark(fact)
            else:
                if kind in ORDERED:
                    self._order()
                EVOLVE[kind](draft, fact)

    def _evolve(self, coming: Iterator[tuple[Any, Any]]) -> None:
        for _, fact in coming:
            EVOLVE[type(fact)](self._draft, fact)

    def _move(self, fact: Moved) -> None:
        draft, rows, cards, to, up = self._draft, self._rows, fact.cards, fact.to, fact.up
        pieces = draft.own_pieces()
        within = area(to) if ":" in to else to
        for card in cards:
            old = pieces[card]
            origin = old.place
            row = rows[origin] if origin in rows else self._take_up(origin)
            row.remove(card)
            if origin == to or (within is not to and area(origin) == within):
                pieces[card] = Piece(
                    old.face, old.owner, old.controller, to, old.thing, up, old.stance, old.host, old.seen, old.marks
                )
            else:
                draft.minted = thing = draft.minted + 1
                owner = old.owner
                pieces[card] = Piece(old.face, owner, owner, to, thing, up)
        row = rows[to] if to in rows else self._take_up(to)
        if fact.at < 0:
            row.extend(cards)
        else:
            row[fact.at : fact.at] = cards

    def _take_up(self, place: Place) -> list[CardId]:
        """A place as a list of our own; one that is new on the table stands there from now on."""
        row = self._rows[place] = list(self._draft.own_places().setdefault(place, ()))
        return row

    def _mark(self, fact: Marked) -> None:
        """Something about a seat or about the table."""
        on = fact.on
        assert not isinstance(on, tuple)
        marks = self._marks.get(on)
        if marks is None:
            marks = self._marks[on] = dict(self._draft.marks if on is None else self._draft.seats[on])
        if fact.to:
            marks[fact.name] = fact.to
        else:
            marks.pop(fact.name, None)

    def _change(self, number: FrameId) -> None:
        """What waits to change a frame changes it; in another lane it comes last."""
        old = new = self._frames[number]
        for fact in self._changes.pop(number):
            new = change(new, fact)
        if new.lane != old.lane:
            del self._frames[number]
        self._frames[number] = new

    def _order(self) -> None:
        """The places as they are now, on the draft."""
        if self._rows:
            places = self._draft.own_places()
            for place, row in self._rows.items():
                places[place] = tuple(row)
            self._rows.clear()

    def _settle(self) -> None:
        """All as it is now, on the draft."""
        draft = self._draft
        self._order()
        for on, marks in self._marks.items():
            if on is None:
                draft.marks = marks
            else:
                draft.own_seats()[on] = marks
        self._marks.clear()
        for number in tuple(self._changes):
            self._change(number)
        for name in LANES:
            setattr(draft, name, tuple([frame for frame in self._frames.values() if frame.lane == name]))

    def freeze(self) -> Table:
        """The table behind all of them."""
        if not self._one_by_one:
            self._settle()
        return self._draft.freeze()
