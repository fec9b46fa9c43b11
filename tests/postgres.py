"""A PostgreSQL of the tests' own, with a schema for each who asks, and somebody who is asked for a password."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from tools import cluster

REQUIRED = "SHINPAN_POSTGRES"
"""Where the environment says `required`, no test is left out for want of a PostgreSQL: it fails."""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""What makes a server that may forget at a power cut; no test cuts the power."""
GUARDED, PASSWORD = "guarded", "k@rd/9?"
"""A user who is asked for a password, and the password."""


class Cluster(cluster.PostgresServer):
    """A server that is up, and its schemas, one for each who asks."""

    def __init__(self, *given: Any) -> None:
        self._numbers = count(1)
        self._asked: Any = None
        super().__init__(*given)
        self.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")

    def prepare(self) -> None:
        """One user is asked for a password."""
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")

    def stop(self) -> None:
        """End at once, as if the power were cut: what it had not written is lost."""
        if self._asked is not None:
            self._asked.close()
            self._asked = None
        super().stop()

    def run(self, statement: str, schema: str = "") -> list[Any]:
        """Rows of a statement, or of the last of several."""
        import psycopg

        if self._asked is None:
            self._asked = psycopg.connect(self.address(), autocommit=True)
        self._asked.execute(f"SET search_path = {schema or 'public'}")
        cursor = self._asked.execute(statement)
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def tables(self, schema: str) -> frozenset[str]:
        """The tables of a schema."""
        return frozenset(name for (name,) in self.run(f"SELECT tablename FROM pg_tables WHERE schemaname='{schema}'"))

    def schema(self) -> str:
        """A new schema."""
        name = f"t{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return name

    def new(self) -> str:
        """The address of an empty place for a store."""
        return self.address(self.schema())


def schema_of(address: str) -> str:
    """The schema that an address names."""
    return address.rpartition("search_path%3D")[2]


@contextmanager
def start_cluster(settings: tuple[str, ...] = QUICK) -> Iterator[Cluster]:
    """A server that ends with the block, and with this process however that ends. Where there is none, whoever asks is
    left out, or fails."""
    bin = cluster.programs()
    if bin is None:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{cluster.MISSING}, and {REQUIRED} is required")
        pytest.skip(cluster.MISSING)
    with cluster.run_postgres(Cluster, bin, settings) as up:
        yield up
