"""The library's recorder on an SQLite file."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from threading import Lock
from time import monotonic, sleep
from uuid import uuid4

from eventsourcing.persistence import IntegrityError, ProgrammingError
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment

from recorder.library.cursor import Cursor, SqlRow
from recorder.library.entries import EntryLog, EntryWriter, Head, common_settings
from recorder.library.odd_text import read_text
from recorder.library.schema import STATEMENTS
from recorder.rows import WriteBatch
from recorder.watch import Watch

LOCK_PAUSE = 0.01
"""Seconds between attempts at operations that SQLite does not wait for itself."""


class EntryRecorder(EntryWriter, SQLiteApplicationRecorder):
    place = "rowid"
    clear_names = "DELETE FROM names"

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._in_memory = self.datastore.pool.is_sqlite_memory_mode
        self._writing, self._reading = Lock(), Lock()
        self._lock_timeout = self.datastore.pool.lock_timeout or 0
        self._writer: sqlite3.Cursor | None = None
        self._reader: sqlite3.Connection | None = None
        self._closed = False
        self.watch: Watch | None = None

    def construct_create_table_statements(self) -> list[str]:
        return [*STATEMENTS]

    def write(self, *writings: WriteBatch) -> None:
        """Write rows of one or more matches, all or none.

        The library's `put` creates three unused objects per entry, and taking a connection from its pool costs a third
        of a synced commit. So this method has a connection and a cursor of its own.
        """
        heads: dict[str, Head] = {}
        if self._in_memory:
            with self.datastore.transaction(commit=True) as shared:
                for writing in writings:
                    self._insert(shared, writing, heads)
            return self._keep_heads(heads)
        began = monotonic()
        with self._writing:
            cursor, watch = self._writer, self.watch
            if cursor is None:
                cursor = self._writer = self._connect().cursor()
            now = monotonic()
            if watch is not None:
                watch.check_before_write(now)
            # Time spent waiting for other threads counts towards the lock timeout; else the last of many threads would
            # wait for all their timeouts in turn.
            waited = now - began
            try:
                if waited > LOCK_PAUSE:
                    self._wait_at_most(cursor, max(0, self._lock_timeout - waited))
                cursor.execute("BEGIN IMMEDIATE")
                for writing in writings:
                    self._insert(cursor, writing, heads)
                cursor.execute("COMMIT")
                if watch is not None:
                    watch.check()
                self._keep_heads(heads)
            except BaseException as error:
                if cursor.connection.in_transaction:
                    cursor.connection.rollback()
                if isinstance(error, sqlite3.IntegrityError):
                    raise IntegrityError(error) from error
                raise
            finally:
                if waited > LOCK_PAUSE:
                    self._wait_at_most(cursor, self._lock_timeout)

    @staticmethod
    def _wait_at_most(cursor: sqlite3.Cursor, seconds: float) -> None:
        cursor.execute(f"PRAGMA busy_timeout={int(seconds * 1000)}")

    def select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        """Return the rows of a statement, bypassing the pool."""
        if self._in_memory:
            with self.datastore.transaction(commit=False) as cursor:
                cursor.execute(statement, parameters)
                return [tuple(row) for row in cursor.fetchall()]
        with self._reading:
            if self._reader is None:
                self._reader = self._connect()
                self._reader.row_factory = None
            self._look()
            return self._reader.execute(statement, parameters).fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as connection:
            connection.row_factory = None
            connection.execute("BEGIN")
            connection.execute("SELECT 1 FROM meta").fetchall()  # the snapshot is taken by the first query
            yield connection
            self._look()

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise ProgrammingError("the store was closed")
        assert isinstance(self.datastore.pool, Pool)
        connection = self.datastore.pool.connect()
        try:
            if self.watch is not None:
                self.watch.join(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _look(self) -> None:
        if self.watch is not None:
            self.watch.check()

    def close(self) -> None:
        with self._writing, self._reading:
            for connection in (self._writer and self._writer.connection, self._reader):
                if connection is not None:
                    connection.close()
            self._writer = self._reader = None
            self._closed = True

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        with self.datastore.transaction(commit=True) as cursor:
            # The library's transaction starts as a reader, which would fail instead of waiting for another writer.
            cursor.execute("COMMIT")
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor

    def forget(self, names: Collection[tuple[str, str]]) -> bool:
        """Delete names, overwrite them with zeros, and truncate the write-ahead log."""
        with self.transaction() as c:
            c.execute("PRAGMA secure_delete=ON")
            self._forget(c, names)
        with closing(self._connect()) as checkpoint:
            busy, *_ = checkpoint.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def remove(self, c: Cursor, ids: Sequence[object]) -> None:
        """Delete the entries of a match, and move the newest remaining entry to the highest position. SQLite would give
        that position to the next entry, and followers would skip it."""
        c.execute("SELECT MAX(rowid) FROM stored_events")
        newest = c.fetchone()[0]
        super().remove(c, ids)
        c.execute(
            "UPDATE stored_events SET rowid=? WHERE rowid<? AND rowid=(SELECT MAX(rowid) FROM stored_events)",
            (newest, newest),
        )

    def tables(self) -> frozenset[str]:
        return frozenset(str(row[0]) for row in self.select("SELECT name FROM sqlite_master WHERE type='table'", ()))

    def create(self, form: int) -> None:
        with self.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                for statement in self.create_table_statements:
                    cursor.execute(statement)
                cursor.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (str(form),))
                cursor.execute("INSERT OR IGNORE INTO meta VALUES ('store', ?)", (uuid4().hex,))
            except BaseException:
                connection.rollback()
                raise
            connection.commit()


class Pool(SQLiteConnectionPool):
    """Connections whose acknowledged commits survive a power cut, unless `lasting` is false. A derived file, such as an
    index, may lose its last transactions, each completely, and is then updated again."""

    read_only = False
    lasting = True

    def _create_connection(self) -> SQLiteConnection:
        return SQLiteConnection(self.connect(), self.max_age)

    def connect(self) -> sqlite3.Connection:
        """Return a connection. The library's own caches one statement, so each write would prepare its statements."""
        connection = sqlite3.connect(
            self.db_name, timeout=self.lock_timeout or 0, uri=True, check_same_thread=False, isolation_level=None
        )
        if not (self.read_only or self.is_sqlite_memory_mode):
            _keep_wal(connection, self.lock_timeout or 0)
        connection.execute(f"PRAGMA synchronous={'FULL' if self.lasting else 'NORMAL'}")
        connection.row_factory = sqlite3.Row
        connection.text_factory = read_text
        return connection


