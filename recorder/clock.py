"""Clocks. Wall-clock time is evidence stored with an entry, never an input to rules."""

from time import monotonic, sleep, time


def read_wall_clock() -> int:
    """Return milliseconds since 1970, UTC."""
    return int(time() * 1000)


def read_monotonic_seconds() -> float:
    """Return monotonic seconds, for measuring durations."""
    return monotonic()


def pause(seconds: float) -> None:
    sleep(seconds)
