"""The event store library, bent to our entries: own bytes, own names, the command id in the entries' transaction.

Everything that knows the library stands here; `recorder.store` is what the rest of the program sees.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from secrets import token_bytes
from threading import Lock
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, JSONTranscoder, Mapper, ProgrammingError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment, EnvType, get_topic
from msgspec import Struct

from domain.evidence import chain
from domain.law.entries import Closed, Entry
from recorder import codec
from recorder.boxes import Box, Boxes, is_encrypted
from recorder.rows import Row, Writing, row
from recorder.watch import Watch

SIDE_TABLES = (
    "CREATE TABLE IF NOT EXISTS matches (number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS commands (match TEXT, command TEXT, first INTEGER, last INTEGER,"
    " PRIMARY KEY (match, command)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS asked (match TEXT, command TEXT, hash BLOB NOT NULL,"
    " PRIMARY KEY (match, command)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS secrets (match TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS leaves (number INTEGER PRIMARY KEY, match TEXT NOT NULL, entries INTEGER NOT NULL,"
    " head BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS checkpoints (number INTEGER PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

TABLES = frozenset(("stored_events", "matches", "commands", "asked", "secrets", "leaves", "checkpoints", "meta"))
"""All tables of a store. Where one is missing, an older program made it: it is added when the store is written to."""

CLOSED = codec.topic_of(Closed)

NEW_LEAF = "INSERT INTO leaves (match, entries, head) VALUES (?,?,?)"

HEADS_MAX = 10_000
"""Of so many matches the last entry is remembered."""

LOCK_PAUSE = 0.01
"""Seconds between two tries at what SQLite does not wait for by itself."""

Head = tuple[int, bytes, Box | None]
"""Where a match stands: the number of its last entry, the head behind it, and the box its entries lie in, if any."""
NOWHERE: Head = (0, chain.START, None)

Opening = Callable[[str, int, bytes], bytes]
"""The bytes of an entry of a match, out of what lies in the file."""


class Envelope(Struct, frozen=True):
    """An entry on its way through the library's own doors."""

    originator_id: str
    originator_version: int
    entry: Entry


class EntryMapper(Mapper[str]):
    """One pass of msgpack under a topic of our own. The library's own mapper needs objects with a `__dict__`."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The row of an entry."""
        return StoredEvent(*row(domain_event.originator_id, domain_event.originator_version, domain_event.entry))

    def to_domain_event(self, stored_event: StoredEvent) -> Envelope:
        """The entry of a row."""
        entry = codec.decode(stored_event.state)
        return Envelope(str(stored_event.originator_id), stored_event.originator_version, entry)


