"""Files that are whole or not there, and what is let go of when a `with` ends."""

import os
from pathlib import Path
from typing import Self


def write_whole(path: Path, data: bytes) -> None:
    """Write a whole file or none. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


class Closing:
    """Something open, to be closed or used in a `with`."""

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
