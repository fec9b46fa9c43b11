"""How the programs of card text stand inside each other."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


class Grammar(Struct, frozen=True):
    """Which fields of a piece of text hold programs, by its type, and what else stands inside a piece under a number.

    Of several programs a step of the path says which. `gives` raises LookupError where nothing stands.
    """

    programs: Mapping[type, tuple[str, ...]]
    gives: Mapping[type, Callable[[Any, int], Any]]
