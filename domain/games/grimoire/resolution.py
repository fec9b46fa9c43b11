"""Automatic steps, up to the next decision. The next step is always stored in the clock and in frames."""

from typing import Final

from domain.games.grimoire import clauses as C, schema as S
from domain.games.grimoire.checkpoint import check
from domain.games.grimoire.effects.program import perform
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.setup import SET_UP_STEPS
from domain.games.grimoire.table_queries import is_out
from domain.games.grimoire.turn import FLOW, end_turn_early
from domain.law.live import LiveTable
from domain.parts import asking
from domain.parts.steps import Steps, repeat_until_done, take_step
from domain.table.facts import Marked
from domain.table.table import Seat, Table

STEPS_MAX: Final = 2_000
"""Limit of automatic steps per entry. The longest run of the sample matches is below a tenth of it."""


def settle(rules: Rules, t: LiveTable) -> None:
    """Run all automatic steps until a decision is due, the match is held, or it is over."""
    repeat_until_done(_advance, rules, t, STEPS_MAX)
    if t.marks.get(S.ACTIONS, 0) > rules.loop_guard and t.result is None and S.HELD not in t.marks:
        t.emit(C.LOOP_GUARD, Marked(None, S.HELD, 1))


def _advance(rules: Rules, t: LiveTable) -> bool:
    if t.result is not None or S.HELD in t.marks or t.asked:
        return False
    if t.running:
        take_step(rules, t, t.running[-1], STEPS)
        return True
    return advance_turn(rules, t)


def advance_turn(rules: Rules, t: LiveTable) -> bool:
    """Advance the turn while nothing is in progress. Return False if a decision is due."""
    clock = t.clock
    active = clock.active
    if active is None:
        return False
    step = FLOW.get((clock.phase, clock.step))
    if clock.phase not in WHOLE_PHASES and is_out(t, active):
        step = end_turn_early
    if step is None:
        return False
    step(rules, t, active)
    return True


def awaited(t: Table) -> tuple[Seat, ...]:
    """Return the seats that must act now. There are none while the match is held."""
    return () if S.HELD in t.marks else asking.awaited(t)


WHOLE_PHASES: Final = (S.SET_UP, S.FINALIZE)
"""Phases that a turn goes through even if its player has lost."""

STEPS: Final[Steps[Rules]] = {"effect": {"perform": perform}, "check": {"line": check}, "set_up": SET_UP_STEPS}
