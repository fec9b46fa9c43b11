"""A damaged match taken out of a store into a file: every row as it is, one line of JSON each.

The log of the store keeps its leaves. A tombstone in `meta` says what was taken out, where to, and the file's hash.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.words import Text
from domain.words.foreign import system
from recorder.answers import Unfit
from recorder.copying import BESIDE
from recorder.files import write_private
from recorder.finding.following import remove_index
from recorder.listing import Damaged
from recorder.loading import damage_of, forget_matches
from recorder.store import Store
from recorder.troubles import StoreError, clear

FORM: Final = "shinpan/quarantine/1"
TOMBSTONE: Final = "quarantined "
"""Precedes the match in the key of a tombstone. No id of a match has a space."""
NEW_TOMBSTONE: Final = "INSERT INTO meta VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value=excluded.value"
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "stored_events": ("originator_id", "originator_version", "topic", "state"),
    **{table: columns for table, columns in BESIDE.items() if table not in ("leaves", "checkpoints")},
}
"""The tables with rows of a match, and their columns. The log stays in the store."""


class Tombstone(Struct, frozen=True):
    """What a store says of a match that was taken out: when, from which entry on it was damaged, and the file."""

    at: int
    entry: int
    file: str
    sha256: str


class Quarantined(Struct, frozen=True):
    """A damaged match was taken out: from which entry on it was damaged, how many rows, the file and its hash."""

    match: str
    entry: int
    rows: int
    file: str
    sha256: str


def quarantine(store: Store, match: str, to: Path, at: int) -> Quarantined | Unfit:
    """Move every row of a damaged match into a new file. A match that is whole is refused.

    The file is on disk before the rows are deleted, in one transaction. A file of an earlier try that was stopped is
    taken for this one if it has the same bytes. Raises StoreError.
    """
    damaged = damage_of(store, match)
    if damaged is None:
        return Unfit(Text("quarantine.whole", {"match": match}))
    if damaged.newer:
        return Unfit(Text("quarantine.newer", {"match": match, "entry": damaged.entry}))
    where = to.expanduser().absolute()
    entries = store.log.entries
    tables = [table for table in TABLES if table in entries.tables()]
    with store.transaction() as c:
        rows = [(table, row) for table in tables for row in _rows(c, table, match)]
        data = b"".join(_lines(store, damaged, rows))
        hashed = sha256(data).hexdigest()
        _keep(where, data)
        for table in tables:
            if table != "stored_events":
                c.execute(f"DELETE FROM {table} WHERE match=?", (match,))
        entries.remove(c, match)
        tombstone = Tombstone(at, damaged.entry, where.name, hashed)
        c.execute(NEW_TOMBSTONE, (TOMBSTONE + match, msgspec.json.encode(tombstone).decode()))
        remove_index(store)
    forget_matches(store)
    return Quarantined(match, damaged.entry, len(rows), str(where), hashed)


def read_tombstones(store: Store) -> dict[str, Tombstone]:
    """Return what a store says of matches that were taken out, by their ids. Raises StoreError."""
    with clear(store.name):
        held = store.log.entries.select("SELECT key, value FROM meta WHERE key LIKE ?", (f"{TOMBSTONE}%",))
    found: dict[str, Tombstone] = {}
    for key, value in held:
        try:
            found[str(key).removeprefix(TOMBSTONE)] = msgspec.json.decode(value, type=Tombstone)
        except (msgspec.MsgspecError, TypeError) as error:
            raise StoreError("corrupt", Text("quarantine.tombstone", {"store": store.name, "key": str(key)})) from error
    return found


def _rows(c: Any, table: str, match: str) -> list[tuple[Any, ...]]:
    columns = TABLES[table]
    key = "originator_id" if table == "stored_events" else "match"
    # The library's cursor answers with nothing, and holds the rows itself.
    asked = c.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {key}=? ORDER BY 1, 2", (match,)) or c
    return [tuple(row) for row in asked.fetchall()]


def _lines(store: Store, damaged: Damaged, rows: list[tuple[str, tuple[Any, ...]]]) -> Iterator[bytes]:
    """Yield the manifest and the rows. Nothing in them changes when it is done once more."""
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


def _plain(value: Any) -> Any:
    return {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _keep(where: Path, data: bytes) -> None:
    try:
        if where.exists():
            if where.is_file() and where.read_bytes() == data:
                return
            raise StoreError("path", Text("quarantine.exists", {"file": where}))
        write_private(where, data)
    except OSError as error:
        raise StoreError("path", Text("backup.unwritable", {"file": where, "why": system(error)})) from error
