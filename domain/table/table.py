"""The table whatever the game, and how it is read. What lies on it is said by `domain.table.things`."""

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
    "blank", "frame", "lane", "over", "same", "square", "whose", "zone",
)  # fmt: skip


@dataclass(slots=True)
class Table:
    """The whole physical state. Nobody writes to it but a live `Draft` of it, and only `evolve` to that."""

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

    def but(self, **changes: Any) -> "Table":
        """The same table with some of its parts others."""
        return replace(self, **changes)


def blank(seats: tuple[Seat, ...]) -> Table:
    """A table with nothing on it."""
    return Table(pieces={}, places={}, seats={seat: {} for seat in seats})


def area(place: Place) -> str:
    """The area a place belongs to: a grid square `unit:3,4` lies in `unit`, a zone is its own area."""
    return place.partition(":")[0]


def zone(place: Place) -> str:
    """The name of the area a place belongs to, whosever it is: `hand` for `p1.hand`."""
    seat, dot, name = area(place).partition(".")
    return name if dot else seat


def whose(place: Place) -> Seat | None:
    """The seat whose place it is, None for a shared one."""
    seat, dot, _ = area(place).partition(".")
    return Seat(seat) if dot else None


def square(place: Place) -> str:
    """Which square of a grid, or which slot, a place is: `3,4` for `unit:3,4`; empty where its area has none."""
    return place.partition(":")[2]


def lane(table: Table, name: Lane) -> tuple[Frame, ...]:
    """The frames of one lane, oldest first."""
    frames: tuple[Frame, ...] = getattr(table, name)
    return frames


def frame(table: Table, wanted: FrameId) -> Frame | None:
    """The frame of that id, wherever it waits."""
    for waiting in (*table.stack, *table.running, *table.waiting, *table.asked):
        if waiting.id == wanted:
            return waiting
    return None


def over(table: Table) -> bool:
    """Has the match ended? For whoever asks twice: a compiler takes what it looked up for what still holds."""
    return table.result is not None


def same(table: Table, obj: Obj) -> bool:
    """Is this still the object that was meant?"""
    piece = table.pieces.get(obj.card)
    return piece is not None and piece.thing == obj.thing
