"""The library's recorder on a PostgreSQL database.

Whoever writes holds the library's lock on the table of entries until the commit, so that entries come into the log in
the order of their numbers and none comes in behind a follower. What the library tries again by itself when a
connection breaks is tried once: whether it was written only the command's id can tell.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any, Final
from uuid import uuid4

import psycopg
from eventsourcing.persistence import (
    BaseInfrastructureFactory,
    IntegrityError,
    Notification,
    OperationalError,
    PersistenceError,
    ProgrammingError,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed, Identifier

from recorder.library.cursor import Cursor, SqlRow
from recorder.library.entries import EntryLog, EntryWriter, Head, Listening, common_settings
from recorder.library.listening import PostgresListening
from recorder.library.postgres_schema import find_foreign_objects
from recorder.library.schema import SIDE_TABLES
from recorder.library.statements import ENTRIES, Connection, StatementBatch, Statements, translate
from recorder.rows import WriteBatch
from recorder.watch import IDENTITY

CREATING: Final = 0x5348494E50414E
"""The number under which programs that make the tables of a store wait for each other."""
SILENCE_SECONDS: Final = 1.0
"""After so long without a word a connection is asked whether it still stands, before anything is written on it."""
IDLE_SECONDS: Final = 60
"""So long the server lets a program hold the lock that says nothing, before it lets the others go on."""
ENTRIES_INDEX: Final = (
    "CREATE UNIQUE INDEX IF NOT EXISTS stored_events_notification_id_idx ON stored_events (notification_id)"
)
IDLE: Final = f"SET LOCAL idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'"
BEGINNING: Final = f"BEGIN; SET LOCAL lock_timeout = {{}}; {IDLE}; {{}}; NOTIFY {{}}"
NEW_META: Final = "INSERT INTO meta VALUES (?,?) ON CONFLICT DO NOTHING"
READ_BACK: Final = (
    "VALUES (1 / COALESCE((SELECT 1 FROM stored_events"
    " WHERE originator_id=? AND originator_version=? AND sha256(state)=?), 0))"
)
"""Not by COUNT, which takes the server 100 us longer."""
TABLE_NAMES: Final = "SELECT tablename FROM pg_tables WHERE schemaname=current_schema()"


class StoreChanged(PersistenceError):
    """Another store answers under the address of the one that was opened."""

    store_code = "CHANGED"


class NoServer(OperationalError):
    """The server did not let us in, or is not there."""

    store_code = "DOOR"


class Broken(OperationalError):
    """A connection broke."""

    store_code = "CONNECTION"


@contextmanager
def _clear() -> Iterator[None]:
    """What the driver says becomes an error of the library's."""
    try:
        yield
    except psycopg.IntegrityError as error:
        raise IntegrityError(str(error)) from error
    except psycopg.OperationalError as error:
        raise (OperationalError if error.sqlstate else Broken)(str(error)) from error
    except psycopg.Error as error:
        raise PersistenceError(str(error)) from error


class Server:
    """Where a store lies on a server, and how it is connected to: as libpq does, with its environment and files."""

    def __init__(self, url: str, lock_seconds: int) -> None:
        with _clear():
            given = conninfo_to_dict(url)
        self.given: dict[str, Any] = {
            "connect_timeout": max(2, lock_seconds),
            "application_name": "shinpan",
            **given,
            "client_encoding": "UTF8",
            "prepare_threshold": None,
        }
        self.lock_seconds = lock_seconds

    def connect(self) -> Connection:
        """A connection in which each statement is a transaction, unless one is begun.

        A pooler on the way may give every transaction to another connection of its own: so nothing is kept there beyond
        a transaction, no setting and no statement prepared, which might be somebody else's under the same name.
        """
        try:
            return psycopg.connect(**self.given, autocommit=True)
        except (psycopg.OperationalError, UnicodeError) as error:
            raise NoServer(str(error)) from error


