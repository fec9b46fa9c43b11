"""The cursor interface shared by both databases."""

from collections.abc import Sequence
from typing import Any, Protocol

SqlRow = tuple[Any, ...]
"""A row. Another program may have stored any type in any column."""


class FetchedRows(Protocol):
    def fetchall(self) -> list[SqlRow]:
        raise NotImplementedError


class Cursor(FetchedRows, Protocol):
    """A cursor of either database. The library's own `execute` returns None, and the cursor holds the rows."""

    def execute(self, statement: str, parameters: Sequence[object] = (), /) -> FetchedRows | None:
        raise NotImplementedError

    def executemany(self, statement: str, rows: Sequence[Sequence[object]], /) -> Any:
        raise NotImplementedError

    def fetchone(self) -> Any:
        raise NotImplementedError
