"""A quick look into a store for completion: it waits for nobody, writes nothing, and gives up where anything is odd.

Nothing of the event store library or of our own types is loaded: whoever has pressed a key waits for the answer.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

LOG, SHARED, JOURNAL = "-wal", "-shm", "-journal"
"""What SQLite's own files beside a store are called behind its name."""


def matches(path: Path, prefix: str, limit: int) -> list[str]:
    """The ids of matches that begin so; of all of them the newest. None where the store cannot be read at once."""
    if not prefix:
        return _column(path, "SELECT match FROM matches ORDER BY number DESC LIMIT ?", limit)
    ids = "SELECT match FROM matches WHERE match>=? AND match<? ORDER BY match LIMIT ?"
    return _column(path, ids, prefix, prefix + "{", limit)


def opening(path: Path, match: str) -> dict[str, Any]:
    """The first entry of the match of this id, or of the only one whose id begins so, as plain values; else nothing."""
    ids = matches(path, match, 2) if match else []
    if not ids or (len(ids) > 1 and ids[0] != match):
        return {}
    first = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=1"
    for state in _column(path, first, ids[0]):
        try:
            entry = import_module("msgspec.msgpack").decode(state)
        except ValueError:
            return {}
        return entry if isinstance(entry, dict) else {}
    return {}


def _column(path: Path, statement: str, *parameters: object) -> list[Any]:
    try:
        with _connected(path) as connection:
            return [row[0] for row in connection.execute(statement, parameters)]
    except (sqlite3.Error, OSError):
        return []


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, not even the files that SQLite lays beside a store: they are there already, or
    else nobody has the store open and it can be taken as it lies."""
    log, shared, journal = (path.with_name(path.name + name).exists() for name in (LOG, SHARED, JOURNAL))
    if journal:
        raise OSError("in the middle of a change")
    way = "mode=ro&readonly_shm=1" if log and shared else "immutable=1"
    connection = sqlite3.connect(f"{path.as_uri()}?{way}", uri=True, timeout=0)
    try:
        yield connection
    finally:
        connection.close()
