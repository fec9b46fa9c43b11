"""The side tables of a store, paged reading of their rows, and foreign rows. Entries can be read even if these tables
are damaged."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from recorder.library.cursor import Cursor, SqlRow
from recorder.library.odd_text import OddText, name_id

PAGE: Final = 500
SIDE_TABLES: Final = {
    "matches": ("number", "match"),
    "commands": ("match", "command", "first", "last"),
    "asked": ("match", "command", "hash"),
    "secrets": ("match", "seed"),
    "names": ("match", "seat", "name", "salt"),
    "leaves": ("number", "match", "entries", "head"),
    "checkpoints": ("number", "size", "note"),
}
"""The side tables and their columns."""
KEY_OF: Final = {"commands": 2, "asked": 2, "names": 2}
"""Number of leading columns that form a table's key, if not one."""
TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "commands": (str, str, int, int),
    "asked": (str, str, bytes),
    "secrets": (str, bytes),
    "names": (str, str, bytes, bytes),
}
"""Column types of the side tables with rows of a match."""


class _EntryKind(Struct):
    entry: str


_KIND: Final = msgspec.msgpack.Decoder(_EntryKind)


def page_rows(c: Cursor, table: str, columns: Sequence[str], key: int) -> Iterator[list[SqlRow]]:
    """Yield the rows of a table in key order, a page at a time."""
    keys, all_columns = ", ".join(columns[:key]), ", ".join(columns)
    last: SqlRow = ()
    offset = 0
    while True:
        # A parameter cannot express the position of NULL or of text that is not UTF-8.
        uses_offset = any(value is None or isinstance(value, OddText) for value in last)
        condition = f" WHERE ({keys})>({','.join('?' * key)})" if last and not uses_offset else ""
        query = f"SELECT {all_columns} FROM {table}{condition} ORDER BY {keys} LIMIT ?"
        values = (PAGE, offset) if uses_offset else (*last, PAGE)
        # The library's cursor returns None and holds the rows itself.
        query = f"{query} OFFSET ?" if uses_offset else query
        rows = [tuple(row) for row in (c.execute(query, values) or c).fetchall()]
        if not rows:
            return
        yield rows
        last, offset = rows[-1][:key], offset + len(rows)


def odd_rows(c: Cursor, tables: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the match and table of each row with a column type that Shinpan does not write."""
    for table, types in TYPES.items():
        if table in tables:
            for rows in page_rows(c, table, SIDE_TABLES[table], KEY_OF.get(table, 1)):
                yield from ((name_id(row[0]), table) for row in rows if tuple(map(type, row)) != types)


def is_filed(topic: object, state: bytes) -> bool:
    """True if a readable entry is stored under the topic of its kind."""
    return type(topic) is str and topic == f"match.{_KIND.decode(state).entry}"
