"""Load optional dependencies (extras) on demand."""

from pkgutil import resolve_name
from typing import Any, Final, Literal

from domain.words import Text

Extra = Literal["dask", "serve"]

ADDS: Final[dict[Extra, tuple[str, ...]]] = {
    "dask": ("dask", "distributed"),
    "serve": ("granian", "litestar", "segno"),
}
"""Modules that `pip install 'shinpan[EXTRA]'` adds."""


class MissingExtra(Exception):
    """An extra is not installed; `text` names it."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


def load_extra(where: str, extra: Extra, says: str = "cli.extra") -> Any:
    """Return the object at a dotted path that needs an extra. Raises MissingExtra with the message `says`."""
    try:
        return resolve_name(where)
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in ADDS[extra]:
            raise
        raise MissingExtra(Text(says, {"module": module, "extra": extra})) from None
