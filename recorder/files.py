"""Files that are whole or not there, and what is let go of when a `with` ends."""

import os
from pathlib import Path
from typing import BinaryIO, Self


def write_whole(path: Path, data: bytes) -> None:
    """Write a whole file or none. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


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


class Closing:
    """Something open, to be closed or used in a `with`."""

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
