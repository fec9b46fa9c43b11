"""Automatic steps, up to the next decision. The next step is always stored in the clock and in frames."""

from typing import Final

from domain.games.grimoire import clauses as C, schema as S
from domain.games.grimoire.checkpoint import check
from domain.games.grimoire.effects.program import perform
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.setup import SET_UP_STEPS
from domain.games.grimoire.table_queries import is_out
from domain.games.grimoire.turn import FLOW, cut_short
from domain.law.live import Live
from domain.parts import asking
from domain.parts.steps import Steps, go_on, take
from domain.table.facts import Marked
from domain.table.table import Seat, Table

STEPS_MAX: Final = 2_000
"""Limit of automatic steps per entry. The longest run of the sample matches is below a tenth of it."""


def settle(rules: Rules, t: Live) -> None:
    """Run all automatic steps until a decision is due, the match is held, or it is over."""
    go_on(_advance, rules, t, STEPS_MAX)
    if t.marks.get(S.ACTIONS, 0) > rules.loop_guard and t.result is None and S.HELD not in t.marks:
        t.tell(C.LOOP_GUARD, Marked(None, S.HELD, 1))


def _advance(rules: Rules, t: Live) -> bool:
    if t.result is not None or S.HELD in t.marks or t.asked:
        return False
    if t.running:
        take(rules, t, t.running[-1], STEPS)
        return True
    return flow(rules, t)


def flow(rules: Rules, t: Live) -> bool:
    """Advance the turn while nothing is in progress. Return False if a decision is due."""
    clock = t.clock
    active = clock.active
    if active is None:
        return False
    step = FLOW.get((clock.phase, clock.step))
    if clock.phase not in WHOLE_PHASES and is_out(t, active):
        step = cut_short
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
