"""The library's recorder on a PostgreSQL database.

A writer holds the library's lock on the table of entries until the commit. So entries are committed in the order of
their numbers, and followers miss none. The library retries some calls if a connection breaks. We do not, since only the
command id tells whether the write succeeded.
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
from recorder.library.entries import EntryLog, EntryWriter, Head, Subscription, common_settings
from recorder.library.listening import PostgresListening
from recorder.library.postgres_schema import find_foreign_objects
from recorder.library.schema import SIDE_TABLES
from recorder.library.statements import ENTRIES, Connection, StatementBatch, Statements, translate
from recorder.rows import WriteBatch
from recorder.watch import IDENTITY

CREATING: Final = 0x5348494E50414E
"""Key of the advisory lock for creating the tables."""
SILENCE_SECONDS: Final = 1.0
"""Idle time after which a connection is tested before the next write."""
IDLE_SECONDS: Final = 60
"""Time after which the server ends an idle transaction that holds the lock."""
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
"""Divide by zero if the entry differs. COUNT would take the server 100 us longer."""
TABLE_NAMES: Final = "SELECT tablename FROM pg_tables WHERE schemaname=current_schema()"


class StoreChanged(PersistenceError):
    """Another store answers at the address of the open one."""

    store_code = "CHANGED"


class NoServer(OperationalError):
    """The server refused the connection or cannot be reached."""

    store_code = "DOOR"


class Broken(OperationalError):
    """A connection broke."""

    store_code = "CONNECTION"


@contextmanager
def _convert_errors() -> Iterator[None]:
    try:
        yield
    except psycopg.IntegrityError as error:
        raise IntegrityError(str(error)) from error
    except psycopg.OperationalError as error:
        raise (OperationalError if error.sqlstate else Broken)(str(error)) from error
    except psycopg.Error as error:
        raise PersistenceError(str(error)) from error


class Server:
    """The address of a store on a server. Connections use libpq's environment and files."""

    def __init__(self, url: str, lock_seconds: int) -> None:
        with _convert_errors():
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
        """Return a connection in autocommit mode. A pooler may run each transaction on a different connection. So no
        setting and no prepared statement may outlive a transaction."""
        try:
            return psycopg.connect(**self.given, autocommit=True)
        except (psycopg.OperationalError, UnicodeError) as error:
            raise NoServer(str(error)) from error


class DatabaseContents:
    """The contents of a database before it is opened as a store: the schema, its tables, and `meta`. No table with
    active objects is read."""

    def __init__(self, connection: Connection) -> None:
        with _convert_errors():
            schema = connection.execute("SELECT current_schema()").fetchone()
            self.schema: str | None = None if schema is None else schema[0]
            self.tables = _tables(connection)
            self.foreign = find_foreign_objects(connection)
            readable = "meta" in self.tables and self.foreign.active is None
            rows = connection.execute("SELECT key, value FROM meta").fetchall() if readable else []
            self.meta: dict[str, str] = dict(rows)


def _tables(connection: Connection) -> frozenset[str]:
    return frozenset(str(row[0]) for row in connection.execute(TABLE_NAMES))


def read_database_contents(server: Server) -> DatabaseContents:
    connection = server.connect()
    try:
        return DatabaseContents(connection)
    finally:
        connection.close()


