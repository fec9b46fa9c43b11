"""What stands in a frame: read by its place in a column, for which a game has names; and columns in which it changes.

A frame that says less than a game asks for says nothing there.
"""

from collections.abc import Callable
from typing import Any

from domain.table.table import NO_OBJ, Columns, Frame, Obj


def obj_at(place: int) -> Callable[[Columns], Obj]:
    """An object that a frame is about."""
    return lambda held: held.objs[place] if len(held.objs) > place else NO_OBJ


def number_at(place: int) -> Callable[[Columns], int]:
    """A number that a frame holds."""
    return lambda held: held.numbers[place] if len(held.numbers) > place else 0


def word_at(place: int) -> Callable[[Columns], str]:
    """A word that a frame holds."""
    return lambda held: held.words[place] if len(held.words) > place else ""


def with_columns(held: Frame, **changed: Any) -> Columns:
    """A frame's columns with some of them others."""
    return Columns(**{name: changed.get(name, getattr(held, name)) for name in Columns.__struct_fields__})


def with_number(held: Frame, place: int, number: int) -> Columns:
    """A frame's columns with another number."""
    return with_columns(held, numbers=(*held.numbers[:place], number, *held.numbers[place + 1 :]))
