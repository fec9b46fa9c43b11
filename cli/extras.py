"""What comes with an extra is loaded where it is asked for, and named where it is missing."""

from pkgutil import resolve_name
from typing import Any

from cli.context import Desk

EXTRAS: dict[str, tuple[str, ...]] = {"table": ("pyarrow",), "dask": ("distributed", "dask")}
"""What `pip install 'shinpan[EXTRA]'` adds, by the extra."""


def load_extra(desk: Desk, where: str, extra: str) -> Any:
    """A function that needs an extra. Raises Problem, naming the extra, where that is not installed."""
    try:
        return resolve_name(where)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS[extra]:
            raise
        raise desk.problem("cli.extra", module=error.name, extra=extra) from None
