"""Selection of seeds and tests for a run: some each day, or all in a nightly run.

Environment variables pass the choices of a run to its workers.
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
    """Set the choices of this run.

    `seed` defaults to the environment or the number of the day. A run of the `whole` suite rotates its slowest modules.
    """
    if seed is not None:
        environ[SEED] = str(seed)
    environ.setdefault(SEED, str(datetime.now(UTC).date().toordinal()))
    environ[NIGHTLY] = "1" if nightly else ""
    environ[WHOLE] = "1" if whole else ""


def seed() -> int:
    return int(environ.get(SEED, "0"))


def is_nightly() -> bool:
    """True if this run takes everything."""
    return bool(environ.get(NIGHTLY))


def takes_turns() -> bool:
    return bool(environ.get(WHOLE)) and not is_nightly()


def rotate(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return `count` adjacent items, different ones each day; all items in a nightly run."""
    if is_nightly() or count >= len(items):
        return tuple(items)
    return in_turn(items, count)[:count]


def in_turn(items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return all items, starting with those that `rotate` takes, for tests that continue until they have enough."""
    start = seed() * count % len(items)
    return (*items[start:], *items[:start])
