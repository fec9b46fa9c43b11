"""A PostgreSQL server for tests, with one schema per test and a user with a password."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from tools import cluster

REQUIRED = "SHINPAN_POSTGRES"
"""Environment variable: `required` makes tests fail, not skip, without PostgreSQL."""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings that trade crash safety for speed; no test cuts the power."""
GUARDED, PASSWORD = "guarded", "k@rd/9?"


class Cluster(cluster.PostgresServer):
    """A running server that hands out schemas."""

    def __init__(self, *given: Any) -> None:
        self._numbers = count(1)
        self._asked: Any = None
        super().__init__(*given)
        self.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")

    def prepare(self) -> None:
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")

    def stop(self) -> None:
        """Stop at once, as in a power cut: unwritten data is lost."""
        if self._asked is not None:
            self._asked.close()
            self._asked = None
        super().stop()

    def run(self, statement: str, schema: str = "") -> list[Any]:
        """Return the rows of a statement, or of the last of several."""
        import psycopg

        if self._asked is None:
            self._asked = psycopg.connect(self.address(), autocommit=True)
        self._asked.execute(f"SET search_path = {schema or 'public'}")
        cursor = self._asked.execute(statement)
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def tables(self, schema: str) -> frozenset[str]:
        return frozenset(name for (name,) in self.run(f"SELECT tablename FROM pg_tables WHERE schemaname='{schema}'"))

    def schema(self) -> str:
        name = f"t{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return name

    def new(self) -> str:
        return self.address(self.schema())


def schema_of(address: str) -> str:
    return address.rpartition("search_path%3D")[2]


@contextmanager
def start_cluster(settings: tuple[str, ...] = QUICK) -> Iterator[Cluster]:
    """Yield a server that stops with the block or the process. Without PostgreSQL, skip the test or fail it."""
    bin = cluster.programs()
    if bin is None:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{cluster.MISSING}, and {REQUIRED} is required")
        pytest.skip(cluster.MISSING)
    with cluster.run_postgres(Cluster, bin, settings) as up:
        yield up
