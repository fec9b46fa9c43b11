"""Copy a store into another of either kind. A copy can be resumed and is compared with its source at the end.

Entries are copied a page at a time, in the order of recording. The other tables follow at the end with the format;
until then no program accepts the copy as a store.
"""

from collections.abc import Callable, Sequence
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from domain.evidence import chain
from domain.words import Text
from recorder import codec
from recorder.library.cursor import Cursor, SqlRow
from recorder.library.odd_text import insert_rows, name_id
from recorder.side_tables import KEY_OF, PAGE, SIDE_TABLES, is_filed, odd_rows, page_rows
from recorder.store import Store, StoreError
from recorder.store_location import COPYING
from recorder.troubles import convert_store_errors

SOURCE, PLACE = "copy of", "copied"
"""Keys of an unfinished copy: the identity of its source, and the last row copied."""
ENTRIES: Final = "SELECT originator_id, originator_version, topic, state FROM stored_events"
NEW_ENTRY: Final = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
TOMBSTONES: Final = "SELECT key, value FROM meta WHERE key LIKE 'quarantined %'"
Step = Callable[[int], None]
"""Callback with the number of entries just copied."""


class Copied(Struct, frozen=True):
    """A finished copy. `resumed` is the row where this run started; `damaged` matches are copied unchanged."""

    source: str
    to: str
    matches: int
    entries: int
    resumed: int = 0
    damaged: tuple[str, ...] = ()


def copy_store(source: Store, to: str | Path, step: Step = lambda done: None, lock_seconds: int = 5) -> Copied:
    """Copy a store to an empty place, or resume an unfinished copy of the same store. Raises StoreError. The copy holds
    a snapshot taken when this run began and has an identity of its own."""
    with Store.open(to, lock_seconds=lock_seconds, unfinished=True) as target:
        if target.name == source.name or target.identity() == source.identity():
            raise StoreError("path", Text("copy.itself", {"store": target.name}))
        at = start = _begin(source, target)
        with source.snapshot() as snapshot, convert_store_errors(target.name):
            place = source.log.entries.place
            tables = source.log.entries.tables()  # a store from an earlier version may lack some
            while rows := _page(snapshot, place, at):
                with target.transaction() as c:
                    _require_place(target, c, at)
                    insert_rows(c, NEW_ENTRY, [tuple(row[1:]) for row in rows])
                    at = rows[-1][0]
                    _set_meta(c, PLACE, str(at))
                step(len(rows))
            with target.transaction() as c:
                _require_place(target, c, at)
                _copy_side_tables(snapshot, c, tables)
                for table, columns in SIDE_TABLES.items():
                    if table in tables:
                        _require_same(table, columns, KEY_OF.get(table, 1), snapshot, c)
                _require_same(
                    "stored_events", ("originator_id", "originator_version", "topic", "state"), 2, snapshot, c
                )
                damaged, matches, entries = follow_chains(c, tables)
                for key, value in snapshot.execute(TOMBSTONES).fetchall():
                    _set_meta(c, key, value)
                format_row = snapshot.execute("SELECT value FROM meta WHERE key='format'").fetchone()
                _set_meta(c, "format", str(format_row[0]))
                c.execute("DELETE FROM meta WHERE key IN (?,?)", (SOURCE, PLACE))
        return Copied(source.name, target.name, matches, entries, start, tuple(damaged))


def _begin(source: Store, target: Store) -> int:
    """Claim the target for a copy and return the last row copied before."""
    identity = source.identity()
    with target.transaction() as c:
        meta = _read_meta(c)
        if SOURCE in meta:
            if meta[SOURCE] != identity:
                raise StoreError("path", Text("copy.other", {"store": target.name}))
            return int(meta[PLACE])
        c.execute("SELECT COUNT(*) FROM stored_events")
        if c.fetchone()[0]:
            raise StoreError("path", Text("copy.taken", {"store": target.name}))
        _set_meta(c, "format", COPYING)
        _set_meta(c, SOURCE, identity)
        _set_meta(c, PLACE, "0")
    return 0


def _require_place(target: Store, c: Cursor, at: int) -> None:
    """Raise StoreError if another program has copied further meanwhile."""
    if _read_meta(c).get(PLACE) != str(at):
        raise StoreError("locked", Text("copy.twice", {"store": target.name}))


def _read_meta(c: Cursor) -> dict[str, str]:
    c.execute("SELECT key, value FROM meta")
    return {str(key): str(value) for key, value in map(tuple, c.fetchall())}


def _set_meta(c: Cursor, key: str, value: str) -> None:
    c.execute("INSERT INTO meta VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value=excluded.value", (key, value))


def _page(snapshot: Any, place: str, at: int) -> list[SqlRow]:
    query = f"{ENTRIES.replace('SELECT', f'SELECT {place},')} WHERE {place}>? ORDER BY {place} LIMIT ?"
    return list(snapshot.execute(query, (at, PAGE)).fetchall())


def _copy_side_tables(snapshot: Any, c: Cursor, tables: frozenset[str]) -> None:
    for table, columns in SIDE_TABLES.items():
        if table in tables:
            marks = ",".join("?" * len(columns))
            for rows in page_rows(snapshot, table, columns, KEY_OF.get(table, 1)):
                insert_rows(c, f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def _require_same(table: str, columns: Sequence[str], key: int, snapshot: Any, c: Cursor) -> None:
    """Raise StoreError if a row of the copy differs from the source in any byte."""
    for mine, copied in zip_longest(page_rows(snapshot, table, columns, key), page_rows(c, table, columns, key)):
        if mine != copied:
            raise StoreError("failed", Text("backup.differs", {"table": table}))


def follow_chains(c: Cursor, tables: frozenset[str]) -> tuple[list[str], int, int]:
    """Verify every entry and hash chain of a copy. Return the ids of damaged matches, and the numbers of matches and
    entries. A match is damaged if an entry is unreadable, its chain is broken, or it has a foreign row."""
    leaves: dict[str, dict[int, bytes]] = {}
    odd = {match for match, _ in odd_rows(c, tables)}
    if "leaves" in tables:
        c.execute("SELECT match, entries, head FROM leaves")
    for match, number, head in map(tuple, c.fetchall()) if "leaves" in tables else ():
        if type(number) is int and type(head) is bytes and type(match) is str:
            leaves.setdefault(match, {})[number] = head
        else:
            odd.add(name_id(match))
    c.execute("SELECT match FROM matches")
    listed = {name_id(match) for (match,) in map(tuple, c.fetchall())}
    found, entries = dict[str, bool](), 0
    pages = page_rows(c, "stored_events", ("originator_id", "originator_version", "topic", "state"), 2)
    for match, rows in groupby((row for page in pages for row in page), key=lambda row: row[0]):
        numbers, topics, states = zip(*(row[1:] for row in rows), strict=True)
        entries += len(states)
        is_complete = numbers == tuple(range(1, len(states) + 1)) and all(map(_is_entry, states, topics))
        name = name_id(match)
        is_sound = is_complete and name not in found and chain.examine(states, leaves.get(name, {})).fault is None
        found[name] = is_sound and type(match) is str
    damaged = {name for name, is_sound in found.items() if not is_sound} | odd | (listed ^ found.keys())
    return sorted(damaged), len(found), entries


def _is_entry(state: bytes, topic: object) -> bool:
    """True if this program or a later one can read the bytes and their topic is right."""
    try:
        codec.decode(state)
    except codec.CodecError as error:
        return error.newer
    return is_filed(topic, state)
