"""Readers of a frame's columns by index, so that a game can name its columns. A missing value is read as 0, '', NO_OBJ
or None."""

from collections.abc import Callable
from typing import Any

from domain.table.table import NO_OBJ, Frame, FrameId, Obj, Place, Seat, ValueColumns


def obj_at(index: int) -> Callable[[ValueColumns], Obj]:
    return lambda columns: columns.objs[index] if len(columns.objs) > index else NO_OBJ


def number_at(index: int) -> Callable[[ValueColumns], int]:
    return lambda columns: columns.numbers[index] if len(columns.numbers) > index else 0


def word_at(index: int) -> Callable[[ValueColumns], str]:
    return lambda columns: columns.words[index] if len(columns.words) > index else ""


def place_at(index: int) -> Callable[[ValueColumns], Place | None]:
    return lambda columns: columns.places[index] if len(columns.places) > index else None


def seat_at(index: int) -> Callable[[ValueColumns], Seat | None]:
    return lambda columns: columns.seats[index] if len(columns.seats) > index else None


def frame_at(index: int) -> Callable[[Frame], FrameId | None]:
    return lambda columns: columns.frames[index] if len(columns.frames) > index else None


def flag_at(index: int) -> Callable[[ValueColumns], bool]:
    """Return a reader that is True if the number is not 0."""
    return lambda columns: len(columns.numbers) > index and columns.numbers[index] != 0


def objs_from(index: int) -> Callable[[ValueColumns], tuple[Obj, ...]]:
    """Return a reader of the objects from this index onwards."""
    return lambda columns: columns.objs[index:]


def with_columns(frame: Frame, **changed: Any) -> ValueColumns:
    return ValueColumns(**{name: changed.get(name, getattr(frame, name)) for name in ValueColumns.__struct_fields__})


def with_number(frame: Frame, index: int, number: int) -> ValueColumns:
    return with_columns(frame, numbers=(*frame.numbers[:index], number, *frame.numbers[index + 1 :]))
