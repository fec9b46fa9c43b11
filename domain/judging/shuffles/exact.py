"""How rising sequences and neighbours are spread among all orders, and the tails of their sums, without a normal curve.

Of n! orders, as many have r rising sequences as have r - 1 descents: an Eulerian number. As many keep k pairs of
neighbours as there are ways to choose these pairs, times the orders of the n - k blocks that keep none.
"""

from cmath import exp as turned
from collections.abc import Callable, Mapping
from functools import cache
from math import ceil, comb, factorial, log, pi, sqrt
from typing import Final

Spread = Callable[[int], tuple[float, ...]]
"""How likely each number is, from 0, for a pile of so many cards."""

REACH: Final = 14
"""How many standard deviations around the middle are worked out: what lies beyond is less likely than `ROUNDING`."""
LEAST_REACH: Final = 64
ROUNDING: Final = 1e-9
"""What is added to each tail, above all that floating numbers can lose: a tail is never too small."""
NOTHING: Final = -50.0
"""The logarithm from which on a term is left out."""


@cache
def rising_spread(size: int) -> tuple[float, ...]:
    """Of a pile's orders, what share has none, one, two ... rising sequences."""
    row = [1]
    for n in range(2, size + 1):
        row = [(k + 1) * (row[k] if k < len(row) else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return (0.0, *(count / factorial(size) for count in row))


@cache
def neighbours_spread(size: int) -> tuple[float, ...]:
    """Of a pile's orders, what share keeps none, one, two ... pairs of neighbours."""
    deranged = [1, 0]
    for n in range(2, size + 1):
        deranged.append((n - 1) * (deranged[-1] + deranged[-2]))
    apart = [0, *(deranged[n] + deranged[n - 1] for n in range(1, size + 1))]
    return tuple(comb(size - 1, k) * apart[size - k] / factorial(size) for k in range(size))


def middle(spread: Spread, sizes: Mapping[int, int]) -> tuple[float, float]:
    """Mean and standard deviation of the sum over so many piles of each size."""
    mean = variance = 0.0
    for size, number in sizes.items():
        shares = spread(size)
        own = sum(k * share for k, share in enumerate(shares))
        mean += number * own
        variance += number * sum((k - own) ** 2 * share for k, share in enumerate(shares))
    return mean, sqrt(variance)


def tails(spread: Spread, sizes: Mapping[int, int], total: int) -> tuple[float, float]:
    """How likely the sum is at most, and at least, this total; neither is told too small.

    By the discrete Fourier transform: the sum's characteristic function is a product of powers, and a tail of it a
    geometric series. All of it where it is short; else a window around the middle.
    """
    most = sum(number * (len(spread(size)) - 1) for size, number in sizes.items())
    mean, deviation = middle(spread, sizes)
    width = min(most + 1, 2 * ceil(REACH * deviation) + 2 * LEAST_REACH)
    first = min(max(0, round(mean) - width // 2), most + 1 - width)
    if not first <= total < first + width:
        return (ROUNDING, 1.0) if total < first else (1.0, ROUNDING)
    at_most = below = 0.0
    kept = total - first
    for step in range(width // 2 + 1):
        share = 1 if step == 0 or 2 * step == width else 2
        angle = 2 * pi * step / width
        value = _characteristic(spread, sizes, angle)
        if value is None:
            continue
        value *= turned(complex(0, -angle * first))
        at_most += share * (value * _series(angle, kept + 1)).real
        below += share * (value * _series(angle, kept)).real
    return min(1.0, max(0.0, at_most / width) + ROUNDING), min(1.0, max(0.0, 1 - below / width) + ROUNDING)


def _characteristic(spread: Spread, sizes: Mapping[int, int], angle: float) -> complex | None:
    """The characteristic function of the sum; None where it is as good as nothing."""
    value, size_of_it = complex(1), 0.0
    step = turned(complex(0, angle))
    for size, number in sizes.items():
        own = complex(0)
        for share in reversed(spread(size)):
            own = own * step + share
        if not (length := abs(own)):
            return None
        size_of_it += number * log(length)
        if size_of_it < NOTHING:
            return None
        value *= own**number
    return value


def _series(angle: float, terms: int) -> complex:
    if angle == 0:
        return complex(terms)
    return (1 - turned(complex(0, -angle * terms))) / (1 - turned(complex(0, -angle)))
