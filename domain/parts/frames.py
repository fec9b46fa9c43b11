"""What stands in a frame: read by its place in a column, for which a game has names; and columns in which it changes.

A frame that says less than a game asks for says nothing there.
"""

from collections.abc import Callable
from typing import Any

from domain.table.table import NO_OBJ, Frame, FrameId, Obj, Place, Seat, ValueColumns


def obj_at(place: int) -> Callable[[ValueColumns], Obj]:
    """An object that a frame is about."""
    return lambda held: held.objs[place] if len(held.objs) > place else NO_OBJ


def number_at(place: int) -> Callable[[ValueColumns], int]:
    """A number that a frame holds."""
    return lambda held: held.numbers[place] if len(held.numbers) > place else 0


def word_at(place: int) -> Callable[[ValueColumns], str]:
    """A word that a frame holds."""
    return lambda held: held.words[place] if len(held.words) > place else ""


def place_at(place: int) -> Callable[[ValueColumns], Place | None]:
    """A place that a frame names."""
    return lambda held: held.places[place] if len(held.places) > place else None


def seat_at(place: int) -> Callable[[ValueColumns], Seat | None]:
    """A seat that a frame names."""
    return lambda held: held.seats[place] if len(held.seats) > place else None


def frame_at(place: int) -> Callable[[Frame], FrameId | None]:
    """Another frame that a frame names."""
    return lambda held: held.frames[place] if len(held.frames) > place else None


def flag_at(place: int) -> Callable[[ValueColumns], bool]:
    """True if the number at this place is not 0."""
    return lambda held: len(held.numbers) > place and held.numbers[place] != 0


def objs_from(place: int) -> Callable[[ValueColumns], tuple[Obj, ...]]:
    """The objects of a frame from this place on."""
    return lambda held: held.objs[place:]


def with_columns(held: Frame, **changed: Any) -> ValueColumns:
    """A frame's columns with some of them others."""
    return ValueColumns(**{name: changed.get(name, getattr(held, name)) for name in ValueColumns.__struct_fields__})


def with_number(held: Frame, place: int, number: int) -> ValueColumns:
    """A frame's columns with another number."""
    return with_columns(held, numbers=(*held.numbers[:place], number, *held.numbers[place + 1 :]))
