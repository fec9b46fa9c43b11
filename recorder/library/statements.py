"""Run statements written for SQLite on a PostgreSQL server, one by one or in batches."""

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
"""Column types of SQLite and PostgreSQL. Names sort by bytes in both."""
MESSAGE: Final = 1 << 20
"""Maximum length of a batch of statements."""


@cache
def translate(statement: str) -> LiteralString:
    """Translate a statement from SQLite to PostgreSQL."""
    if statement.startswith("CREATE TABLE") and statement != ENTRIES:
        for ours, theirs in TYPES:
            statement = statement.replace(ours, theirs)
    return statement.replace("%", "%%").replace("?", "%s")


class Statements:
    """A connection that accepts statements written for SQLite."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last: ServerCursor | None = None

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> ServerCursor:
        """Run a statement on a cursor of its own, so several may be open at once."""
        self._last = self._connection.execute(translate(statement), parameters or None, binary=True)
        return self._last

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(translate(statement), rows)

    def fetchone(self) -> object:
        assert self._last is not None
        return self._last.fetchone()

    def fetchall(self) -> list[SqlRow]:
        assert self._last is not None
        return self._last.fetchall()


class StatementBatch(Statements):
    """Batches writes into one message; queries are sent at once."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._batch_cursor = psycopg.ClientCursor(connection)
        self._pending: list[str] = []
        self._size = 0

    def add(self, statement: str) -> None:
        self._pending.append(statement)
        self._size += len(statement)
        if self._size > MESSAGE:
            self.send()

    def send(self) -> None:
        """Send the batch, which runs up to the first failing statement."""
        statements, self._pending, self._size = "; ".join(self._pending), [], 0
        if statements:
            self._batch_cursor.execute(statements)

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> ServerCursor:
        """Add a statement to the batch, or run it after the batch if it returns rows."""
        if statement.startswith("SELECT") or " RETURNING " in statement:
            self.send()
            return super().execute(statement, parameters)
        self._last = None
        self.add(self._batch_cursor.mogrify(translate(statement), parameters))
        return self._batch_cursor

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        for row in rows:
            self.execute(statement, row)
