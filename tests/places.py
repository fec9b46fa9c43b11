"""Locations of test stores: files, memory, or a PostgreSQL database.

A test names its store by a path. `place` returns the address for it, depending on the fixture `database`
(tests/conftest.py).
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from recorder.library.entries import TABLES
from recorder.store import Store
from recorder.store_location import FORMAT, address_of, on_server
from tests.postgres import Cluster, schema_of

Place = Callable[..., str]
SQLITE, POSTGRES = KINDS = ("sqlite", "postgres")
MEMORY = ":memory:"
CONTRACT = "tests.recorder."
"""Package of the contract tests that every storage backend must pass."""
SERVED = (
    "client_commands", "live_databases", "serve_faults", "serve_races", "service_find",
    "service_lines", "service_recording", "service_seals",
)  # fmt: skip
"""Service tests in which the backend matters."""
EMPTIED = ";".join(f"DELETE FROM {table}" for table in sorted(TABLES - {"meta"}))
BEGUN_ANEW = (
    f"{EMPTIED}; SELECT setval('stored_events_notification_id_seq', 1, false); DELETE FROM meta;"
    f" INSERT INTO meta VALUES ('format', '{FORMAT}'), ('store', '{{store}}')"
)


def kinds_of(module: str, fixtures: Collection[str]) -> tuple[str, ...]:
    """Return the databases a test runs on: both if it belongs to a backend's contract."""
    if {"sqlite_file", "sqlite_memory"} & {*fixtures}:
        return (SQLITE,)
    both = module.startswith(CONTRACT) or module.removeprefix("tests.service.test_") in SERVED
    return KINDS if both else (SQLITE,)


class Schemas:
    """Pool of database schemas with empty stores.

    Creating the tables takes longer than most tests, so released schemas are used again.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._idle: list[str] = []

    def take(self) -> str:
        while self._idle:
            schema = self._idle.pop()
            if self._cluster.tables(schema) == TABLES:
                self._cluster.run(BEGUN_ANEW.format(store=uuid4().hex), schema)
                return self._cluster.address(schema)
        address = self._cluster.new()
        Store.open(address).close()
        return address

    def give_back(self, address: str) -> None:
        self._idle.append(schema_of(address))


class Places:
    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._taken: list[str] = []
        self._named: dict[str, str] = {}

    def place(self, path: str) -> str:
        """Return the address of a path's store. A path always has the same address, but each store in memory is a new
        one."""
        if on_server(path):
            return path
        if path in self._named:
            return self._named[path]
        address = self._schemas.take()
        self._taken.append(address)
        if path != MEMORY:
            self._named[path] = address
        return address

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """Release the stores taken in this block when the block ends."""
        before = len(self._taken)
        yield
        for address in self._taken[before:]:
            self._schemas.give_back(address)
        del self._taken[before:]
        self._named = {path: address for path, address in self._named.items() if address in self._taken}


_here: list[Places] = []
"""Stores of the running test. Empty: stores are in files and memory."""


@contextmanager
def on_postgres(schemas: Schemas) -> Iterator[None]:
    """Put stores in a database during this block."""
    places = Places(schemas)
    _here.append(places)
    try:
        with places.borrowed():
            yield
    finally:
        _here.pop()


@contextmanager
def borrowed() -> Iterator[None]:
    """Release the stores of one test when it ends."""
    if not _here:
        yield
        return
    with _here[-1].borrowed():
        yield


def place(path: str | Path = MEMORY) -> str:
    return _here[-1].place(str(path)) if _here else str(path)


def files_base(where: str | Path) -> str:
    """Return the path to which the store's companion files add their suffixes."""
    with Store.open(where, read_only=True) as store:
        return store.local_prefix


def rows(where: str | Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement on a store, or on one of its companion files, bypassing the program."""
    if on_server(str(where)):
        from recorder.library.postgres import Statements, psycopg

        with psycopg.connect(address_of(str(where)), autocommit=True) as connection:
            asked = Statements(connection).execute(statement, values)
            return asked.fetchall() if asked.description else []
    with closing(sqlite3.connect(where, isolation_level=None)) as file:
        return file.execute(statement, values).fetchall()


@contextmanager
def refuse_topic(where: str | Path, topic: str) -> Iterator[None]:
    """Make the store's database reject entries of this topic during this block."""
    if on_server(str(where)):
        begun = f"ALTER TABLE stored_events ADD CONSTRAINT refusing CHECK (topic<>'{topic}') NOT VALID"
        ended = "ALTER TABLE stored_events DROP CONSTRAINT refusing"
    else:
        refusal = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        begun = f"CREATE TRIGGER refusing BEFORE INSERT ON stored_events WHEN NEW.topic='{topic}' {refusal}"
        ended = "DROP TRIGGER refusing"
    rows(where, begun)
    yield
    rows(where, ended)
