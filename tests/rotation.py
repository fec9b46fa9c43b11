"""Which seeds and tests a run of the suite takes: some of them by the day, or all of them in a nightly run.

The environment carries the choices of a run to its workers.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from os import environ
from typing import TypeVar

SEED = "SHINPAN_SUITE_SEED"
NIGHTLY = "SHINPAN_SUITE_NIGHTLY"
WHOLE = "SHINPAN_SUITE_WHOLE"
T = TypeVar("T")


def choose(seed: int | None, *, nightly: bool, whole: bool) -> None:
    """Set the choices of this run: its seed (None: the number of the day, or the one set already), whether it is
    nightly, and whether it is of the whole suite, so that its slowest modules take turns."""
    if seed is not None:
        environ[SEED] = str(seed)
    environ.setdefault(SEED, str(datetime.now(UTC).date().toordinal()))
    environ[NIGHTLY] = "1" if nightly else ""
    environ[WHOLE] = "1" if whole else ""


def seed() -> int:
    """Return the seed of this run."""
    return int(environ.get(SEED, "0"))


def is_nightly() -> bool:
    """True if this run takes everything."""
    return bool(environ.get(NIGHTLY))


def takes_turns() -> bool:
    """True if slow modules run only some of their tests."""
    return bool(environ.get(WHOLE)) and not is_nightly()


def rotate(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return `count` neighbours among the items, other ones each day; all items in a nightly run."""
    if is_nightly() or count >= len(items):
        return tuple(items)
    return in_turn(items, count)[:count]


def in_turn(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return all items, those first that `rotate` takes: a test may go on until it has seen enough."""
    start = seed() * count % len(items)
    return (*items[start:], *items[:start])
