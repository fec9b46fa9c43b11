"""The interface through which statements are run, whichever database they are for."""

from collections.abc import Sequence
from typing import Any, Protocol

SqlRow = tuple[Any, ...]
"""A row. Another program may have put a value of any type into any column."""


class FetchedRows(Protocol):
    """The rows of a statement."""

    def fetchall(self) -> list[SqlRow]:
        """Return the rows that are left."""
        raise NotImplementedError


class Cursor(FetchedRows, Protocol):
    """A cursor of either database. The library's own answers `execute` with nothing, and holds the rows itself."""

    def execute(self, statement: str, parameters: Sequence[object] = (), /) -> FetchedRows | None:
        """Run a statement."""
        raise NotImplementedError

    def executemany(self, statement: str, rows: Sequence[Sequence[object]], /) -> Any:
        """Run a statement for each of many rows."""
        raise NotImplementedError

    def fetchone(self) -> Any:
        """Return the next row of the last statement, or None."""
        raise NotImplementedError
