"""The table of any game, and functions that read it. `domain.table.things` defines what lies on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from domain.table.things import (
    CHANCE,
    EVERYONE,
    JUDGE,
    LANES,
    NO_CLOCK,
    NO_OBJ,
    NOBODY,
    CardId,
    Clock,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Lane,
    Obj,
    Piece,
    Place,
    Result,
    Seat,
    Todo,
    ValueColumns,
)

__all__: Final = (
    "CHANCE", "CardId", "Clock", "ValueColumns", "EVERYONE", "Effect", "EffectId", "Frame", "FrameId", "JUDGE", "LANES",
    "Lane", "NOBODY", "NO_CLOCK", "NO_OBJ", "Obj", "Piece", "Place", "Result", "Seat", "Table", "Todo", "area",
    "blank", "frame", "lane", "is_over", "is_same_object", "square", "seat_of", "zone",
)  # fmt: skip


@dataclass(slots=True)
class Table:
    """The whole physical state. Only `evolve` and `folding` write, and only to a `Draft`."""

    pieces: Mapping[CardId, Piece]
    places: Mapping[Place, tuple[CardId, ...]]
    seats: Mapping[Seat, Mapping[str, int]]
    marks: Mapping[str, int] = field(default_factory=dict)
    stack: tuple[Frame, ...] = ()
    running: tuple[Frame, ...] = ()
    waiting: tuple[Frame, ...] = ()
    asked: tuple[Frame, ...] = ()
    effects: tuple[Effect, ...] = ()
    clock: Clock = NO_CLOCK
    minted: int = 0
    framed: int = 0
    begun: int = 0
    result: Result | None = None

    def with_changes(self, **changes: Any) -> "Table":
        return replace(self, **changes)


def blank(seats: tuple[Seat, ...]) -> Table:
    return Table(pieces={}, places={}, seats={seat: {} for seat in seats})


def area(place: Place) -> str:
    """Return the area of a place: `unit` for the square `unit:3,4`, and the place itself for one without squares."""
    return place.partition(":")[0]


def zone(place: Place) -> str:
    """Return the name of a place's area without its seat: `hand` for `p1.hand`."""
    seat, dot, name = area(place).partition(".")
    return name if dot else seat


def seat_of(place: Place) -> Seat | None:
    """Return the seat that a place belongs to, None for a shared place."""
    seat, dot, _ = area(place).partition(".")
    return Seat(seat) if dot else None


def square(place: Place) -> str:
    """Return the square or slot of a place: `3,4` for `unit:3,4`, '' if its area has none."""
    return place.partition(":")[2]


def lane(table: Table, name: Lane) -> tuple[Frame, ...]:
    """Return the frames of a lane, oldest first."""
    frames: tuple[Frame, ...] = getattr(table, name)
    return frames


def frame(table: Table, wanted: FrameId) -> Frame | None:
    """Return the frame with this id in any lane, None if there is none."""
    for candidate in (*table.stack, *table.running, *table.waiting, *table.asked):
        if candidate.id == wanted:
            return candidate
    return None


def is_over(table: Table) -> bool:
    """True if the match has ended. A function, because a compiler assumes that `table.result` does not change."""
    return table.result is not None


def is_same_object(table: Table, obj: Obj) -> bool:
    """True if the reference still means the same object."""
    piece = table.pieces.get(obj.card)
    return piece is not None and piece.thing == obj.thing
