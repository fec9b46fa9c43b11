"""A game before its law is written: a table, cards and options that positions can name."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.law.game import Option
from domain.table.schema import Schema


class Sketch(Struct, frozen=True):
    """What can be checked of a position in a game without law.

    `copies` says how many of a face a deck may hold with these settings; None is as many as one likes. `numbers` are
    settings that are no options.
    """

    key: str
    schema: Schema
    faces: tuple[str, ...]
    copies: Callable[[Mapping[str, Any], str], int | None]
    options: tuple[Option, ...]
    numbers: tuple[str, ...]
