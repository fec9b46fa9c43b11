"""Files that are whole or not there, and what is let go of when a `with` ends."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Self

SUFFIXES = (".spn", ".jsonl")
"""How the names of text files end that hold a match."""
PRIVATE = 0o600
"""The permissions of a file for its owner alone."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a whole file or none. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def open_regular(path: Path) -> BinaryIO:
    """Open a file to read. Raises OSError, for a pipe or device too, on which a reader could wait for ever."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), str(path))
    return path.open("rb")


def create_private(path: Path, data: bytes = b"") -> None:
    """Create a file that only its owner can read. Raises OSError, a FileExistsError if there is one of that name."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as file:
        file.write(data)


def write_private(path: Path, data: bytes) -> None:
    """Write a whole new file that only its owner can read, and wait until it is on disk. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        create_private(half, data)
        sync(half)
        half.replace(path)
        sync(path.parent)
    finally:
        half.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(file: BinaryIO) -> bool:
    """Keep other programs from writing to a file while it is open, where the system can; False if one does already.

    Raises OSError where the file system has no locks.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Closeable:
    """Something open, to be closed or used in a `with`."""

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
