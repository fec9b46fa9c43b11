"""Wall-clock time: evidence beside an entry, never input to rules."""

from time import sleep, time


def now() -> int:
    """Milliseconds since 1970, UTC."""
    return int(time() * 1000)


def pause(seconds: float) -> None:
    """Let some time pass."""
    sleep(seconds)
