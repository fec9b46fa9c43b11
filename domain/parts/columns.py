"""What may be said of a frame."""

from typing import TypedDict

from domain.table.table import CardId, Obj, Place, Seat, Todo


class Columns(TypedDict, total=False):
    """What may be said of a frame beside its lane, kind and seat."""

    step: str
    face: str
    todo: tuple[Todo, ...]
    objs: tuple[Obj, ...]
    places: tuple[Place, ...]
    cards: tuple[CardId, ...]
    seats: tuple[Seat, ...]
    numbers: tuple[int, ...]
    words: tuple[str, ...]
