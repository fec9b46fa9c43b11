"""Time: by the clock on the wall it is evidence beside an entry, never input to rules."""

from time import monotonic, sleep, time


def read_wall_clock() -> int:
    """Milliseconds since 1970, UTC."""
    return int(time() * 1000)


def seconds() -> float:
    """Seconds since some moment or other: how long something takes."""
    return monotonic()


def pause(seconds: float) -> None:
    """Let some time pass."""
    sleep(seconds)
