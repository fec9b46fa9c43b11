"""Detect that the file under an open store was moved or replaced.

SQLite keeps a file open even if its name is gone, and would acknowledge entries in a file that cannot be opened again.
So the name is checked around every write and before every read.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic

from domain.words import Text
from recorder.troubles import StoreError, code_of, convert_store_errors

IDENTITY = "SELECT value FROM meta WHERE key='store'"
"""Query for the id that distinguishes a store even from its backups. A store of the first releases may have none."""

RECENT = 0.02
"""Seconds within which writes count as a series and are checked less. A full check costs a third of a write."""

FileId = tuple[int, int]


class Watch:
    """The identity of an open store's file and write-ahead log. Raises StoreError if it changes."""

    def __init__(self, path: Path) -> None:
        self.path, self._name = path, str(path)
        self._log_path = path.with_name(f"{path.name}-wal")
        self._log: FileId | None = None
        self._identity: str | None = None
        self._looked = 0.0
        try:
            status = path.stat()
        except OSError:
            raise self._make_error("store.gone") from None
        self._file, self._size, self._changed = (status.st_dev, status.st_ino), status.st_size, 0

    def join(self, connection: sqlite3.Connection) -> None:
        """Check that a new connection uses the same file and log as the others."""
        connection.execute("PRAGMA schema_version").fetchone()  # SQLite opens its log only now
        if self._identity is None:
            self._identity = _identity(connection)
        self.check()
        if self._log is None:
            self._log = _file_id(self._log_path)

    def check(self) -> None:
        """Raise StoreError if the file was moved, removed, replaced, truncated or overwritten, or its log removed."""
        size = self._size  # before the check: another thread may see the file grow meanwhile
        try:
            status = os.stat(self._name)  # noqa: PTH116 - Path.stat costs half as much again, at every write
        except OSError:
            raise self._make_error("store.gone") from None
        if (status.st_dev, status.st_ino) != self._file:
            raise self._make_error("store.replaced")
        if status.st_size < size:
            raise self._make_error("store.cut")
        if status.st_mtime_ns != self._changed:
            self._require_identity()
        self._size, self._changed = status.st_size, status.st_mtime_ns
        # Skipped in a series of writes: reading a log's times makes the next write record them exactly, which is slow.
        if (now := monotonic()) - self._looked > RECENT:
            if self._log is not None and _file_id(self._log_path) != self._log:
                raise self._make_error("store.log_gone")
            self._looked = now

    def check_before_write(self, now: float) -> None:
        """Check before a write unless it is part of a series. Every write is also checked afterwards."""
        if now - self._looked > RECENT:
            self.check()

    def _require_identity(self) -> None:
        """Check the identity after the file changed: SQLite moved its log there, or another file was copied over it."""
        if self._identity is None:
            return
        try:
            identity = self._identity_in_file()
        except sqlite3.OperationalError:
            return  # a new file whose beginning is still in the log
        except sqlite3.DatabaseError as error:
            if code_of(error) == "SQLITE_NOTADB":
                raise self._make_error("store.replaced") from None
            # During a checkpoint, part of the file is still in the log.
            identity = self._identity_through_log()
        if identity not in (None, self._identity):
            raise self._make_error("store.replaced")

    def _identity_in_file(self) -> str | None:
        """Return the identity in the file alone, bypassing log and cache. `open` cannot be used: closing it would
        release every lock that SQLite has on the file."""
        with closing(sqlite3.connect(f"{self.path.as_uri()}?immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA writable_schema=ON")  # accept a file with fewer pages than its header says
            connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
            return _identity(connection)

    def _identity_through_log(self) -> str | None:
        """Return the identity as SQLite reads it, if SQLite finds no damage. Raises StoreError."""
        name = str(self.path)
        with (
            convert_store_errors(name),
            closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as connection,
        ):
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
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
