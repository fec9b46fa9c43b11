"""A store copied into another, of either kind: gone on with where it was stopped, held against it before it is one.

Entries go over a page at a time, in the order in which they came into the store; what lies beside them goes over at the
end, together with the format without which nobody takes the copy for a store.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from domain.evidence import chain
from domain.words import Text
from recorder import codec
from recorder.place import COPYING
from recorder.store import Store, StoreError
from recorder.troubles import clear

PAGE: Final = 500
"""How many entries go over in one transaction."""
SOURCE, PLACE = "copy of", "copied"
"""What a copy that is not finished says of itself: the number of its store, and how far it has come."""
ENTRIES: Final = "SELECT originator_id, originator_version, topic, state FROM stored_events"
NEW_ENTRY: Final = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
BESIDE: Final = {
    "matches": ("number", "match"),
    "commands": ("match", "command", "first", "last"),
    "asked": ("match", "command", "hash"),
    "secrets": ("match", "seed"),
    "names": ("match", "seat", "name", "salt"),
    "leaves": ("number", "match", "entries", "head"),
    "checkpoints": ("number", "size", "note"),
}
"""The tables beside the entries, and their columns."""
KEY_OF: Final = {"commands": 2, "asked": 2, "names": 2}
"""By how many of its first columns a row of a table is told from others, if not by one."""
TOMBSTONES: Final = "SELECT key, value FROM meta WHERE key LIKE 'quarantined %'"
"""What the store says of matches that were taken out."""
Step = Callable[[int], None]
"""Told how many entries have gone over, of those that were left."""


class Copied(Struct, frozen=True):
    """A copy is a store: what is in it, from which entry on this run went on; which matches were damaged and are copied
    as they are."""

    source: str
    to: str
    matches: int
    entries: int
    resumed: int = 0
    damaged: tuple[str, ...] = ()


def copy_store(source: Store, to: str | Path, step: Step = lambda done: None, lock_seconds: int = 5) -> Copied:
    """Copy a store to a place where none is, or where a copy of the same store was begun. Raises StoreError.

    The copy holds what the store held when this run began, and is a store of its own, with a number of its own.
    """
    with Store.open(to, lock_seconds=lock_seconds, unfinished=True) as target:
        if target.name == source.name or target.identity() == source.identity():
            raise StoreError("path", Text("copy.itself", {"store": target.name}))
        at = begun = _begin(source, target)
        with source.snapshot() as moment, clear(target.name):
            place = source.log.entries.place
            tables = source.log.entries.tables()  # one that no later program wrote to may lack some
            while rows := _page(moment, place, at):
                with target.transaction() as c:
                    _require_place(target, c, at)
                    c.executemany(NEW_ENTRY, [tuple(row[1:]) for row in rows])
                    at = rows[-1][0]
                    _set(c, PLACE, str(at))
                step(len(rows))
            with target.transaction() as c:
                _require_place(target, c, at)
                _copy_beside(moment, c, tables)
                for table, columns in BESIDE.items():
                    if table in tables:
                        _require_same(table, columns, KEY_OF.get(table, 1), moment, c)
                _require_same("stored_events", ("originator_id", "originator_version", "topic", "state"), 2, moment, c)
                damaged, matches, entries = follow_chains(c)
                for key, value in moment.execute(TOMBSTONES).fetchall():
                    _set(c, key, value)
                form = moment.execute("SELECT value FROM meta WHERE key='format'").fetchone()
                _set(c, "format", str(form[0]))
                c.execute("DELETE FROM meta WHERE key IN (?,?)", (SOURCE, PLACE))
        return Copied(source.name, target.name, matches, entries, begun, tuple(damaged))


def _begin(source: Store, target: Store) -> int:
    """Take a place for a copy; how far one that was begun there has come."""
    wanted = source.identity()
    with target.transaction() as c:
        meta = _meta(c)
        if SOURCE in meta:
            if meta[SOURCE] != wanted:
                raise StoreError("path", Text("copy.other", {"store": target.name}))
            return int(meta[PLACE])
        c.execute("SELECT COUNT(*) FROM stored_events")
        if c.fetchone()[0]:
            raise StoreError("path", Text("copy.taken", {"store": target.name}))
        _set(c, "format", COPYING)
        _set(c, SOURCE, wanted)
        _set(c, PLACE, "0")
    return 0


def _require_place(target: Store, c: Any, at: int) -> None:
    """Another program that copies there at the same time has gone further."""
    if _meta(c).get(PLACE) != str(at):
        raise StoreError("locked", Text("copy.twice", {"store": target.name}))


def _meta(c: Any) -> dict[str, str]:
    c.execute("SELECT key, value FROM meta")
    return {str(key): str(value) for key, value in map(tuple, c.fetchall())}


def _set(c: Any, key: str, value: str) -> None:
    c.execute("INSERT INTO meta VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value=excluded.value", (key, value))


def _page(moment: Any, place: str, at: int) -> list[Any]:
    wanted = f"{ENTRIES.replace('SELECT', f'SELECT {place},')} WHERE {place}>? ORDER BY {place} LIMIT ?"
    return list(moment.execute(wanted, (at, PAGE)).fetchall())


def _copy_beside(moment: Any, c: Any, tables: frozenset[str]) -> None:
    """Copy all tables but the entries."""
    for table, columns in BESIDE.items():
        if table in tables:
            marks = ",".join("?" * len(columns))
            for rows in _rows(moment, table, columns, KEY_OF.get(table, 1)):
                c.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def _rows(c: Any, table: str, columns: Sequence[str], key: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a table in the order of its key, a page at a time."""
    keys, all_columns = ", ".join(columns[:key]), ", ".join(columns)
    last: tuple[Any, ...] = ()
    while True:
        behind = f" WHERE ({keys})>({','.join('?' * key)})" if last else ""
        asked = f"SELECT {all_columns} FROM {table}{behind} ORDER BY {keys} LIMIT ?"
        # The library's cursor answers with nothing, and holds the rows itself.
        rows = [tuple(row) for row in (c.execute(asked, (*last, PAGE)) or c).fetchall()]
        if not rows:
            return
        yield rows
        last = rows[-1][:key]


