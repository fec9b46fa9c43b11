"""What is read of seats, cards and the clock in every game, and of two seats the other one."""

from collections.abc import Mapping
from typing import Final

from domain.table.facts import Clocked
from domain.table.table import CardId, Clock, Seat, Table

PAIR: Final = (Seat("p1"), Seat("p2"))
_NO_MARKS: Final[Mapping[str, int]] = {}


def opponent(seat: Seat) -> Seat:
    """The other one of two."""
    return PAIR[1] if seat == PAIR[0] else PAIR[0]


def by_turn(t: Table) -> tuple[Seat, Seat]:
    """Both of two, the turn player first."""
    active = t.clock.active or t.clock.first or PAIR[0]
    return active, opponent(active)


def seat_mark(t: Table, seat: Seat, mark: str) -> int:
    """The number of a mark of a seat; 0 if it has none."""
    return t.seats.get(seat, _NO_MARKS).get(mark, 0)


def mark(t: Table, card: CardId, name: str) -> int:
    """A mark of a card; 0 if it has none."""
    return t.pieces[card].marks.get(name, 0)


def owner(t: Table, card: CardId) -> Seat:
    """Whose card it is."""
    return t.pieces[card].owner


def controller(t: Table, card: CardId) -> Seat:
    """Who controls a card."""
    return t.pieces[card].controller


def stance(t: Table, card: CardId) -> int:
    """How a card lies, by its number."""
    return t.pieces[card].stance


def clock_at(t: Table, phase: str, step: str, *awaited: Seat, passed: tuple[Seat, ...] = ()) -> Clocked:
    """The clock of the running turn at another step."""
    clock = t.clock
    return Clocked(Clock(clock.turn, clock.active, clock.first, phase, step, awaited, passed))