class EntryRecorder(SQLiteApplicationRecorder):
    """Writes entries, their command id and a new match's secret in one transaction."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_memory = self.datastore.pool.is_sqlite_memory_mode
        self._writing, self._reading = Lock(), Lock()
        self._patience = self.datastore.pool.lock_timeout or 0
        self._writer: sqlite3.Cursor | None = None
        self._heads: dict[str, Head] = {}
        """The last entry of matches written to. None is ever taken back: whoever follows it need not look for it."""
        self._reader: sqlite3.Connection | None = None
        self._closed = False
        self.boxes = Boxes(self.select)
        self.watch: Watch | None = None
        """Who looks after the file; nobody after one in memory."""

    def construct_create_table_statements(self) -> list[str]:
        """The library's table and ours."""
        return [*super().construct_create_table_statements(), *SIDE_TABLES]

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int]:
        """The library's door to `write`."""
        rows = [(str(row.originator_id), row.originator_version, row.topic, row.state) for row in stored_events]
        return self.write(Writing(rows, **kwargs))

    def write(self, *writings: Writing) -> list[int]:
        """Write rows of one match or of several, all or none; their places among all rows of the file.

        Not by the library's `put`, which makes three more objects of each that nobody looks at, and on a
        connection and a cursor of its own: taking one from the library's pool costs a third of a synced commit.
        """
        if self._in_memory:
            with self.datastore.transaction(commit=True) as shared:
                written = [self._insert(shared, writing) for writing in writings]
            return self._keep_heads(writings, written)
        began = monotonic()
        with self._writing:
            cursor, watch = self._writer, self.watch
            if cursor is None:
                cursor = self._writer = self._connect().cursor()
            if watch is not None:
                watch.look_again()
            # Who has waited for others waits for the file only for the rest: of many who find it locked by another
            # program the last would wait for all of them together.
            waited = monotonic() - began
            try:
                if waited > LOCK_PAUSE:
                    self._wait_at_most(cursor, max(0, self._patience - waited))
                if len(writings) == 1 and self._follows(writings[0]):  # a transaction by itself
                    written = [self._insert(cursor, writings[0])]
                else:
                    cursor.execute("BEGIN IMMEDIATE")
                    written = [self._insert(cursor, writing) for writing in writings]
                    cursor.execute("COMMIT")
                if watch is not None:
                    watch.look()
                return self._keep_heads(writings, written)
            except BaseException as error:
                if cursor.connection.in_transaction:
                    cursor.connection.rollback()
                if isinstance(error, sqlite3.IntegrityError):
                    raise IntegrityError(error) from error
                raise
            finally:
                if waited > LOCK_PAUSE:
                    self._wait_at_most(cursor, self._patience)

    @staticmethod
    def _wait_at_most(cursor: sqlite3.Cursor, seconds: float) -> None:
        """Have SQLite wait for so long where another program has locked the file."""
        cursor.execute(f"PRAGMA busy_timeout={int(seconds * 1000)}")

    def select(self, statement: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Rows of one statement, likewise without the pool."""
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
        """A connection of its own that sees one moment of the file."""
        with closing(self._connect()) as connection:
            connection.row_factory = None
            connection.execute("BEGIN")
            connection.execute("SELECT 1 FROM meta").fetchall()  # the moment is that of the first look
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
            self.watch.look()

    def close(self) -> None:
        """Let go of the own connections."""
        with self._writing, self._reading:
            for connection in (self._writer and self._writer.connection, self._reader):
                if connection is not None:
                    connection.close()
            self._writer = self._reader = None
            self._closed = True
        self.boxes.close()

    def _follows(self, writing: Writing) -> bool:
        """Is it one row behind the last of its match, as it was written here, and nothing beside it? What opens a match
        or closes it is written in two tables."""
        if writing.command_id is not None or writing.secret is not None or len(writing.rows) > 1:
            return False
        match, number, topic, _ = writing.rows[0]
        return number > 1 and topic != CLOSED and self._last(match)[0] == number - 1

    def _last(self, match: str) -> Head:
        """Where a match stands, as far as it was written here."""
        return self._heads.get(match, NOWHERE)

    def _keep_heads(self, writings: Sequence[Writing], written: Sequence[tuple[list[int], Head]]) -> list[int]:
        """Remember where the matches stand, now that it is written; the places of all rows."""
        if len(self._heads) > HEADS_MAX:
            self._heads.clear()
        for writing, (_, head) in zip(writings, written, strict=True):
            self._heads[writing.rows[-1][0]] = head
        return [place for places, _ in written for place in places]

    def _insert(self, c: Any, writing: Writing) -> tuple[list[int], Head]:
        """The places of the rows, and where the match stands behind them."""
        places: list[int] = []
        rows, command_id, topic = writing.rows, writing.command_id, ""
        match, first = rows[0][:2]
        vaulted = first == 1 and self.boxes.are_used(c)
        last, head, box = self._stand(c, match, rows, vaulted)
        before = head if first > 1 else token_bytes(len(chain.START))
        names = None
        for _, last, topic, given in rows:
            state = given
            if writing.linked:
                if vaulted and last == 1:
                    state, names = self.boxes.conceal(match, state)
                state = chain.link(state, before)
            stored = state if box is None else box.encrypt_entry(last, state)
            c.execute(self.insert_events_statement, (match, last, topic, stored))
            places.append(c.lastrowid)
            before = head = chain.follow(head, last, state)
        if first == 1:
            c.execute("INSERT INTO matches (match) VALUES (?)", (match,))
        if topic == CLOSED:
            c.execute(NEW_LEAF, (match, last, head))
            if box is not None:
                self.boxes.publish(c, match, box)
        if command_id is not None:
            c.execute("INSERT INTO commands VALUES (?,?,?,?)", (match, command_id, first, last))
            if writing.asked:
                asked, kept = writing.asked, names or box
                asked = asked if kept is None else kept.encrypt_asked(command_id, asked)
                c.execute("INSERT INTO asked VALUES (?,?,?)", (match, command_id, asked))
        if writing.secret is not None:
            secret = writing.secret if box is None else box.encrypt_seed(writing.secret)
            c.execute("INSERT INTO secrets VALUES (?,?)", (match, secret))
        return places, (last, head, box)

    def _stand(self, c: Any, match: str, rows: Sequence[Row], vaulted: bool) -> Head:
        """Where a match stands before rows, as they see it. One that is whole at once is published from the first."""
        before = rows[0][1] - 1
        known = self._last(match)
        if before == 0:
            return 0, chain.START, self.boxes.new(match) if vaulted and rows[-1][2] != CLOSED else None
        if known[0] == before:
            return known
        encrypted = is_encrypted(stored_of(c, match, before))
        return before, head_of(c, match, before, self.boxes.open), self.boxes.of(match) if encrypted else None


def head_of(c: Any, match: str, number: int, open_box: Opening) -> bytes:
    """The head behind an entry that is in the file. Raises IntegrityError if it is not.

    Of a linked entry it is told by its own link; entries of earlier programs are gone through from the first one.
    """
    if number == 0:
        return chain.START
    state = state_of(c, match, number, open_box)
    if number > 1 and (link := chain.link_of(state)) is not None:
        return chain.follow(link, number, state)
    c.execute(
        "SELECT state FROM stored_events WHERE originator_id=? AND originator_version<=? ORDER BY originator_version",
        (match, number),
    )
    rows = [_whole(match, row[0]) for row in c.fetchall()]
    return chain.fold([open_box(match, at, state) for at, state in enumerate(rows, start=1)])


def state_of(c: Any, match: str, number: int, open_box: Opening) -> bytes:
    """The bytes of an entry that is in the file. Raises IntegrityError if it is not."""
    return open_box(match, number, stored_of(c, match, number))


def stored_of(c: Any, match: str, number: int) -> bytes:
    """The same as they lie there, which may be encrypted."""
    c.execute("SELECT state FROM stored_events WHERE originator_id=? AND originator_version=?", (match, number))
    row = c.fetchone()
    if row is None:
        raise IntegrityError(f"match {match} has no entry {number}")
    return _whole(match, row[0])


def _whole(match: str, state: object) -> bytes:
    if not isinstance(state, bytes):
        raise IntegrityError(f"match {match} is damaged: an entry is not made of bytes")
    return state


class Pool(SQLiteConnectionPool):
    """Connections whose acknowledged commits survive a power cut, and that leave a file to be read as it is.

    Of a file that is made out of another one the last commits may be lost so, all of each: it goes on from there.
    """

    read_only = False
    lasting = True

    def _create_connection(self) -> SQLiteConnection:
        return SQLiteConnection(self.connect(), self.max_age)

    def connect(self) -> sqlite3.Connection:
        """A connection. The library's own caches one statement only, so that each is prepared anew at every write."""
        connection = sqlite3.connect(
            self.db_name, timeout=self.lock_timeout or 0, uri=True, check_same_thread=False, isolation_level=None
        )
        if not (self.read_only or self.is_sqlite_memory_mode):
            _keep_wal(connection, self.lock_timeout or 0)
        connection.execute(f"PRAGMA synchronous={'FULL' if self.lasting else 'NORMAL'}")
        connection.row_factory = sqlite3.Row
        return connection


def _keep_wal(connection: sqlite3.Connection, seconds: float) -> None:
    """Make the file one with a write-ahead log. On a new file SQLite does not wait for others here, so we do."""
    deadline = monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if monotonic() >= deadline:
                raise
            sleep(LOCK_PAUSE)


class Factory(SQLiteFactory):
    """Puts our pool under the library's recorder."""

    def __init__(self, env: Environment, read_only: bool, lasting: bool = True) -> None:
        super().__init__(env)
        given = self.datastore.pool
        self.datastore.pool = Pool(db_name=given.db_name, lock_timeout=given.lock_timeout)
        self.datastore.pool.read_only, self.datastore.pool.lasting = read_only, lasting
        given.close()


class Log(Application[str]):
    """The library's application. It heeds no environment variable: nothing outside can weaken what a store promises."""

    name = "shinpan"

    def __init__(self, env: EnvType, read_only: bool, watch: Watch | None = None) -> None:
        self._read_only = read_only
        super().__init__(env)
        assert isinstance(self.recorder, EntryRecorder)
        self.entries = self.recorder
        self.entries.watch = watch

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Our settings, and only they."""
        return Environment(name, env)

    def close(self) -> None:
        """Let go of the file."""
        self.entries.close()
        super().close()

    def construct_factory(self, env: Environment) -> Any:
        """Our factory on SQLite."""
        return Factory(env, self._read_only)

    def create(self, form: int) -> None:
        """Make what is not there yet, all or none, also if several programs do so at once."""
        with self.entries.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                for statement in self.entries.create_table_statements:
                    cursor.execute(statement)
                cursor.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (str(form),))
                cursor.execute("INSERT OR IGNORE INTO meta VALUES ('store', ?)", (uuid4().hex,))
            except BaseException:
                connection.rollback()
                raise
            connection.commit()


def settings(uri: str, lock_seconds: int) -> dict[str, str]:
    """What the library is told."""
    return {
        "SQLITE_DBNAME": uri,
        "SQLITE_LOCK_TIMEOUT": str(lock_seconds),
        "ORIGINATOR_ID_TYPE": "text",
        "MAPPER_TOPIC": get_topic(EntryMapper),
        "TRANSCODER_TOPIC": get_topic(JSONTranscoder),
        "APPLICATION_RECORDER_TOPIC": get_topic(EntryRecorder),
        "CREATE_TABLE": "no",
    }