def _require_same(table: str, columns: Sequence[str], key: int, moment: Any, c: Any) -> None:
    """Raises StoreError where the copy holds other rows than the store: by every byte of each."""
    for mine, copied in zip_longest(_rows(moment, table, columns, key), _rows(c, table, columns, key)):
        if mine != copied:
            raise StoreError("failed", Text("backup.differs", {"table": table}))


def follow_chains(c: Any, *, has_leaves: bool = True) -> tuple[list[str], int, int]:
    """Read every entry of a copy and follow every chain.

    Return the matches that cannot be read or whose chain does not hold, and the numbers of matches and entries.
    """
    leaves: dict[str, dict[int, bytes]] = {}
    odd = set[str]()
    if has_leaves:
        c.execute("SELECT match, entries, head FROM leaves")
    for match, number, head in map(tuple, c.fetchall()) if has_leaves else ():
        if type(number) is int and type(head) is bytes:
            leaves.setdefault(match, {})[number] = head
        else:
            odd.add(match)
    c.execute("SELECT match FROM matches")
    empty = {str(match) for (match,) in map(tuple, c.fetchall())}
    damaged, matches, entries = list[str](), 0, 0
    pages = _rows(c, "stored_events", ("originator_id", "originator_version", "state"), 2)
    for match, rows in groupby((row for page in pages for row in page), key=lambda row: row[0]):
        numbers, states = zip(*(row[1:] for row in rows), strict=True)
        matches, entries = matches + 1, entries + len(states)
        empty.discard(str(match))
        whole = numbers == tuple(range(1, len(states) + 1)) and all(map(_is_entry, states))
        if not whole or match in odd or chain.examine(states, leaves.get(match, {})).fault is not None:
            damaged.append(str(match))
    return sorted((*damaged, *empty)), matches, entries


def _is_entry(state: bytes) -> bool:
    """True if this program, or a later one, can read these bytes."""
    try:
        codec.decode(state)
    except codec.CodecError as error:
        return error.newer
    return True
