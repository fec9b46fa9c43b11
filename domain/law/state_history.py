"""The way back of a match: what stood after its entries, as far as a rewind may ask for it, in little memory.

A rewind may go to any entry that leads to where the match stands. To keep what stood after each of them would take as
much memory as the match is long. So all of the last ones are kept, and the further back, the fewer of them; what lies
between is found again from the one before it. A line that was left is not kept at all: who takes it up again pays for
every entry from where it parted. Of the entries themselves only runs of their numbers are kept.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from typing import Final, Generic, TypeVar

State = TypeVar("State")

NEAR: Final = 32
"""So many of the last states are all kept; of those up to twice as far back every second one, and so on."""


class StateHistory(Generic[State]):
    """The states after the entries that lead to the last one.

    `again(state, number)` must give the state after entry `number` from the one after the entry before it on its line;
    it is asked when a rewind goes to where no state was kept. A rewind that stands on a line changes nothing there: the
    entry before it on the line is the one it went back to.
    """

    def __init__(self, again: Callable[[State, int], State]) -> None:
        self._again = again
        self._count = 0
        self._length = 0
        # The line as runs of entries without a gap: the number of the first of each, and its place on the line, from 1.
        self._firsts, self._places = array("q"), array("q")
        # The entries that do not follow the one before them in the log, and what each of them follows instead.
        self._jumps, self._origins = array("q"), array("q")
        self._kept: dict[int, State] = {}

    def add(self, state: State) -> None:
        """The next entry, and what stands after it."""
        self._count += 1
        before = self._number(self._length) if self._length else 0
        if before != self._count - 1 or not before:
            self._jumps.append(self._count)
            self._origins.append(before)
        self._extend(self._count, state)

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
        state = self._kept[nearest]
        for at in range(nearest + 1, place + 1):
            state = self._again(state, self._number(at))
            self._keep(at, state)
        return state

    def restore(self, to: int) -> State | None:
        """What stood after entry `to` of a line that was left, which the line goes on from now; None if there is none.

        Every entry is found again from where the two lines part.
        """
        if not 1 <= to <= self._count or self._place(to) is not None:
            return None
        ahead: list[range] = []
        while (fork := self._last_on_line(to)) is None:
            jump = self._jump(to)
            ahead.append(range(self._jumps[jump], to + 1))
            to = self._origins[jump]
        ahead.append(range(fork + 1, to + 1))
        state = self.back(fork)
        assert state is not None
        for run in reversed(ahead):
            for number in run:
                state = self._again(state, number)
                self._extend(number, state)
        return state

    @property
    def state_count(self) -> int:
        """How many states are kept."""
        return len(self._kept)

    def _extend(self, number: int, state: State) -> None:
        """One more entry at the end of the line."""
        self._length += 1
        if not self._firsts or self._firsts[-1] + self._length - self._places[-1] != number:
            self._firsts.append(number)
            self._places.append(self._length)
        self._keep(self._length, state)

    def _jump(self, number: int) -> int:
        """Which jump stands last before an entry or is that entry: from there to it each follows the one before it."""
        return bisect_right(self._jumps, number) - 1

    def _last_on_line(self, number: int) -> int | None:
        """Of the entries that follow each other up to this one without a jump, the last one that is on the line."""
        first = self._jumps[self._jump(number)]
        if self._place(first) is None:
            return None
        run = bisect_right(self._firsts, first) - 1
        return min(number, self._firsts[run] + self._run_end(run) - self._places[run])

    def _run_end(self, run: int) -> int:
        return self._places[run + 1] - 1 if run + 1 < len(self._places) else self._length

    def _place(self, number: int) -> int | None:
        run = bisect_right(self._firsts, number) - 1
        if run < 0:
            return None
        place = self._places[run] + number - self._firsts[run]
        return place if place <= self._run_end(run) else None

    def _number(self, place: int) -> int:
        run = bisect_right(self._places, place) - 1
        return self._firsts[run] + place - self._places[run]

    def _keep(self, place: int, state: State) -> None:
        self._kept[place] = state
        # A place that 2**n divides, but no higher power, is kept until it lies NEAR * 2**n behind: then the place that
        # is added is divided by the same power and no higher one, so that at most one falls away with each.
        old = place - NEAR * (place & -place)
        if old > 1:
            self._kept.pop(old, None)
