"""Tables of a store in an SQLite file, and the check that an untrusted file has no active objects.

A trigger, a view, a generated column or a clause like ON CONFLICT IGNORE can alter or drop recorded entries. An endless
view never returns. The check reads only `sqlite_master`, which runs none of them.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from domain.words import Text
from domain.words.lines import one_line
from recorder.troubles import StoreError

ENTRIES: Final = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB,"
    " PRIMARY KEY (originator_id, originator_version))"
)
SIDE_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS matches (number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS commands (match TEXT, command TEXT, first INTEGER, last INTEGER,"
    " PRIMARY KEY (match, command)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS asked (match TEXT, command TEXT, hash BLOB NOT NULL,"
    " PRIMARY KEY (match, command)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS secrets (match TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS leaves (number INTEGER PRIMARY KEY, match TEXT NOT NULL, entries INTEGER NOT NULL,"
    " head BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS checkpoints (number INTEGER PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS names (match TEXT, seat TEXT, name BLOB NOT NULL, salt BLOB NOT NULL,"
    " PRIMARY KEY (match, seat)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
STATEMENTS: Final = (ENTRIES, *SIDE_TABLES)

_STORED: Final = ("table", "index")
_KINDS: Final = ("trigger", "view", *_STORED)

_OBJECTS: Final = "SELECT type, COALESCE(CAST(name AS TEXT), ''), CAST(sql AS TEXT) FROM sqlite_master"
_PLAIN: Final = re.compile(
    r"CREATE TABLE (\w+) ?\([\w\s,()]*\)(?: WITHOUT ROWID)?|CREATE INDEX \w+ ON \w+ ?\([\w\s,]*\)", re.ASCII
)
"""Definitions that run nothing, with the name of the table."""
_ACTIVE: Final = re.compile(r"\b(?:AS|CHECK|COLLATE|CONFLICT|DEFAULT|GENERATED|REFERENCES)\b", re.IGNORECASE)
_NAME_MAX: Final = 100


def require_plain(connection: sqlite3.Connection, name: str) -> frozenset[str]:
    """Return the tables of a file without active objects. Raises StoreError naming one. An unknown plain table or index
    comes from a newer program and is harmless."""
    return frozenset(table for _, _, table, _ in _plain_objects(connection, name) if table)


def require_schema(connection: sqlite3.Connection, name: str, statements: Sequence[str] = STATEMENTS) -> None:
    """Raise StoreError for an active object, or a table that differs from these statements."""
    definitions = _definitions(statements)
    for kind, object_name, table, sql in _plain_objects(connection, name):
        if table in definitions and sql != definitions[table]:
            raise foreign_object(name, kind, object_name)


def foreign_object(name: str, kind: str, object_name: str) -> StoreError:
    """Return the error for an object of a database that Shinpan does not create."""
    named = one_line(object_name[:_NAME_MAX])
    about = {"store": name, "what": Text(f"store.object.{kind}"), "name": named}
    return StoreError("foreign", Text("store.object", about))


def _plain_objects(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield the kind, name, defined table ('' for none) and definition of each object. SQLite uses the definition,
    which may contradict the other columns of `sqlite_master`."""
    connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
    try:
        objects = connection.execute(_OBJECTS).fetchall()
    finally:
        connection.text_factory = str
    for kind, object_name, sql in sorted(objects, key=lambda row: row[0] in _STORED):
        plain = None if sql is None or _ACTIVE.search(sql) else _PLAIN.fullmatch(sql)
        if kind not in _STORED or not (plain or (sql is None and kind == "index")):
            raise foreign_object(name, kind if kind in _KINDS else "table", object_name)
        yield kind, object_name, (plain[1] or "").lower() if plain else "", sql


def _definitions(statements: Sequence[str]) -> dict[str, str]:
    creations = [text.replace("IF NOT EXISTS ", "") for text in statements if text.startswith("CREATE TABLE")]
    return {text.split(maxsplit=3)[2]: text for text in creations}
