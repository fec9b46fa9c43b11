"""Where the stores of tests lie: in files and in memory, or in a database of PostgreSQL.

A test names its store by a path, and `place` says where that is, as the fixture `database` (tests/conftest.py) has it.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from recorder.library.entries import TABLES
from recorder.place import FORMAT, address_of, on_server
from recorder.store import Store
from tests.postgres import Cluster, schema_of

Place = Callable[..., str]
"""Tells where the store of a path lies."""
SQLITE, POSTGRES = KINDS = ("sqlite", "postgres")
MEMORY = ":memory:"
CONTRACT = "tests.recorder."
"""The package of the tests of what every backend of a store promises."""
SERVED = (
    "client_commands", "live_databases", "serve_faults", "serve_races", "service_find",
    "service_lines", "service_recording", "service_seals",
)  # fmt: skip
"""Tests of the service in which the backend takes part."""
EMPTIED = ";".join(f"DELETE FROM {table}" for table in sorted(TABLES - {"meta"}))
BEGUN_ANEW = (
    f"{EMPTIED}; SELECT setval('stored_events_notification_id_seq', 1, false); DELETE FROM meta;"
    f" INSERT INTO meta VALUES ('format', '{FORMAT}'), ('store', '{{store}}')"
)
"""What makes a store one that nothing was recorded in."""


def kinds_of(module: str, fixtures: Collection[str]) -> tuple[str, ...]:
    """Return the databases that a test runs on: both where it is part of a backend's contract."""
    if {"sqlite_file", "sqlite_memory"} & {*fixtures}:
        return (SQLITE,)
    both = module.startswith(CONTRACT) or module.removeprefix("tests.service.test_") in SERVED
    return KINDS if both else (SQLITE,)


class Schemas:
    """The schemas of a cluster that hold an empty store each.

    Making the tables takes longer than most tests do, so whoever comes next gets those of who has gone.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._idle: list[str] = []

    def take(self) -> str:
        """The address of an empty store."""
        while self._idle:
            schema = self._idle.pop()
            if self._cluster.tables(schema) == TABLES:
                self._cluster.run(BEGUN_ANEW.format(store=uuid4().hex), schema)
                return self._cluster.address(schema)
        address = self._cluster.new()
        Store.open(address).close()
        return address

    def give_back(self, address: str) -> None:
        """Nobody needs the store any more."""
        self._idle.append(schema_of(address))


class Places:
    """Which address each path stands for."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._taken: list[str] = []
        self._named: dict[str, str] = {}

    def place(self, path: str) -> str:
        """The address of a path's store: the same for the same path, but in memory each is another."""
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
        """What is taken in this block is given back in its end."""
        before = len(self._taken)
        yield
        for address in self._taken[before:]:
            self._schemas.give_back(address)
        del self._taken[before:]
        self._named = {path: address for path, address in self._named.items() if address in self._taken}


_here: list[Places] = []
"""Where the test that runs has its stores; nothing: in files and in memory."""


@contextmanager
def on_postgres(schemas: Schemas) -> Iterator[None]:
    """Have stores in a database for as long as the block."""
    places = Places(schemas)
    _here.append(places)
    try:
        with places.borrowed():
            yield
    finally:
        _here.pop()


@contextmanager
def borrowed() -> Iterator[None]:
    """What a test takes for itself is free for the next one."""
    if not _here:
        yield
        return
    with _here[-1].borrowed():
        yield


def place(path: str | Path = MEMORY) -> str:
    """Where the store of this path lies."""
    return _here[-1].place(str(path)) if _here else str(path)


def files_base(where: str | Path) -> str:
    """Beside which path the files lie that belong to a store."""
    with Store.open(where, read_only=True) as store:
        return store.beside


def rows(where: str | Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What lies in a store, or in a file that belongs to one, looked at past the program."""
    if on_server(str(where)):
        from recorder.library.postgres import Statements, psycopg

        with psycopg.connect(address_of(str(where)), autocommit=True) as connection:
            asked = Statements(connection).execute(statement, values)
            return asked.fetchall() if asked.description else []
    with closing(sqlite3.connect(where, isolation_level=None)) as file:
        return file.execute(statement, values).fetchall()


@contextmanager
def refuse_topic(where: str | Path, topic: str) -> Iterator[None]:
    """A store whose database takes no entry of this kind, for as long as the block."""
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
