"""Core flow: the automatic steps up to the next decision. The clock and frames store the current step."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects import automatic, items
from domain.games.dea.effects.foreshadows import STEP_OPENED
from domain.games.dea.rules import Rules
from domain.games.dea.setup import SET_UP
from domain.games.dea.state_check import check_state
from domain.games.dea.turn import NEXT_STEPS, Flow
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.parts.pieces import clock_at
from domain.parts.steps import Steps, repeat_until_done, take_step
from domain.table.table import Seat

STEPS_MAX: Final = 2_000
"""Bound on the automatic steps of one entry, more than ten times the longest run observed."""
STEPS: Final[Steps[Rules]] = {**items.STEPS, "automatic": {"perform": automatic.perform}}


def settle(rules: Rules, t: LiveTable) -> None:
    """Run the automatic steps until a player must decide or may act, or the match ends."""
    repeat_until_done(_run_next_step, rules, t, STEPS_MAX)


def _run_next_step(rules: Rules, t: LiveTable) -> bool:
    """Run one automatic step. Return True if there was one."""
    if t.result is not None or t.asked:
        return False
    if t.running:
        take_step(rules, t, t.running[-1], STEPS)
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


@implements(C.LAST_DECLARED_FIRST)
def _resolve(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Resolve the next item or open a window for it. An empty stack leads back to the main phase."""
    if not t.stack:
        if rules.victory_check == "end_of_stack":
            check_state(rules, t, "stack")
            if t.result is not None or t.asked:
                return
        t.emit(C.BACK_TO_MAIN, clock_at(t, S.MAIN, S.OPEN, active))
    elif rules.stack_resolution == "reopen" and t.stack[-1].step != STEP_OPENED:
        t.emit(C.OPPONENT_FIRST, clock_at(t, S.MAIN, S.WINDOW, R.opponent(t.stack[-1].by)))
    else:
        items.start_resolving(t, t.stack[-1])


_FLOW: Final[Mapping[tuple[str, str], Flow]] = {**NEXT_STEPS, (S.MAIN, S.RESOLVING): _resolve}