def _keep_wal(connection: sqlite3.Connection, seconds: float) -> None:
    """Switch the file to a write-ahead log, waiting for locks, since SQLite does not wait here on a new file."""
    deadline = monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if monotonic() >= deadline:
                raise
            sleep(LOCK_PAUSE)


class EntryRecorderFactory(SQLiteFactory):
    """Gives the library's recorder our pool."""

    def __init__(self, env: Environment, read_only: bool, lasting: bool = True) -> None:
        super().__init__(env)
        given = self.datastore.pool
        self.datastore.pool = Pool(db_name=given.db_name, lock_timeout=given.lock_timeout)
        self.datastore.pool.read_only, self.datastore.pool.lasting = read_only, lasting
        given.close()


def open_log(uri: str, lock_seconds: int, read_only: bool, watch: Watch | None = None) -> EntryLog:
    """Open the library's application on an SQLite file, with a watch unless it is in memory."""
    log = EntryLog(settings(uri, lock_seconds), lambda env: EntryRecorderFactory(env, read_only))
    assert isinstance(log.entries, EntryRecorder)
    log.entries.watch = watch
    return log


def settings(uri: str, lock_seconds: int) -> dict[str, str]:
    return {**common_settings(EntryRecorder), "SQLITE_DBNAME": uri, "SQLITE_LOCK_TIMEOUT": str(lock_seconds)}
