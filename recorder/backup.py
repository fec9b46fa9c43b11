"""Back up a store while others write to it. The copy is verified and includes the newest entries."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import ENOSPC
from itertools import zip_longest
from pathlib import Path
from uuid import uuid4

from msgspec import Struct

from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder.copying import copy_store, follow_chains
from recorder.files import create_private, sync
from recorder.library.odd_text import read_text
from recorder.store import Store
from recorder.store_location import on_server
from recorder.troubles import StoreError, convert_store_errors

BESIDE = ("-wal", "-journal")
"""Suffixes of files that SQLite reads together with a database of the same name."""


class BackedUp(Struct, frozen=True):
    """A finished backup. Damaged matches are copied unchanged."""

    file: str
    matches: int
    entries: int
    bytes: int
    damaged: tuple[str, ...] = ()


def backup(store: Store, to: Path, overwrite: bool = False) -> BackedUp:
    """Copy a snapshot of a store to one file, completely or not at all.

    The copy is compared with the store, table by table, before it gets its name. It has its own identity: a program
    that has the original open notices if the copy replaces it. Raises StoreError.
    """
    target = to.expanduser().absolute()
    source = None if on_server(store.name) else Path(store.name)
    _check_free(source, target, overwrite)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with _convert_errors(target):
            create_private(temporary)
        try:
            with convert_store_errors(store.name):
                _copy(store, temporary)
        except StoreError as error:
            # SQLite does not say which of the two files is full, but reading needs no space.
            raise _unwritable_error(target, OSError(ENOSPC, "")) if error.trouble == "full" else error from error
        with convert_store_errors(str(target)):
            done = _count(temporary, target)
        with _convert_errors(target):
            sync(temporary)
            _check_free(source, target, overwrite)
            temporary.replace(target)
            sync(target.parent)
        return done
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                temporary.with_name(temporary.name + ending).unlink(missing_ok=True)


def _check_free(store: Path | None, target: Path, overwrite: bool) -> None:
    """Raise StoreError if the copy must not have this name."""
    with _convert_errors(target):
        if target.is_dir():
            raise StoreError("path", Text("backup.folder", {"file": target}))
        if store is not None and target.exists() and target.samefile(store):
            raise StoreError("path", Text("backup.itself", {"file": target}))
        if target.exists() and not overwrite:
            raise StoreError("path", Text("backup.exists", {"file": target}))
        for ending in BESIDE:
            sidecar = target.with_name(target.name + ending)
            if sidecar.exists() and sidecar.stat().st_size:  # a reader leaves an empty one
                raise StoreError("path", Text("backup.in_use", {"file": target, "sidecar": sidecar.name}))


def _copy(store: Store, temporary: Path) -> None:
    if on_server(store.name):
        copy_store(store, temporary)
        return
    with store.snapshot() as source, closing(sqlite3.connect(temporary, isolation_level=None)) as copy:
        copy.text_factory = read_text
        source.backup(copy)
        if copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise StoreError("corrupt", Text("store.damaged", {"store": store.name}))
        tables = "SELECT name FROM sqlite_master WHERE type='table' ORDER BY name"
        for (table,) in copy.execute(tables).fetchall():
            rows = f'SELECT * FROM "{table}"'
            if not all(mine == copied for mine, copied in zip_longest(source.execute(rows), copy.execute(rows))):
                raise StoreError("failed", Text("backup.differs", {"table": table}))
        copy.execute("INSERT OR REPLACE INTO meta VALUES ('store', ?)", (uuid4().hex,))


def _count(temporary: Path, target: Path) -> BackedUp:
    with closing(sqlite3.connect(f"{temporary.as_uri()}?immutable=1", uri=True)) as copy:
        copy.text_factory = read_text
        tables = frozenset(name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type='table'"))
        damaged, matches, entries = follow_chains(copy.cursor(), tables)
    return BackedUp(str(target), matches, entries, temporary.stat().st_size, tuple(damaged))


@contextmanager
def _convert_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _unwritable_error(target, error) from error


def _unwritable_error(target: Path, error: OSError) -> StoreError:
    return StoreError("path", Text("backup.unwritable", {"file": target, "why": explain_system_error(error)}))
