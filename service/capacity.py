"""How much room there is: so many may be connected at once, and follow, as the system lets this process open files."""

import resource
from typing import Final

from msgspec import Struct

FILES: Final = 16_384
"""So many open files it asks the system for; a connection is one."""
OWN: Final = 512
"""So many of them it needs itself: the store in every thread, the keys, the processes that do jobs."""
FILES_MIN: Final = 2 * OWN
"""With fewer it does not begin."""
STREAMS_MAX: Final = 8_000
"""More do not follow at once, for each takes memory while nothing happens."""
STREAMS_SHARE: Final = 3, 4
"""So large a part of all connections may be streams: whoever asks for something finds the rest."""


class Capacity(Struct, frozen=True):
    """How many connections may be open at once, and how many of them may be streams."""

    connections: int
    streams: int


class TooFewFiles(Exception):
    """The system lets this process open so few files that it could not serve."""

    def __init__(self, files: int) -> None:
        super().__init__(files)
        self.files = files


def request_capacity() -> Capacity:
    """The room there is when this process may open as many files as the system lets it. Raises TooFewFiles."""
    files = _raise_files()
    if files < FILES_MIN:
        raise TooFewFiles(files)
    return compute_capacity(files)


def compute_capacity(files: int) -> Capacity:
    """The room of a process that may open so many files."""
    connections = min(files, FILES) - OWN
    part, whole = STREAMS_SHARE
    return Capacity(connections, min(STREAMS_MAX, connections * part // whole))


def _raise_files() -> int:
    """Let this process open as many files as it asks for, or as it may; how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # what is said to be without end need not be
        return soft
    return wanted
