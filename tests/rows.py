"""Run a test over the rows of a table as one item, which names every row that failed."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from traceback import extract_tb, format_exception_only
from typing import Any

import pytest


def for_each(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a test that takes the named values of a row. Other parameters are fixtures, shared by all rows.

    Use `pytest.mark.parametrize` if a row needs its own fixture, or if `--game` must find a game's name.
    """
    keys = names.split(", ")
    table = [row if len(keys) > 1 else (row,) for row in rows]
    assert table, "no rows"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run_all(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            skipped: list[BaseException] = []
            for row in table:
                try:
                    test(**fixtures, **dict(zip(keys, row, strict=True)))
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"row: {', '.join(map(repr, row))}")
                    failed.append(failure)
            if len(failed) == 1:
                raise failed[0]
            if len(skipped) == len(table):
                raise skipped[0]
            if failed:
                told = "".join(map(describe, failed))
                pytest.fail(f"{len(failed)} of {len(table)} rows failed\n{told}", pytrace=False)

        parameters = signature(test).parameters.values()
        run_all.__signature__ = signature(test).replace(  # type: ignore[attr-defined]
            parameters=[one for one in parameters if one.name not in keys]
        )
        return run_all

    return decorate


def describe(failure: BaseException) -> str:
    at = next(frame for frame in extract_tb(failure.__traceback__) if frame.filename != __file__)
    return f"\n{at.filename}:{at.lineno}: {at.line}\n{''.join(format_exception_only(failure))}"
