"""Atomic, private and locked files, and a base class for resources."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Self

SUFFIXES = (".spn", ".jsonl")
"""Suffixes of text files that hold a match."""
PRIVATE = 0o600


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError, also for a pipe or device, which could block forever."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), str(path))
    return path.open("rb")


def create_private(path: Path, data: bytes = b"") -> None:
    """Create a file that only its owner can read. Raises OSError, or FileExistsError if it exists."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as file:
        file.write(data)


def write_private(path: Path, data: bytes) -> None:
    """Write a file atomically and durably, readable by its owner alone. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        create_private(temporary, data)
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file, or the list of files in a folder, is on disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(file: BinaryIO) -> bool:
    """Lock an open file against writers, where the system can; False if it is locked already. Raises OSError if the
    file system has no locks."""
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
    """A resource to close or to use in a `with`."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
