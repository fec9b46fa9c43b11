"""Wall-clock time: evidence beside an entry, never input to rules."""

from time import time


def now() -> int:
    """Milliseconds since 1970, UTC."""
    return int(time() * 1000)
