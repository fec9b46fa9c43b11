"""Grammar of card text: the nesting of its programs."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


class Grammar(Struct, frozen=True):
    """The structure of card text, by type of text. `programs` are the fields that hold programs; if there are several,
    a step of the path chooses one. `gives` returns other parts by number, or raises LookupError."""

    programs: Mapping[type, tuple[str, ...]]
    gives: Mapping[type, Callable[[Any, int], Any]]
