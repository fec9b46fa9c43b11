"""Statements as they are written for SQLite, carried out by a server of PostgreSQL: one by one, or together."""

from collections.abc import Sequence
from functools import cache
from typing import Final, LiteralString

import psycopg

from recorder.library.cursor import SqlRow

Connection = psycopg.Connection[SqlRow]
ServerCursor = psycopg.Cursor[SqlRow]

ENTRIES: Final = (
    'CREATE TABLE IF NOT EXISTS stored_events (originator_id text COLLATE "C" NOT NULL,'
    " originator_version bigint NOT NULL, topic text, state bytea, notification_id bigserial,"
    " PRIMARY KEY (originator_id, originator_version))"
)
TYPES: Final = (
    (" WITHOUT ROWID", ""),
    (" INTEGER", " BIGINT"),
    (" BLOB", " BYTEA"),
    (" TEXT", ' TEXT COLLATE "C"'),
)
"""SQLite's words for a table's columns, and the server's. Names are in the order of their bytes there too."""
MESSAGE: Final = 1 << 20
"""Statements go to the server together as long as they are not longer than this."""


@cache
def translate(statement: str) -> LiteralString:
    """A statement as it is written for SQLite, as the server reads it."""
    if statement.startswith("CREATE TABLE") and statement != ENTRIES:
        for ours, theirs in TYPES:
            statement = statement.replace(ours, theirs)
    return statement.replace("%", "%%").replace("?", "%s")


class Statements:
    """A connection that takes statements as they are written for SQLite."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last: ServerCursor | None = None

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> ServerCursor:
        """The rows of a statement. Each has a cursor of its own: several may be on their way at once."""
        self._last = self._connection.execute(translate(statement), parameters or None, binary=True)
        return self._last

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """A statement for each of many rows."""
        with self._connection.cursor() as cursor:
            cursor.executemany(translate(statement), rows)

    def fetchone(self) -> object:
        """The next row of the last statement."""
        assert self._last is not None
        return self._last.fetchone()

    def fetchall(self) -> list[SqlRow]:
        """The rest of the rows of the last statement."""
        assert self._last is not None
        return self._last.fetchall()


class StatementBatch(Statements):
    """The same for who writes: what is not asked for its rows goes to the server together, in one message."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._written = psycopg.ClientCursor(connection)
        self._waiting: list[str] = []
        self._size = 0

    def add(self, statement: str) -> None:
        """Have a statement sent with the next ones."""
        self._waiting.append(statement)
        self._size += len(statement)
        if self._size > MESSAGE:
            self.send()

    def send(self) -> None:
        """Have all of them carried out, up to the first that cannot be."""
        statements, self._waiting, self._size = "; ".join(self._waiting), [], 0
        if statements:
            self._written.execute(statements)

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> ServerCursor:
        """A statement; one that is asked for its rows goes behind all that wait."""
        if statement.startswith("SELECT") or " RETURNING " in statement:
            self.send()
            return super().execute(statement, parameters)
        self._last = None
        self.add(self._written.mogrify(translate(statement), parameters))
        return self._written

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """A statement for each of many rows."""
        for row in rows:
            self.execute(statement, row)
