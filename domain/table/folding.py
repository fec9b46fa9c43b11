"""Many facts at once, of which only the table behind the last is wanted.

Nobody looks at what comes between, so a clock is only remembered, frames lie by their ids (a dict keeps the order in
which they came, as a table does), and what changes a frame waits until somebody wants it: most are gone by then. That
folding comes to the same as letting one fact happen after the other is a law of its own.
"""

from collections.abc import Iterable
from typing import Any, Final

from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, change
from domain.table.table import LANES, Frame, Table

FLOW: Final = frozenset((F.Pushed, F.Altered, F.Popped))
"""The facts about frames."""


class Folding:
    """A table to which facts happen that nobody looks at in between."""

    __slots__ = ("_changes", "_draft", "_lane_of", "_lanes", "_one_by_one")

    def __init__(self, table: Table) -> None:
        self._draft = Draft(table)
        self._one_by_one = False
        self._lanes: dict[str, dict[int, Frame]] = {}
        self._lane_of: dict[int, str] = {}
        self._changes: dict[int, list[F.Altered]] = {}
        self._take_up()

    def _take_up(self) -> None:
        """The frames of the draft by their ids; where two have the same id, facts happen one by one."""
        draft, frames = self._draft, 0
        for name in LANES:
            row: tuple[Frame, ...] = getattr(draft, name)
            frames += len(row)
            self._lanes[name] = {frame.id: frame for frame in row}
            for frame in row:
                self._lane_of[frame.id] = name
        self._one_by_one = len(self._lane_of) != frames

    def apply(self, told: Iterable[tuple[Any, Any]]) -> None:
        """Let these facts happen, each told by some clause."""
        draft, lanes, lane_of, changes = self._draft, self._lanes, self._lane_of, self._changes
        for _, fact in told:
            kind = type(fact)
            if kind is F.Clocked and not self._one_by_one:
                draft.clock = fact.clock
            elif kind not in FLOW or self._one_by_one:
                EVOLVE[kind](draft, fact)
            elif kind is F.Altered:
                name = lane_of.get(fact.id)
                if name is None:
                    continue
                if fact.lane is not None and fact.lane != name:
                    lanes[fact.lane][fact.id] = lanes[name].pop(fact.id)
                    lane_of[fact.id] = fact.lane
                changes.setdefault(fact.id, []).append(fact)
            elif kind is F.Popped:
                name = lane_of.pop(fact.id, None)
                if name is not None:
                    del lanes[name][fact.id]
                    changes.pop(fact.id, None)
            elif fact.frame.id in lane_of:
                self._settle()
                self._one_by_one = True
                EVOLVE[kind](draft, fact)
            else:
                frame = fact.frame
                lanes[frame.lane][frame.id] = frame
                lane_of[frame.id] = frame.lane
                draft.framed = max(draft.framed, frame.id)

    def _settle(self) -> None:
        """The frames as they are now, on the draft."""
        for number, facts in self._changes.items():
            frames = self._lanes[self._lane_of[number]]
            for fact in facts:
                frames[number] = change(frames[number], fact)
        self._changes.clear()
        for name in LANES:
            setattr(self._draft, name, tuple(self._lanes[name].values()))

    def freeze(self) -> Table:
        """The table behind all of them."""
        if not self._one_by_one:
            self._settle()
        return self._draft.freeze()
