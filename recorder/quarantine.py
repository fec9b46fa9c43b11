"""Move a damaged match from a store to a file, one line of JSON per row. The store's log keeps its leaves. A tombstone
in `meta` records the file's name and hash."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder.answers import Unfit
from recorder.files import write_private
from recorder.finding.index_follower import remove_index
from recorder.library.cursor import Cursor, SqlRow
from recorder.library.odd_text import OddText, name_id, same_id
from recorder.match_list import DamagedMatch
from recorder.match_loader import damage_of, forget_matches
from recorder.sealing import match_ids
from recorder.side_tables import SIDE_TABLES
from recorder.store import Store
from recorder.troubles import StoreError, convert_store_errors

FORM: Final = "shinpan/quarantine/1"
TOMBSTONE: Final = "quarantined "
"""Prefix of a tombstone's key, followed by the match. Match ids have no spaces."""
NEW_TOMBSTONE: Final = "INSERT INTO meta VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value=excluded.value"
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "stored_events": ("originator_id", "originator_version", "topic", "state"),
    **{table: columns for table, columns in SIDE_TABLES.items() if table not in ("leaves", "checkpoints")},
}
"""Tables with rows of a match, and their columns. The log stays in the store."""


class Tombstone(Struct, frozen=True):
    """The record of a quarantined match; `at` is the time and `entry` the first damaged entry."""

    at: int
    entry: int
    file: str
    sha256: str
    rows: int = 0


class Quarantined(Struct, frozen=True):
    """A match moved to quarantine; `entry` is the first damaged entry."""

    match: str
    entry: int
    rows: int
    file: str
    sha256: str


def quarantine(store: Store, match: str, to: Path, at: int) -> Quarantined | Unfit:
    """Move all rows of a damaged match to a new file. A sound match is refused.

    The file is on disk before the rows are deleted in one transaction. A file left by an interrupted run is reused if
    its bytes are the same. Raises StoreError.
    """
    damaged = damage_of(store, match)
    if damaged is None:
        stone = read_tombstones(store).get(match) if match not in match_ids(store) else None
        if stone is not None:  # an earlier run was interrupted after its last step
            return Quarantined(match, stone.entry, stone.rows, stone.file, stone.sha256)
        return Unfit(Text("quarantine.whole", {"match": match}))
    if damaged.newer:
        return Unfit(Text("quarantine.newer", {"match": match, "entry": damaged.entry}))
    target = to.expanduser().absolute()
    entries = store.log.entries
    tables = [table for table in TABLES if table in entries.tables()]
    with store.transaction() as c:
        ids = {table: _ids(c, table, match) for table in tables}
        rows = [(table, row) for table in tables for value in ids[table] for row in _rows(c, table, value)]
        data = b"".join(_lines(store, damaged, rows))
        file_hash = sha256(data).hexdigest()
        _write_once(target, data)
        for table in tables:
            for value in ids[table] if table != "stored_events" else ():
                condition, values = same_id("match", value)
                c.execute(f"DELETE FROM {table} WHERE {condition}", values)
        entries.remove(c, ids["stored_events"])
        tombstone = Tombstone(at, damaged.entry, target.name, file_hash, len(rows))
        c.execute(NEW_TOMBSTONE, (TOMBSTONE + match, msgspec.json.encode(tombstone).decode()))
        remove_index(store)
    forget_matches(store)
    return Quarantined(match, damaged.entry, len(rows), str(target), file_hash)


def read_tombstones(store: Store) -> dict[str, Tombstone]:
    """Return the tombstones of a store by match id. Raises StoreError."""
    with convert_store_errors(store.name):
        rows = store.log.entries.select("SELECT key, value FROM meta WHERE key LIKE ?", (f"{TOMBSTONE}%",))
    found: dict[str, Tombstone] = {}
    for key, value in rows:
        try:
            found[str(key).removeprefix(TOMBSTONE)] = msgspec.json.decode(value, type=Tombstone)
        except (msgspec.MsgspecError, TypeError) as error:
            raise StoreError("corrupt", Text("quarantine.tombstone", {"store": store.name, "key": str(key)})) from error
    return found


def _ids(c: Cursor, table: str, match: str) -> list[object]:
    """Return the values that stand for a match id in a table; those of damaged rows can be of any type."""
    # The library's cursor returns None and holds the rows itself.
    found = (c.execute(f"SELECT DISTINCT {_key(table)} FROM {table} ORDER BY 1") or c).fetchall()
    return [value for (value,) in map(tuple, found) if name_id(value) == match]


def _rows(c: Cursor, table: str, value: object) -> list[SqlRow]:
    condition, values = same_id(_key(table), value)
    query = f"SELECT {', '.join(TABLES[table])} FROM {table} WHERE {condition} ORDER BY 1, 2"
    return [tuple(row) for row in (c.execute(query, values) or c).fetchall()]


def _key(table: str) -> str:
    return "originator_id" if table == "stored_events" else "match"


def _lines(store: Store, damaged: DamagedMatch, rows: list[tuple[str, SqlRow]]) -> Iterator[bytes]:
    """Yield the manifest and the rows, identical for every run."""
    about = {
        "form": FORM,
        "store": store.identity(),
        "match": damaged.match,
        "entry": damaged.entry,
        "why": damaged.why.say("en"),
        "rows": len(rows),
    }
    yield _line(about)
    for table, row in rows:
        yield _line({"table": table, "row": dict(zip(TABLES[table], map(_plain, row), strict=True))})


def _plain(value: object) -> object:
    if isinstance(value, OddText):
        return {"text": b64encode(value.raw).decode()}
    return {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _write_once(target: Path, data: bytes) -> None:
    try:
        if target.exists():
            if target.is_file() and target.read_bytes() == data:
                return
            raise StoreError("path", Text("quarantine.exists", {"file": target}))
        write_private(target, data)
    except OSError as error:
        raise StoreError(
            "path", Text("backup.unwritable", {"file": target, "why": explain_system_error(error)})
        ) from error
