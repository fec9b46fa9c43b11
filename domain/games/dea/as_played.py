"""Handling of as-played actions, which are carried out whether or not they were legal."""

from functools import partial
from typing import Final, get_args

from domain.games.dea import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.dea.carry_out import answer_payment, carry_out, continue_item
from domain.games.dea.effects import automatic
from domain.games.dea.effects.items import close_window
from domain.games.dea.effects.moves import move_to_sleeve
from domain.games.dea.legality import checks
from domain.games.dea.offers import offers
from domain.games.dea.resolution import settle
from domain.games.dea.rules import Rules
from domain.games.dea.turn import end_main_phase
from domain.law.actions import Pass
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import answers, open_question, served, skip_questions, skip_unanswerable
from domain.parts.pieces import clock_at
from domain.table.facts import Clocked
from domain.table.table import Frame, Seat

OPEN_ONLY: Final = (A.Move, A.Attack, A.EndMain)
"""Actions for an open main phase, without a window."""
IN_WINDOW: Final = (*get_args(A.Declared), A.ConvertHand, Pass)
"""Actions for the player who has the opportunity."""
LEFT_TO_CHANCE: Final = "tie_break"
"""The question that decides the match, so it is never skipped."""


def interrupt(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action out of turn. Only an answer from the right player ends a question.

    A window of the opponent stays open, and so does a phase that another player must end.
    """
    asked = open_question(t)
    if asked is not None and isinstance(action, (*ANSWERS, *get_args(A.Outcome))):
        if asked.by == actor and answers(asked, action):
            carry_out(rules, t, actor, action)
        elif isinstance(action, A.DiscardToLimit) and action.card in t.pieces:
            move_to_sleeve(t, (action.card,), C.DISCARD_TO_LIMIT)
    elif not _ends_early(t, actor, action):
        _carry_out_and_restore(rules, t, actor, action)
    skip_unanswerable(
        t,
        C.CHOICE_PENDING,
        ANSWERS,
        partial(offers, rules, t),
        partial(checks, rules, t),
        partial(_skip_question, rules, t),
    )


ANSWERS: Final = get_args(A.Answer)


def _carry_out_and_restore(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action, and restore the clock if the match still waits for something else.

    A move or attack by the next turn player first ends the phase whose end window is open.
    """
    if t.clock.step == S.END_WINDOW and actor in t.clock.awaited and isinstance(action, OPEN_ONLY):
        end_main_phase(rules, t, C.END_WINDOW)
        settle(rules, t)
    before, is_restored = t.clock, bool(t.asked)
    if before.phase == S.MAIN and not isinstance(action, (*OPEN_ONLY, A.ConvertHand)):
        _take_opportunity(t, actor)
    carry_out(rules, t, actor, action)
    is_out_of_turn_set_up = before.phase == S.STANDBY and actor not in before.awaited
    is_attack_in_window = isinstance(action, A.Attack) and before.step in (S.WINDOW, S.END_WINDOW)
    is_restored = is_restored or is_out_of_turn_set_up or (is_attack_in_window and t.clock.step == S.RESOLVING)
    if is_restored and t.clock != before and t.result is None:
        t.emit(C.OPPORTUNITY, Clocked(before))


def _ends_early(t: LiveTable, actor: Seat, action: A.AnyAction) -> bool:
    """True if the action would end a question, an opponent's window, or a phase that the actor may not end."""
    if isinstance(action, A.EndMain):
        is_in_turn = t.clock.step == S.OPEN and actor == t.clock.active
        return bool(t.asked) or not is_in_turn
    if isinstance(action, Pass):
        would_end = t.clock.step == S.END_WINDOW or bool(t.clock.passed)
        return bool(t.asked) or (would_end and actor not in t.clock.awaited)
    return False


def resume(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Make an action as played possible: skip open choices and close windows. Set-up is not repaired."""
    if t.clock.phase == S.STANDBY:
        return
    _skip(rules, t, action)
    if isinstance(action, OPEN_ONLY):
        _open_main(rules, t, actor, action)
    elif isinstance(action, IN_WINDOW):
        _take_opportunity(t, actor)


def _take_opportunity(t: LiveTable, actor: Seat) -> None:
    if _is_main_idle(t) and R.in_window(t) and actor not in t.clock.awaited:
        t.emit(C.OPPORTUNITY, clock_at(t, S.MAIN, t.clock.step, actor, passed=t.clock.passed))


def _open_main(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    while _is_main_idle(t) and t.clock.step == S.WINDOW:
        close_window(t)
        settle(rules, t)
        _skip(rules, t, action)
    if not _is_main_idle(t) or t.clock.step != S.END_WINDOW:
        return
    if actor != t.clock.active:  # the next turn player has accepted the end of the phase
        end_main_phase(rules, t, C.END_WINDOW)
        settle(rules, t)
        _skip(rules, t, action)
    elif not isinstance(action, A.EndMain):
        t.emit(C.BACK_TO_MAIN, clock_at(t, S.MAIN, S.OPEN, actor))


def _is_main_idle(t: LiveTable) -> bool:
    return not t.asked and t.result is None and t.clock.phase == S.MAIN


def _skip(rules: Rules, t: LiveTable, action: A.AnyAction) -> None:
    def stays(asked: Frame) -> bool:
        return answers(asked, action) or asked.kind == LEFT_TO_CHANCE

    skip_questions(t, C.CHOICE_PENDING, stays, partial(_skip_question, rules, t))


def _skip_question(rules: Rules, t: LiveTable, asked: Frame) -> None:
    item = served(t, asked)
    match asked.kind:
        case "choose_cards" | "random_discard":
            continue_item(rules, t, item)
        case "pay_or_decline":
            answer_payment(rules, t, asked, item, False, ())
        case "choose_next_effect":
            if t.waiting:
                automatic.begin(t, t.waiting[0])
        case "discard_to_limit":
            note(t, C.DISCARD_TO_LIMIT, asked.by)
        case _:
            pass
    settle(rules, t)
