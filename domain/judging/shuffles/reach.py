"""From how many shuffles on a tilt would be found: a corpus too small for that has shown nothing."""

from collections.abc import Mapping
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

TILT: Final = 0.2
"""The tilt that is looked for: in one shuffle of five the card in front stays there, whatever else chance does."""
FOUND: Final = 0.9
"""How often it is to be found."""
STEPS: Final = 60
"""How often the number is halved or doubled in search of it."""


def found_from(number: Mapping[tuple[str, int], int], threshold: float) -> int:
    """About how many shuffles of such piles, by game and size, it takes where p must be below a threshold.

    It is found by what comes to the front. Means and deviations of that sum of squares are exact; its tails are taken
    from a curve, so the number is about right, and no test hangs on it.
    """
    recorded = sum(number.values())
    least, most = 1.0 / recorded, 1.0
    while not _finds(number, most, threshold) and most < 2.0**STEPS:
        least, most = most, most * 2
    for _ in range(STEPS):
        between = (least + most) / 2
        least, most = (least, between) if _finds(number, between, threshold) else (between, most)
    return ceil(most * recorded)


def _finds(number: Mapping[tuple[str, int], int], times: float, threshold: float) -> bool:
    """Is the tilt found often enough in so many times these shuffles?"""
    gained = null = tilted = third = 0.0
    for (_, size), count in number.items():
        shuffles, even = times * count, 1 / size
        front = even + TILT * (1 - even)
        others = (1 - front) / (size - 1)
        two = front**2 + (size - 1) * others**2
        three = front**3 + (size - 1) * others**3
        pairs = max(0.0, shuffles * (shuffles - 1))
        gained += pairs * (two - even)
        null += 2 * pairs * even * (1 - even)
        tilted += 2 * pairs * (two - two**2) + 4 * pairs * max(0.0, shuffles - 2) * (three - two**2)
        third += 8 * (shuffles * even) ** 3 * (size - 1)
    if not null:
        return False
    z = NormalDist().inv_cdf(1 - threshold)
    bound = (z + (z * z - 1) * third / (null * sqrt(null)) / 6) * sqrt(null)
    return gained >= bound + NormalDist().inv_cdf(FOUND) * sqrt(max(0.0, tilted))
