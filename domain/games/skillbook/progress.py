"""State in progress: the top process, the open window, the open move."""

from domain.games.skillbook import schema as S, table_queries as R
from domain.table.table import CardId, Clock, Frame, Seat, Table


def process(t: Table, kind: str) -> Frame | None:
    for frame in reversed(t.running):
        if frame.kind == kind:
            return frame
    return None


def top(t: Table) -> Frame | None:
    return t.running[-1] if t.running else None


def window(t: Table) -> Frame | None:
    """Return the open window, if it is the process on top."""
    frame = top(t)
    return frame if frame is not None and frame.kind == "window" else None


def has_chance(t: Table, seat: Seat) -> bool:
    return window(t) is not None and not t.asked and seat in t.clock.awaited


def with_chance(t: Table, seat: Seat) -> Table:
    """Return a copy of the table on which the seat has the chance to respond."""
    clock = t.clock
    new_clock = Clock(clock.turn, clock.active, clock.first, clock.phase, clock.step, (seat,), clock.passed)
    return Table(
        t.pieces, t.places, t.seats, t.marks, t.stack, t.running, t.waiting, t.asked, t.effects, new_clock,
        t.minted, t.framed, t.begun, t.result,
    )  # fmt: skip


def is_idle(t: Table) -> bool:
    return (t.clock.phase, t.clock.step) == (S.MAIN, S.IDLE) and not t.asked and not t.running and not t.stack


def is_open_move(move: Frame) -> bool:
    return move.step not in ("halted", "ended")


def mover(t: Table) -> CardId | None:
    move = process(t, "move")
    return None if move is None or not is_open_move(move) else R.resolve_unit(t, R.unit_of(move))


def item(t: Table, number: int) -> Frame | None:
    return next((frame for frame in t.stack if frame.id == number), None)
