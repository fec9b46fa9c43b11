"""The way back of a match: what stood after its entries, as far as a rewind may ask for it, in little memory.

A rewind may go to any entry that leads to where the match stands. To keep what stood after each of them would take as
much memory as the match is long. So all of the last ones are kept, and the further back, the fewer of them; what lies
between is found again from the one before it. Of the entries themselves only runs of their numbers are kept.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from typing import Generic, TypeVar

State = TypeVar("State")

NEAR = 32
"""So many of the last states are all kept; of those up to twice as far back every second one, and so on."""


class WayBack(Generic[State]):
    """The states after the entries that lead to the last one.

    `again(state, number)` must give the state after entry `number` from the one after the entry before it on the line;
    it is asked when a rewind goes to where no state was kept. A rewind that stands on the line changes nothing there:
    the entry before it on the line is the one it went back to.
    """

    def __init__(self, again: Callable[[State, int], State]) -> None:
        self._again = again
        self._count = 0
        self._length = 0
        # The line as runs of entries without a gap: the number of the first of each, and its place on the line, from 1.
        self._firsts, self._places = array("q"), array("q")
        self._kept: dict[int, State] = {}
        self._pinned: set[int] = set()

    def add(self, state: State, pinned: bool = False) -> None:
        """The next entry, and what stands after it. `pinned`: it does not follow from the entry before it."""
        self._count += 1
        self._length += 1
        if not self._firsts or self._firsts[-1] + self._length - self._places[-1] != self._count:
            self._firsts.append(self._count)
            self._places.append(self._length)
        if pinned or self._length == 1:
            self._pinned.add(self._length)
        self._keep(self._length, state)

    def back(self, to: int) -> State | None:
        """What stood after entry `to`, from which the line goes on now; None if it does not lead to the last entry."""
        place = self._place(to)
        if place is None:
            return None
        self._length = place
        while self._places[-1] > place:
            self._places.pop()
            self._firsts.pop()
        while (nearest := next(reversed(self._kept))) > place:
            del self._kept[nearest]
            self._pinned.discard(nearest)
        state = self._kept[nearest]
        for one in range(nearest + 1, place + 1):
            state = self._again(state, self._number(one))
            self._keep(one, state)
        return state

    @property
    def held(self) -> int:
        """How many states are kept."""
        return len(self._kept)

    def _place(self, number: int) -> int | None:
        run = bisect_right(self._firsts, number) - 1
        if run < 0:
            return None
        place = self._places[run] + number - self._firsts[run]
        last = self._places[run + 1] - 1 if run + 1 < len(self._places) else self._length
        return place if place <= last else None

    def _number(self, place: int) -> int:
        run = bisect_right(self._places, place) - 1
        return self._firsts[run] + place - self._places[run]

    def _keep(self, place: int, state: State) -> None:
        self._kept[place] = state
        # A place that 2**n divides, but no higher power, is kept until it lies NEAR * 2**n behind: then the place that
        # is added is divided by the same power and no higher one, so that at most one falls away with each.
        old = place - NEAR * (place & -place)
        if old > 0 and old not in self._pinned:
            self._kept.pop(old, None)
