"""Paired windows: two pieces of comparable work alternate (A B B A), and only their ratio is reported.

Other load, CPU frequency and a slow disk affect both sides of a pair alike, but distort a single rate. A row's ratio is
the median over its pairs. The control pairs the same work with itself.
"""

from collections.abc import Callable, Sequence
from statistics import median, quantiles
from time import perf_counter

from msgspec import Struct

CONTROL_LEAST, CONTROL_MOST = 0.95, 1.05
"""Range of a valid control. Outside it, other load dominates the run."""

Work = Callable[[], int]
"""One round of work. Returns the number of units done."""


class Effort(Struct, frozen=True):
    """Pairs of windows to measure, and the minimum seconds of a window."""

    pairs: int
    seconds: float


FULL = Effort(pairs=11, seconds=0.3)
QUICK = Effort(pairs=1, seconds=0.0)
"""One round each, as a smoke test."""
LONG_PAIRS_MAX = 5
"""Most pairs if a window takes seconds."""


class Ratio(Struct, frozen=True):
    """Our rate over theirs: median and quartiles over the pairs. `ours` and `theirs` are median rates in units per
    second."""

    middle: float
    low: float
    high: float
    ours: float
    theirs: float


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """One row of the table. A row without `ratio` reports a rate or a size.

    `budget` is a promised minimum and `most` a promised maximum. They apply to the ratio, or to `ours` without one.
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
        """True if the row meets its budget, or the control is near 1. None if nothing is promised."""
        found = self.ours if self.ratio is None else self.ratio.middle
        if self.control:
            return CONTROL_LEAST <= found <= CONTROL_MOST
        if self.budget is None and self.most is None:
            return None
        return (self.budget is None or found >= self.budget) and (self.most is None or found <= self.most)


class SkippedRow(Struct, frozen=True):
    """A row that was not measured, and the reason."""

    name: str
    why: str


def measure_pair(ours: Work, theirs: Work, effort: Effort) -> Ratio:
    """Measure two pieces of work in turns. Both run once beforehand as a warm-up."""
    ours(), theirs()
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(effort.pairs):
        first, second, third, fourth = (window(work, effort) for work in (ours, theirs, theirs, ours))
        rates[0].append((first + fourth) / 2)
        rates[1].append((second + third) / 2)
    return over_pairs(*rates)


def over_pairs(ours: Sequence[float], theirs: Sequence[float]) -> Ratio:
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    low, middle, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return Ratio(middle, low, high, median(ours), median(theirs))


def rate(work: Work, effort: Effort) -> float:
    """Return the units per second of work without a reference: the median over two windows per pair."""
    work()
    return median(window(work, effort) for _ in range(2 * effort.pairs))


def window(work: Work, effort: Effort) -> float:
    """Return the units per second in one window."""
    units, began = 0, perf_counter()
    while True:
        units += work()
        spent = perf_counter() - began
        if spent >= effort.seconds and units:
            return units / spent
