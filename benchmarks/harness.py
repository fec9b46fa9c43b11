"""Paired windows: two ways of doing comparable work take turns (A B B A), and only the ratio of the two is believed.

Neighbours on the machine, a warming clock and a slow disk strike both sides of a pair alike; a rate alone would carry
all of that. The ratio of a row is the median over its pairs, and a pair of the same work with itself is the control.
"""

from collections.abc import Callable, Sequence
from statistics import median, quantiles
from time import perf_counter

from msgspec import Struct

CONTROL_LEAST, CONTROL_MOST = 0.95, 1.05
"""A run whose controls lie outside these says more about its neighbours than about us."""

Work = Callable[[], int]
"""One round of work; returns how many units it did."""


class Effort(Struct, frozen=True):
    """How long to measure: pairs of windows, and the least length of a window."""

    pairs: int
    seconds: float


FULL = Effort(pairs=11, seconds=0.3)
QUICK = Effort(pairs=1, seconds=0.0)
"""One round of each, to see that everything runs."""
LONG_PAIRS = 5
"""At most so many pairs where a window takes seconds."""


class Ratio(Struct, frozen=True):
    """Ours over theirs: median and quartiles over the pairs, and both rates (units a second) as medians."""

    middle: float
    low: float
    high: float
    ours: float
    theirs: float


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """One line of the table. A row without a `ratio` only says a rate or a size.

    What is promised is a least ratio (`budget`) or a most (`most`), of `ours` itself where there is no ratio.
    """

    group: str
    name: str
    unit: str
    ours: float
    peer: str = ""
    ratio: Ratio | None = None
    budget: float | None = None
    most: float | None = None
    aim: float | None = None
    control: bool = False

    @property
    def met(self) -> bool | None:
        """Is the budget kept (for a control: is it near 1)? None if nothing was promised."""
        found = self.ours if self.ratio is None else self.ratio.middle
        if self.control:
            return CONTROL_LEAST <= found <= CONTROL_MOST
        if self.budget is None and self.most is None:
            return None
        return (self.budget is None or found >= self.budget) and (self.most is None or found <= self.most)


class SkippedRow(Struct, frozen=True):
    """A row that is not there, and why."""

    name: str
    why: str


def measure_pair(ours: Work, theirs: Work, effort: Effort) -> Ratio:
    """Measure two works in turns. Both run once beforehand, unmeasured."""
    ours(), theirs()
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(effort.pairs):
        first, second, third, fourth = (window(work, effort) for work in (ours, theirs, theirs, ours))
        rates[0].append((first + fourth) / 2)
        rates[1].append((second + third) / 2)
    return over_pairs(*rates)


def over_pairs(ours: Sequence[float], theirs: Sequence[float]) -> Ratio:
    """What pairs of figures come to."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    low, middle, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return Ratio(middle, low, high, median(ours), median(theirs))


def rate(work: Work, effort: Effort) -> float:
    """Units a second of work that nothing is held against: the median over as many windows as a pair's side gets."""
    work()
    return median(window(work, effort) for _ in range(2 * effort.pairs))


def window(work: Work, effort: Effort) -> float:
    """Units a second in one window."""
    units, began = 0, perf_counter()
    while True:
        units += work()
        spent = perf_counter() - began
        if spent >= effort.seconds and units:
            return units / spent
