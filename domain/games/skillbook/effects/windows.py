"""Windows for responses. The chance to respond alternates, and two passes close a window."""

from typing import Final

from domain.games.skillbook import clauses as C, table_queries as R
from domain.games.skillbook.rules import Rules
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.parts.asking import push
from domain.table import facts as F
from domain.table.table import JUDGE, Clock, Frame, Seat, Table

STACK_WINDOW: Final = "stack"


def open_window(t: LiveTable, kind: str, first: Seat) -> None:
    push(t, C.CHANCE_ALTERNATES, "running", "window", JUDGE, words=(kind,), seats=(first,))
    clear_passes(t)


def clear_passes(t: LiveTable) -> None:
    """Clear the passes of the current window."""
    if t.clock.awaited or t.clock.passed:
        t.emit(C.CHANCE_ALTERNATES, _with_chance(t, (), ()))


def _with_chance(t: Table, awaited: tuple[Seat, ...], passed: tuple[Seat, ...]) -> F.Clocked:
    clock = t.clock
    return F.Clocked(Clock(clock.turn, clock.active, clock.first, clock.phase, clock.step, awaited, passed))


def next_chance(t: Table, window: Frame) -> Seat:
    """Return who may respond next: the window's first player, or the opponent of the last player to pass."""
    return R.opponent(t.clock.passed[-1]) if t.clock.passed else R.window_first(window)


def ask_response(t: LiveTable, seat: Seat) -> None:
    t.emit(C.CHANCE_ALTERNATES, _with_chance(t, (seat,), t.clock.passed))


def note_pass(t: LiveTable, seat: Seat) -> None:
    """Record a pass, also for a player who is publicly unable to respond."""
    t.emit(C.CHANCE_ALTERNATES, _with_chance(t, (), (*t.clock.passed, seat)))


def have_all_passed(t: Table) -> bool:
    return len(t.clock.passed) >= len(R.SEATS)


@implements(C.STACK)
def next_item(rules: Rules, t: Table) -> Frame:
    """Return the item that resolves next: the newest, or with "fifo" the oldest."""
    return t.stack[0] if rules.stack_order == "fifo" else t.stack[-1]
