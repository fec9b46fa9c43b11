"""Windows in which responses may be used: who has the chance, when two passes close one."""

from typing import Final

from domain.games.skillbook import clauses as C, table_queries as R
from domain.games.skillbook.rules import Rules
from domain.law.clause import carries
from domain.law.live import Live
from domain.parts.asking import push
from domain.table import facts as F
from domain.table.table import JUDGE, Clock, Frame, Seat, Table

STACK_WINDOW: Final = "stack"


def open_window(t: Live, kind: str, first: Seat) -> None:
    """A window opens; its first player has the chance first."""
    push(t, C.CHANCE_ALTERNATES, "running", "window", JUDGE, words=(kind,), seats=(first,))
    restart(t)


def restart(t: Live) -> None:
    """Nobody has passed yet in the window that is open now."""
    if t.clock.awaited or t.clock.passed:
        t.tell(C.CHANCE_ALTERNATES, _with_chance(t, (), ()))


def _with_chance(t: Table, awaited: tuple[Seat, ...], passed: tuple[Seat, ...]) -> F.Clocked:
    clock = t.clock
    return F.Clocked(Clock(clock.turn, clock.active, clock.first, clock.phase, clock.step, awaited, passed))


def next_chance(t: Table, window: Frame) -> Seat:
    """Who has the chance next: its first player, then the other of whoever passed."""
    return R.opponent(t.clock.passed[-1]) if t.clock.passed else R.window_first(window)


def give_chance(t: Live, seat: Seat) -> None:
    """A player may use a response or pass."""
    t.tell(C.CHANCE_ALTERNATES, _with_chance(t, (seat,), t.clock.passed))


def note_pass(t: Live, seat: Seat) -> None:
    """A player passes, or is passed over because it could do nothing and everybody knows."""
    t.tell(C.CHANCE_ALTERNATES, _with_chance(t, (), (*t.clock.passed, seat)))


def is_through(t: Table) -> bool:
    return len(t.clock.passed) >= len(R.SEATS)


@carries(C.STACK)
def next_item(rules: Rules, t: Table) -> Frame:
    """The item that resolves next: the one declared last, or first where that is the reading."""
    return t.stack[0] if rules.stack_order == "fifo" else t.stack[-1]
