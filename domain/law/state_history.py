"""History of states for rewinds, in little memory.

A rewind may go to any entry of the present line. Keeping every state would take memory in proportion to the match. So
all recent states are kept, and fewer of the older ones. States in between are recomputed from the one before. States of
abandoned lines are not kept. Restoring one recomputes every entry from the fork. The entries themselves are stored as
runs of numbers.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from typing import Final, Generic, TypeVar

State = TypeVar("State")

RECENT_STATES: Final = 32
"""Number of latest states that are all kept. Up to twice as far back every second one is kept, and so on."""


class StateHistory(Generic[State]):
    """The states after the entries of the present line. `again(state, number)` must return the state after entry
    `number`, given the state before it on its line. For a rewind it must return the given state."""

    def __init__(self, again: Callable[[State, int], State]) -> None:
        self._again = again
        self._count = 0
        self._length = 0
        # The line as runs of consecutive entries: the number of each run's first entry, and its place from 1.
        self._firsts, self._places = array("q"), array("q")
        # Entries that do not follow the preceding one in the log, and the entries that they follow instead.
        self._jumps, self._origins = array("q"), array("q")
        self._states: dict[int, State] = {}

    def add(self, state: State) -> None:
        self._count += 1
        before = self._number(self._length) if self._length else 0
        if before != self._count - 1 or not before:
            self._jumps.append(self._count)
            self._origins.append(before)
        self._extend(self._count, state)

    def rewind_to(self, to: int) -> State | None:
        """Return the state after entry `to` of the line, and continue the line from it; None if `to` is not on it."""
        place = self._place(to)
        if place is None:
            return None
        self._length = place
        while self._places[-1] > place:
            self._places.pop()
            self._firsts.pop()
        while (nearest := next(reversed(self._states))) > place:
            del self._states[nearest]
        state = self._states[nearest]
        for at in range(nearest + 1, place + 1):
            state = self._again(state, self._number(at))
            self._keep(at, state)
        return state

    def restore(self, to: int) -> State | None:
        """Return the state after entry `to` of an abandoned line, and continue the line from it; None if there is none.
        Every entry after the fork of the two lines is recomputed."""
        if not 1 <= to <= self._count or self._place(to) is not None:
            return None
        runs: list[range] = []
        while (fork := self._last_on_line(to)) is None:
            jump = self._jump(to)
            runs.append(range(self._jumps[jump], to + 1))
            to = self._origins[jump]
        runs.append(range(fork + 1, to + 1))
        state = self.rewind_to(fork)
        assert state is not None
        for run in reversed(runs):
            for number in run:
                state = self._again(state, number)
                self._extend(number, state)
        return state

    @property
    def state_count(self) -> int:
        return len(self._states)

    def _extend(self, number: int, state: State) -> None:
        self._length += 1
        if not self._firsts or self._firsts[-1] + self._length - self._places[-1] != number:
            self._firsts.append(number)
            self._places.append(self._length)
        self._keep(self._length, state)

    def _jump(self, number: int) -> int:
        """Return the index of the last jump up to an entry. From that jump to the entry, each follows the preceding
        one."""
        return bisect_right(self._jumps, number) - 1

    def _last_on_line(self, number: int) -> int | None:
        """Return the last entry on the line in the run of consecutive entries that ends at `number`; None if there is
        none."""
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
        self._states[place] = state
        # Keep a place divisible by 2**n, but by no higher power, until it lies RECENT_STATES * 2**n back. Then the
        # added place is divisible by the same power, so that each addition drops at most one state.
        old = place - RECENT_STATES * (place & -place)
        if old > 1:
            self._states.pop(old, None)
