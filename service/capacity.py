"""Connections and streams that the file descriptor limit of this process allows."""

import resource
from typing import Final

from msgspec import Struct

FILES: Final = 16_384
"""File descriptors to request at startup. Each connection takes one."""
RESERVED_FILES: Final = 512
"""Descriptors reserved for the service: the store in every thread, the keys, the job processes."""
FILES_MIN: Final = 2 * RESERVED_FILES
"""The service does not start with fewer."""
STREAMS_MAX: Final = 8_000
"""Streams at most, since each holds memory while idle."""
STREAMS_SHARE: Final = 3, 4
"""Share of the connections that may be streams, so that ordinary requests still get through."""


class Capacity(Struct, frozen=True):
    """Connections that may be open at once, and how many of them may be streams."""

    connections: int
    streams: int


class TooFewFiles(Exception):
    """The file descriptor limit is too low to serve."""

    def __init__(self, files: int) -> None:
        super().__init__(files)
        self.files = files


def request_capacity() -> Capacity:
    """Raise the file descriptor limit and return the capacity. Raises TooFewFiles."""
    files = _raise_files()
    if files < FILES_MIN:
        raise TooFewFiles(files)
    return compute_capacity(files)


def compute_capacity(files: int) -> Capacity:
    connections = min(files, FILES) - RESERVED_FILES
    part, whole = STREAMS_SHARE
    return Capacity(connections, min(STREAMS_MAX, connections * part // whole))


def _raise_files() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # the system may refuse even below an infinite hard limit
        return soft
    return wanted
