"""Readers of a frame's columns by index, so that a game can name its columns. A missing value is read as 0, '', NO_OBJ
or None."""

from collections.abc import Callable
from typing import Any

from domain.table.table import NO_OBJ, Frame, FrameId, Obj, Place, Seat, ValueColumns


def obj_at(place: int) -> Callable[[ValueColumns], Obj]:
    return lambda held: held.objs[place] if len(held.objs) > place else NO_OBJ


def number_at(place: int) -> Callable[[ValueColumns], int]:
    return lambda held: held.numbers[place] if len(held.numbers) > place else 0


def word_at(place: int) -> Callable[[ValueColumns], str]:
    return lambda held: held.words[place] if len(held.words) > place else ""


def place_at(place: int) -> Callable[[ValueColumns], Place | None]:
    return lambda held: held.places[place] if len(held.places) > place else None


def seat_at(place: int) -> Callable[[ValueColumns], Seat | None]:
    return lambda held: held.seats[place] if len(held.seats) > place else None


def frame_at(place: int) -> Callable[[Frame], FrameId | None]:
    return lambda held: held.frames[place] if len(held.frames) > place else None


def flag_at(place: int) -> Callable[[ValueColumns], bool]:
    """Return a reader that is True if the number is not 0."""
    return lambda held: len(held.numbers) > place and held.numbers[place] != 0


def objs_from(place: int) -> Callable[[ValueColumns], tuple[Obj, ...]]:
    """Return a reader of the objects from this index onwards."""
    return lambda held: held.objs[place:]


def with_columns(held: Frame, **changed: Any) -> ValueColumns:
    return ValueColumns(**{name: changed.get(name, getattr(held, name)) for name in ValueColumns.__struct_fields__})


def with_number(held: Frame, place: int, number: int) -> ValueColumns:
    return with_columns(held, numbers=(*held.numbers[:place], number, *held.numbers[place + 1 :]))
