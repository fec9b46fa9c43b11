"""Which seeds a run of the suite takes: some of them by the day, or all of them in a nightly run.

The environment carries both choices, so that every worker of a run makes the same ones.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from os import environ
from typing import TypeVar

SEED = "SHINPAN_SUITE_SEED"
NIGHTLY = "SHINPAN_SUITE_NIGHTLY"
T = TypeVar("T")


def choose(seed: int | None, *, nightly: bool) -> None:
    """Set the seed of this run (None: the number of the day, or the one set already) and whether it is nightly."""
    if seed is not None:
        environ[SEED] = str(seed)
    environ.setdefault(SEED, str(datetime.now(UTC).date().toordinal()))
    environ[NIGHTLY] = "1" if nightly else ""


def seed() -> int:
    """Return the seed of this run."""
    return int(environ.get(SEED, "0"))


def is_nightly() -> bool:
    """True if this run takes everything."""
    return bool(environ.get(NIGHTLY))


def rotate(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return `count` neighbours among the items, other ones each day; all items in a nightly run."""
    if is_nightly() or count >= len(items):
        return tuple(items)
    return in_turn(items, count)[:count]


def in_turn(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return all items, those first that `rotate` takes: a test may go on until it has seen enough."""
    start = seed() * count % len(items)
    return (*items[start:], *items[:start])
