"""Automatic steps, up to the next decision. The next step is always stored in the clock and in frames."""

from typing import Final

from domain.games.skillbook import clauses as C, progress as P, schema as S, table_queries as R
from domain.games.skillbook.effects import arrival, battle, items, triggers
from domain.games.skillbook.effects.windows import (
    STACK_WINDOW,
    ask_response,
    clear_passes,
    have_all_passed,
    next_chance,
    next_item,
    note_pass,
    open_window,
)  # fmt: skip
from domain.games.skillbook.effects.zones import bury
from domain.games.skillbook.fighting import step_limit
from domain.games.skillbook.offers import may_respond
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.setup import SET_UP
from domain.games.skillbook.state import check_round, is_round_due
from domain.games.skillbook.turn import FLOW
from domain.games.skillbook.values import EffectsInForce, find_prohibitions
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.law.outcome import EndlessError
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.parts.steps import Step, Steps, take_step
from domain.table.facts import Altered, Popped
from domain.table.table import Frame, Table, is_same_object

STEPS_MAX: Final = 3_000
"""Limit of automatic steps per entry. The longest run of the sample matches is below a tenth of it."""


def settle(rules: Rules, t: LiveTable) -> None:
    """Run all automatic steps until a decision is due or the match is over. Each group of events is followed by checks,
    triggers and the placing of cards, in this order. Then the top process continues."""
    checked = -1
    for _ in range(STEPS_MAX):
        if t.result is not None or t.asked:
            return
        if is_round_due(t) and t.fact_count != checked:
            checked = t.fact_count
            if check_round(rules, t):
                continue
        if not _advance(rules, t):
            return
    raise EndlessError(f"no end after {STEPS_MAX} automatic steps")


def _advance(rules: Rules, t: LiveTable) -> bool:
    if t.waiting and (triggers.line_up(t) or (P.process(t, "trigger") is None and triggers.begin_next(t))):
        return True
    if _ask_placing(t):
        return True
    top = P.top(t)
    if t.stack and (top is None or (top.kind == "window" and R.window_kind(top) != STACK_WINDOW)):
        open_window(t, STACK_WINDOW, R.opponent(next_item(rules, t).by))
        return True
    if top is not None:
        return _advance_process(rules, t, top)
    return _advance_turn(rules, t)


def _ask_placing(t: LiveTable) -> bool:
    """Ask for the placing of drawn or returned cards, the turn player first."""
    if not R.has_drawn_cards(t):
        return False
    for seat in R.seats_in_turn_order(t):
        if R.drawn(t, seat):
            ask(t, C.TURN_DRAW, "place_card", seat)
            return True
    return False


def _advance_process(rules: Rules, t: LiveTable, top: Frame) -> bool:
    """Advance the top process. Return False if it waits for a player."""
    if top.kind in WAITING and t.clock.awaited:
        return False
    take_step(rules, t, top, STEPS)
    return True


WAITING: Final = ("window", "move")
"""Processes that can wait for a player."""


def _advance_turn(rules: Rules, t: LiveTable) -> bool:
    """Advance the match while nothing is in progress. Return False if a decision is due."""
    clock = t.clock
    if clock.phase == S.SET_UP:
        return SET_UP[clock.step](rules, t)
    step = FLOW.get((clock.phase, clock.step))
    if step is None or clock.active is None or clock.awaited:
        return False
    step(rules, t, clock.active)
    return True


# -- windows ----------------------------------------------------------------------------------------------------------


@implements(C.CHANCE_ALTERNATES)
def _window(rules: Rules, t: LiveTable, window: Frame) -> None:
    """Give the next player the chance to respond. Two passes close the window and resolve the next item."""
    is_obsolete = R.window_kind(window) == STACK_WINDOW and not t.stack
    if have_all_passed(t) or is_obsolete:
        t.emit(C.CHANCE_ALTERNATES, Popped(window.id, "closed"))
        clear_passes(t)
        if R.window_kind(window) == STACK_WINDOW and t.stack:
            items.begin_item(t, next_item(rules, t))
        return
    seat = next_chance(t, window)
    if R.hand(t, seat) or may_respond(rules, t, seat):
        ask_response(t, seat)
    else:
        note_pass(t, seat)


# -- moves ------------------------------------------------------------------------------------------------------------


@implements(C.STEP_BY_STEP)
def _move(rules: Rules, t: LiveTable, move: Frame) -> None:
    """Open a window after a step, wait for the next step, or end a move that cannot go on."""
    unit = R.resolve_unit(t, R.unit_of(move))
    if move.step in ("stepped", "halted"):
        t.emit(C.RESPONSES_TO_STEPS, Altered(move.id, step="step" if move.step == "stepped" else "ended"))
        open_window(t, "move_stepped", R.opponent(move.by))
        return
    if unit is None or move.step == "ended" or _is_spent(rules, t, move):
        t.emit(C.STEP_BY_STEP, Popped(move.id, "done"))
        return
    if move.step == "declared":
        t.emit(C.STEP_BY_STEP, Altered(move.id, step="step"))
    t.emit(C.STEP_BY_STEP, clock_at(t, S.MOVE, S.STEP, move.by))


def _is_spent(rules: Rules, t: Table, move: Frame) -> bool:
    """True if a mover has no steps left or is now forbidden to move."""
    unit, effects = R.unit_of(move).card, EffectsInForce(rules, t)
    if step_limit(rules, t, effects, move) <= R.spent(move):
        return True
    banning = find_prohibitions(rules, t, effects, "move", unit)
    if banning:
        note(t, C.CANNOT_WINS, *banning)
    return bool(banning)


# -- curses -----------------------------------------------------------------------------------------------------------


def _dispel(rules: Rules, t: LiveTable, dispelling: Frame) -> None:
    curse = R.source_of(dispelling)
    t.emit(C.CURSE_DISPELLED, Popped(dispelling.id, "done"))
    if is_same_object(t, curse):
        bury(t, (curse.card,), C.CURSE_DISPELLED)


_WINDOW: Final[Step[Rules]] = _window
_MOVE: Final[Step[Rules]] = _move
_DISPEL: Final[Step[Rules]] = _dispel
STEPS: Final[Steps[Rules]] = {
    "skill": items.STEPS,
    "ability": items.STEPS,
    "trigger": triggers.STEPS,
    "arrival": arrival.STEPS,
    "battle": battle.STEPS,
    "window": {"": _WINDOW},
    "move": {"": _MOVE},
    "dispelling": {"": _DISPEL},
}