class PostgresEntryRecorder(EntryWriter, PostgresApplicationRecorder):
    place = "notification_id"
    clear_names = "TRUNCATE names"

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self.datastore, Datastore)
        self._server = self.datastore.server
        self._writing, self._reading = Lock(), Lock()
        self._writer: Connection | None = None
        self._reader: Connection | None = None
        self._last_used = 0.0
        self._identity: str | None = None
        self._closed = False

    def create_table(self) -> None:
        """Refuse the library's call; `create` is used, since it knows the format."""
        raise ProgrammingError("tables are made by `create`")

    def create(self, form: int) -> None:
        with self._writing, _convert_errors():
            connection = self._ensure_writer()
            with connection.transaction():
                connection.execute(IDLE)
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (CREATING,))
                statements = Statements(connection)
                for statement in (ENTRIES, ENTRIES_INDEX, *SIDE_TABLES):
                    statements.execute(statement)
                statements.execute(NEW_META, ("format", str(form)))
                statements.execute(NEW_META, ("store", uuid4().hex))

    def write(self, *writings: WriteBatch) -> None:
        """Write rows of one or more matches, all or none. Everything goes in one message, so it takes one round trip
        and one sync."""
        began, heads = monotonic(), dict[str, Head]()
        with self._writing, _convert_errors():
            connection = self._ensure_writer()
            try:
                statements = StatementBatch(connection)
                statements.add(self._begin_statements(began).as_string())
                for writing in writings:
                    self._insert(statements, writing, heads)
                statements.add("COMMIT")
                statements.send()
            except BaseException:
                self._roll_back(connection)
                raise
            self._last_used = monotonic()
            self._keep_heads(heads)

    def _require_read_back(self, c: Cursor, match: str, number: int, state: bytes) -> None:
        """Let the server check it in the same message: it divides by zero if the entry differs."""
        c.execute(READ_BACK, (match, number, sha256(state).digest()))

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        began = monotonic()
        with self._writing, _convert_errors():
            connection = self._ensure_writer()
            try:
                connection.execute(self._begin_statements(began))
                yield Statements(connection)
                connection.execute("COMMIT")
            except BaseException:
                self._roll_back(connection)
                raise
            self._last_used = monotonic()

    def _begin_statements(self, began: float) -> Composed:
        """Return the statements that start an exclusive write and notify listeners after the commit. The time spent
        since `began` waiting for other threads counts towards the lock timeout."""
        left = max(0.001, self._server.lock_seconds - (monotonic() - began))
        lock, channel = self.lock_table_statements[-1], Identifier(self.channel_name)
        return SQL(BEGINNING).format(int(left * 1000), lock, channel)

    def _roll_back(self, connection: Connection) -> None:
        """Roll back, or close a connection that cannot."""
        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()

    def select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        """Return the rows of a statement, retrying once on a new connection if the old one broke."""
        with self._reading, _convert_errors():
            for may_retry in (True, False):
                connection = self._reader
                if connection is None or connection.closed:
                    connection = self._reader = self._connect()
                try:
                    return connection.execute(translate(statement), parameters or None, binary=True).fetchall()
                except psycopg.OperationalError:
                    if not (may_retry and connection.closed):
                        raise
        raise AssertionError("a second try returns or raises")

    @contextmanager
    def snapshot(self) -> Iterator[Statements]:
        connection = self._connect()
        try:
            with _convert_errors():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                statements = Statements(connection)
                statements.execute("SELECT 1 FROM meta").fetchall()  # the snapshot is taken by the first query
                yield statements
        finally:
            connection.close()

    def listen(self, heard: Callable[[], None]) -> Subscription:
        return PostgresListening(self._connect, self._server.connect, self.channel_name, heard)

    def tables(self) -> frozenset[str]:
        return frozenset(str(row[0]) for row in self.select(TABLE_NAMES, ()))

    def max_notification_id(self) -> int | None:
        """Return the newest position. The library's own method would retry ten times without a server."""
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
        """Return entries in the order of recording, also without the library's retries."""
        conditions, values = ["notification_id>=?"], [start or 0 if inclusive_of_start else (start or 0) + 1]
        if stop is not None:
            conditions.append("notification_id<=?")
            values.append(stop)
        if topics:
            conditions.append(f"topic IN ({','.join('?' * len(topics))})")
        rows = self.select(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events"
            f" WHERE {' AND '.join(conditions)} ORDER BY notification_id LIMIT ?",
            (*values, *topics, limit),
        )
        return [Notification(id=place, originator_id=match, originator_version=number, topic=topic, state=state)
                for place, match, number, topic, state in rows]  # fmt: skip

    def close(self) -> None:
        with self._writing, self._reading:
            for connection in (self._writer, self._reader):
                if connection is not None:
                    connection.close()
            self._writer = self._reader = None
            self._closed = True

    def _ensure_writer(self) -> Connection:
        """Return the connection for writing, tested first if it was idle. If it broke during a write, the result of the
        write would be unknown."""
        connection = self._writer
        if connection is not None and monotonic() - self._last_used > SILENCE_SECONDS:
            with suppress(psycopg.Error):
                connection.execute("SELECT 1")
        if connection is None or connection.closed:
            # A server restored to an earlier state may have lost entries, so cached heads are stale.
            self._heads.clear()
            connection = self._writer = self._connect()
        self._last_used = monotonic()
        return connection

    def _connect(self) -> Connection:
        """Return a connection to the open store. Raises StoreChanged if another store is there."""
        if self._closed:
            raise ProgrammingError("the store was closed")
        connection = self._server.connect()
        try:
            with _convert_errors():
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
    """The library's connections, which only its own methods use; ours use two connections of their own."""

    def __init__(self, server: Server, schema: str) -> None:
        self.server = server
        super().__init__("", "", "", "", "", pool_size=0, max_overflow=2, schema=schema, originator_id_type="text")
        self.pool.kwargs = {**server.given, "row_factory": dict_row}

    def register_type_adapters(self) -> None:
        """Register none: only the library's database functions need them, and we create none."""


class Factory(PostgresFactory):
    """Gives the library's recorder our connections."""

    def __init__(self, env: Environment, server: Server, schema: str) -> None:
        BaseInfrastructureFactory.__init__(self, env)
        self.datastore = Datastore(server, schema)

    def application_recorder(self) -> PostgresEntryRecorder:
        return PostgresEntryRecorder(self.datastore)


def open_log(server: Server, schema: str) -> EntryLog:
    make: Callable[[Environment], Any] = lambda env: Factory(env, server, schema)  # noqa: E731
    return EntryLog({**common_settings(PostgresEntryRecorder), "PERSISTENCE_MODULE": "eventsourcing.postgres"}, make)
