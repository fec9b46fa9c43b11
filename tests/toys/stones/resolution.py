"""Automatic processing after an action: the end, or the next turn."""

from domain.law.live import LiveTable
from domain.table.facts import Clocked, Finished, Marked
from domain.table.table import Clock, Result, Seat, Table
from tests.toys.stones import clauses as C
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import OFFERING, PLAY
from tests.toys.stones.table_queries import RUNNER, SEATS, opponent, pieces_of, steps_of


def awaited(t: Table) -> tuple[Seat, ...]:
    return () if t.result is not None else t.clock.awaited


def settle(rules: Rules, t: LiveTable) -> None:
    """Start a turn if no seat is awaited: at the beginning and after a step."""
    if t.result is not None or t.clock.awaited:
        return
    last = t.clock.active
    following = SEATS[0] if last is None else opponent(last)
    arrived = {seat: len(pieces_of(t, seat, RUNNER)) for seat in SEATS}
    ahead = max(SEATS, key=arrived.__getitem__)
    if arrived[ahead] >= rules.goal:
        t.emit(C.CROSSED, Finished(Result((ahead,), "crossed")))
        return
    if not any(steps_of(rules, t, card) for card in pieces_of(t, following)):
        t.emit(C.STUCK, Finished(Result((opponent(following),) if rules.stuck == "loses" else (), "stuck")))
        return
    for seat in SEATS:
        if t.seats[seat].get(OFFERING):
            t.emit(C.BY_TURNS, Marked(seat, OFFERING, 0))
    t.emit(C.BY_TURNS, Clocked(Clock(t.clock.turn + 1, following, SEATS[0], PLAY, "", (following,))))
