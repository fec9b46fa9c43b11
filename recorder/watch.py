"""Is the file under an open store still the one that was opened?

SQLite holds on to a file whatever becomes of its name: it would go on acknowledging entries into a file that nobody can
open any more. So the name is looked up around every write and before every read.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic

from domain.words import Text
from recorder.troubles import StoreError, clear, code_of

IDENTITY = "SELECT value FROM meta WHERE key='store'"
"""What tells this store from any other, its own backups included. Stores of the first releases have none at first."""

RECENT = 0.02
"""Seconds within which writes are one after the other, and less is looked at: all of it would cost each a third."""

FileId = tuple[int, int]


class Watch:
    """The file of a store and its write-ahead log, as they were when they were opened. Raises StoreError if not so."""

    def __init__(self, path: Path) -> None:
        self.path, self._name = path, str(path)
        self._log_path = path.with_name(f"{path.name}-wal")
        self._log: FileId | None = None
        self._identity: str | None = None
        self._looked = 0.0
        try:
            seen = path.stat()
        except OSError:
            raise self._make_error("store.gone") from None
        self._file, self._size, self._changed = (seen.st_dev, seen.st_ino), seen.st_size, 0

    def join(self, connection: sqlite3.Connection) -> None:
        """A connection has been made: it must be one to the same file and the same log as all before it."""
        connection.execute("PRAGMA schema_version").fetchone()  # only now SQLite opens its log
        if self._identity is None:
            self._identity = _identity(connection)
        self.look()
        if self._log is None:
            self._log = _file_id(self._log_path)

    def look(self) -> None:
        """Raise StoreError if the file was moved, removed, replaced, cut or written over, or its log taken away."""
        size = self._size  # before the look: another thread may see the file grow meanwhile
        try:
            seen = os.stat(self._name)  # noqa: PTH116 - of a path it costs half as much again, at every write
        except OSError:
            raise self._make_error("store.gone") from None
        if (seen.st_dev, seen.st_ino) != self._file:
            raise self._make_error("store.replaced")
        if seen.st_size < size:
            raise self._make_error("store.cut")
        if seen.st_mtime_ns != self._changed:
            self._require_identity()
        self._size, self._changed = seen.st_size, seen.st_mtime_ns
        # Not at each of many writes: whoever asks for a log's times makes the next write note them exactly, at a price.
        if (now := monotonic()) - self._looked > RECENT:
            if self._log is not None and _file_id(self._log_path) != self._log:
                raise self._make_error("store.log_gone")
            self._looked = now

    def look_again(self, now: float) -> None:
        """The same before a write, behind which it is looked at in any case: not again in the middle of many writes."""
        if now - self._looked > RECENT:
            self.look()

    def _require_identity(self) -> None:
        """The file itself was written to, as SQLite does when its log has grown; or somebody copied another over it."""
        if self._identity is None:
            return
        try:
            identity = self._identity_in_file()
        except sqlite3.OperationalError:
            return  # a new file whose beginning is still in the log
        except sqlite3.DatabaseError as error:
            if code_of(error) == "SQLITE_NOTADB":
                raise self._make_error("store.replaced") from None
            # Of a file that a checkpoint has written a part of the rest is in the log.
            identity = self._identity_through_log()
        if identity not in (None, self._identity):
            raise self._make_error("store.replaced")

    def _identity_in_file(self) -> str | None:
        """Return the identity that the file alone holds, past log and cache.

        Not by `open`: closing it would let go of every lock that SQLite has on the file.
        """
        with closing(sqlite3.connect(f"{self.path.as_uri()}?immutable=1", uri=True)) as connection:
            connection.execute(
                "PRAGMA writable_schema=ON"
            )  # a file with fewer pages than its first page counts is read
            connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
            return _identity(connection)

    def _identity_through_log(self) -> str | None:
        """Return the identity as SQLite reads it, if SQLite finds no damage. Raises StoreError."""
        name = str(self.path)
        with clear(name), closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as connection:
            if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise StoreError("corrupt", Text("store.damaged", {"store": name}))
            return _identity(connection)

    def _make_error(self, key: str) -> StoreError:
        return StoreError("replaced", Text(key, {"store": self.path}))


def _identity(connection: sqlite3.Connection) -> str | None:
    row = connection.execute(IDENTITY).fetchone()
    return None if row is None else str(row[0])


def _file_id(path: Path) -> FileId | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino
