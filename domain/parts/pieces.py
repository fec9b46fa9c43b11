"""Readers of seats, cards and the clock, and the opponent in games of two seats."""

from collections.abc import Mapping
from typing import Final

from domain.table.facts import Clocked
from domain.table.table import CardId, Clock, Seat, Table

PAIR: Final = (Seat("p1"), Seat("p2"))
_NO_MARKS: Final[Mapping[str, int]] = {}


def opponent(seat: Seat) -> Seat:
    return PAIR[1] if seat == PAIR[0] else PAIR[0]


def seats_in_turn_order(t: Table) -> tuple[Seat, Seat]:
    """Return both seats, the turn player first."""
    active = t.clock.active or t.clock.first or PAIR[0]
    return active, opponent(active)


def seat_mark(t: Table, seat: Seat, mark: str) -> int:
    """Return the number of a seat's mark; 0 if it has none."""
    return t.seats.get(seat, _NO_MARKS).get(mark, 0)


def mark(t: Table, card: CardId, name: str) -> int:
    """Return the number of a card's mark; 0 if it has none."""
    return t.pieces[card].marks.get(name, 0)


def owner(t: Table, card: CardId) -> Seat:
    return t.pieces[card].owner


def controller(t: Table, card: CardId) -> Seat:
    return t.pieces[card].controller


def stance(t: Table, card: CardId) -> int:
    """Return the stance of a card, an index into the schema's stances."""
    return t.pieces[card].stance


def clock_at(t: Table, phase: str, step: str, *awaited: Seat, passed: tuple[Seat, ...] = ()) -> Clocked:
    """Return the fact that moves the clock to another step of the same turn."""
    clock = t.clock
    return Clocked(Clock(clock.turn, clock.active, clock.first, phase, step, awaited, passed))
