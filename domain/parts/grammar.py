"""Grammar of card text: the nesting of its programs."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


class Grammar(Struct, frozen=True):
    """The fields of each type of text that hold programs, and other content of a text by number. If a text has several
    programs, a step of the path chooses one. `gives` functions raise LookupError for a bad number."""

    programs: Mapping[type, tuple[str, ...]]
    gives: Mapping[type, Callable[[Any, int], Any]]