class DatabaseContents:
    """What lies in a database before it is opened as a store: the schema, its tables, and what `meta` says.

    Nothing is read of a table where something acts by itself.
    """

    def __init__(self, connection: Connection) -> None:
        with _clear():
            schema = connection.execute("SELECT current_schema()").fetchone()
            self.schema: str | None = None if schema is None else schema[0]
            self.tables = _tables(connection)
            self.foreign = find_foreign_objects(connection)
            readable = "meta" in self.tables and self.foreign.active is None
            rows = connection.execute("SELECT key, value FROM meta").fetchall() if readable else []
            self.meta: dict[str, str] = dict(rows)


def _tables(connection: Connection) -> frozenset[str]:
    return frozenset(str(row[0]) for row in connection.execute(TABLE_NAMES))


def look_into(server: Server) -> DatabaseContents:
    """What lies there. Raises PersistenceError."""
    connection = server.connect()
    try:
        return DatabaseContents(connection)
    finally:
        connection.close()


class PostgresEntryRecorder(EntryWriter, PostgresApplicationRecorder):
    """Writes entries into a PostgreSQL database."""

    place = "notification_id"
    clear_names = "TRUNCATE names"

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self.datastore, Datastore)
        self._server = self.datastore.server
        self._writing, self._reading = Lock(), Lock()
        self._writer: Connection | None = None
        self._reader: Connection | None = None
        self._spoken = 0.0
        self._identity: str | None = None
        self._closed = False

    def create_table(self) -> None:
        """The library's door to `create`, which is gone through with the form that the store is to have."""
        raise ProgrammingError("tables are made by `create`")

    def create(self, form: int) -> None:
        """Make what is not there yet, all or none, also if several programs do so at once."""
        with self._writing, _clear():
            connection = self._writer_now()
            with connection.transaction():
                connection.execute(IDLE)
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (CREATING,))
                statements = Statements(connection)
                for statement in (ENTRIES, ENTRIES_INDEX, *SIDE_TABLES):
                    statements.execute(statement)
                statements.execute(NEW_META, ("format", str(form)))
                statements.execute(NEW_META, ("store", uuid4().hex))

    def write(self, *writings: WriteBatch) -> None:
        """Write rows of one match or of several, all or none, on a connection of its own.

        All of it goes in one message, so that it costs one way there and back, and one sync.
        """
        began, heads = monotonic(), dict[str, Head]()
        with self._writing, _clear():
            connection = self._writer_now()
            try:
                statements = StatementBatch(connection)
                statements.add(self._beginning(began).as_string())
                for writing in writings:
                    self._insert(statements, writing, heads)
                statements.add("COMMIT")
                statements.send()
            except BaseException:
                self._undo(connection)
                raise
            self._spoken = monotonic()
            self._keep_heads(heads)

    def _require_read_back(self, c: Cursor, match: str, number: int, state: bytes) -> None:
        """Have the server do it in the same message: where the entry is another one, it divides by zero."""
        c.execute(READ_BACK, (match, number, sha256(state).digest()))

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """A cursor in a transaction of its own, in which nobody else writes: all or nothing."""
        began = monotonic()
        with self._writing, _clear():
            connection = self._writer_now()
            try:
                connection.execute(self._beginning(began))
                yield Statements(connection)
                connection.execute("COMMIT")
            except BaseException:
                self._undo(connection)
                raise
            self._spoken = monotonic()

    def _beginning(self, began: float) -> Composed:
        """Begin to write as the only one, wake who listens once it is written. Others in this program were waited for
        since `began`: for other programs no more than the rest is waited."""
        left = max(0.001, self._server.lock_seconds - (monotonic() - began))
        lock, channel = self.lock_table_statements[-1], Identifier(self.channel_name)
        return SQL(BEGINNING).format(int(left * 1000), lock, channel)

    def _undo(self, connection: Connection) -> None:
        """Take back what was begun; a connection on which that cannot be done is of no more use."""
        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()

    def select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        """Rows of one statement; asked once more on a new connection where the old one has broken."""
        with self._reading, _clear():
            for again in (True, False):
                connection = self._reader
                if connection is None or connection.closed:
                    connection = self._reader = self._connect()
                try:
                    return connection.execute(translate(statement), parameters or None, binary=True).fetchall()
                except psycopg.OperationalError:
                    if not (again and connection.closed):
                        raise
        raise AssertionError("a second try returns or raises")

    @contextmanager
    def snapshot(self) -> Iterator[Statements]:
        """A connection of its own that sees one moment of the store."""
        connection = self._connect()
        try:
            with _clear():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                statements = Statements(connection)
                statements.execute("SELECT 1 FROM meta").fetchall()  # the moment is that of the first look
                yield statements
        finally:
            connection.close()

    def listen(self, heard: Callable[[], None]) -> Listening:
        """Be told on a connection of its own."""
        return PostgresListening(self._connect, self._server.connect, self.channel_name, heard)

    def tables(self) -> frozenset[str]:
        """The tables that are there."""
        return frozenset(str(row[0]) for row in self.select(TABLE_NAMES, ()))

    def max_notification_id(self) -> int | None:
        """The place of the newest entry. The library's own would try ten times where there is no server."""
        newest = self.select("SELECT MAX(notification_id) FROM stored_events", ())[0][0]
        return None if newest is None else int(newest)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Entries in the order in which they came into the store, likewise."""
        wanted, values = ["notification_id>=?"], [start or 0 if inclusive_of_start else (start or 0) + 1]
        if stop is not None:
            wanted.append("notification_id<=?")
            values.append(stop)
        if topics:
            wanted.append(f"topic IN ({','.join('?' * len(topics))})")
        rows = self.select(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events"
            f" WHERE {' AND '.join(wanted)} ORDER BY notification_id LIMIT ?",
            (*values, *topics, limit),
        )
        return [Notification(id=place, originator_id=match, originator_version=number, topic=topic, state=state)
                for place, match, number, topic, state in rows]  # fmt: skip

    def close(self) -> None:
        """Let go of the own connections."""
        with self._writing, self._reading:
            for connection in (self._writer, self._reader):
                if connection is not None:
                    connection.close()
            self._writer = self._reader = None
            self._closed = True

    def _writer_now(self) -> Connection:
        """The connection that is written on: one that has been silent for a while is asked first, for on one that has
        broken meanwhile nobody could tell how far a write came."""
        connection = self._writer
        if connection is not None and monotonic() - self._spoken > SILENCE_SECONDS:
            with suppress(psycopg.Error):
                connection.execute("SELECT 1")
        if connection is None or connection.closed:
            # What was written before may have been lost by then, with a server that was put back to an earlier moment.
            self._heads.clear()
            connection = self._writer = self._connect()
        self._spoken = monotonic()
        return connection

    def _connect(self) -> Connection:
        """A connection to the store that was opened. Raises Changed where another one lies there by now."""
        if self._closed:
            raise ProgrammingError("the store was closed")
        connection = self._server.connect()
        try:
            with _clear():
                if "meta" in _tables(connection):
                    rows = connection.execute(IDENTITY.replace("value", "key, value", 1)).fetchall()
                    identity = dict[str, str](rows).get("store")
                    if self._identity is not None and identity != self._identity:
                        raise StoreChanged("another store answers")
                    self._identity = identity
        except BaseException:
            connection.close()
            raise
        return connection


class Datastore(PostgresDatastore):
    """The library's connections, made when the library's own doors are used: what is usual goes by two of our own."""

    def __init__(self, server: Server, schema: str) -> None:
        self.server = server
        super().__init__("", "", "", "", "", pool_size=0, max_overflow=2, schema=schema, originator_id_type="text")
        self.pool.kwargs = {**server.given, "row_factory": dict_row}

    def register_type_adapters(self) -> None:
        """There are none: the library's functions in the database, which need them, are not made."""


class Factory(PostgresFactory):
    """Puts our connections under the library's recorder."""

    def __init__(self, env: Environment, server: Server, schema: str) -> None:
        BaseInfrastructureFactory.__init__(self, env)
        self.datastore = Datastore(server, schema)

    def application_recorder(self) -> PostgresEntryRecorder:
        """Our recorder, on the table of the same name as in a file."""
        return PostgresEntryRecorder(self.datastore)


def open_log(server: Server, schema: str) -> EntryLog:
    """The library's application on a database."""
    make: Callable[[Environment], Any] = lambda env: Factory(env, server, schema)  # noqa: E731
    return EntryLog({**common_settings(PostgresEntryRecorder), "PERSISTENCE_MODULE": "eventsourcing.postgres"}, make)
