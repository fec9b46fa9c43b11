"""What happens by itself until somebody is asked. Steps are named in the clock and in frames, never remembered."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects import automatic, items
from domain.games.dea.effects.foreshadows import OPENED
from domain.games.dea.rules import Rules
from domain.games.dea.setup import SET_UP
from domain.games.dea.state import check_state
from domain.games.dea.turn import FLOW, Flow
from domain.law.clause import carries
from domain.law.live import Live
from domain.parts.pieces import clock_at
from domain.parts.steps import Steps, go_on, take
from domain.table.table import Seat

STEPS_MAX: Final = 2_000
"""Bound on the automatic steps of one entry; a match's longest run stays under a tenth of it."""
STEPS: Final[Steps[Rules]] = {**items.STEPS, "automatic": {"perform": automatic.perform}}


def settle(rules: Rules, t: Live) -> None:
    """Everything automatic, until somebody is asked or may act, or the match is over."""
    go_on(_next, rules, t, STEPS_MAX)


def _next(rules: Rules, t: Live) -> bool:
    """What happens by itself now; returns whether anything did."""
    if t.result is not None or t.asked:
        return False
    if t.running:
        take(rules, t, t.running[-1], STEPS)
        return True
    if t.waiting:
        if R.in_window(t):
            return False
        automatic.process_next(rules, t)
        return True
    clock = t.clock
    if clock.phase == S.STANDBY:
        return SET_UP[clock.step](rules, t)
    step = _FLOW.get((clock.phase, clock.step))
    if step is None or clock.active is None:
        return False
    step(rules, t, clock.active)
    return True


@carries(C.LAST_DECLARED_FIRST)
def _resolve(rules: Rules, t: Live, active: Seat) -> None:
    """The next item is taken up, or a window opens for it; with an empty stack the main phase goes on."""
    if not t.stack:
        if rules.victory_check == "end_of_stack":
            check_state(rules, t, "stack")
            if t.result is not None or t.asked:
                return
        t.tell(C.BACK_TO_MAIN, clock_at(t, S.MAIN, S.OPEN, active))
    elif rules.stack_resolution == "reopen" and t.stack[-1].step != OPENED:
        t.tell(C.OPPONENT_FIRST, clock_at(t, S.MAIN, S.WINDOW, R.opponent(t.stack[-1].by)))
    else:
        items.take_up(t, t.stack[-1])


_FLOW: Final[Mapping[tuple[str, str], Flow]] = {**FLOW, (S.MAIN, S.RESOLVING): _resolve}
"""What goes on without anybody's decision, the stack included."""
