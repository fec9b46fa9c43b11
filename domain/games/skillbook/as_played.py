"""Actions as played: the match is adjusted until the action is due."""

from functools import partial
from typing import Final, get_args

from domain.games.skillbook import actions as A, clauses as C, progress as P, schema as S, table_queries as R
from domain.games.skillbook.carry_out import carry_out
from domain.games.skillbook.effects import battle, triggers
from domain.games.skillbook.effects.answers import decide_counter, place_card
from domain.games.skillbook.effects.windows import clear_passes, note_pass
from domain.games.skillbook.effects.zones import bury, put_in_hand
from domain.games.skillbook.legality import checks, is_answer
from domain.games.skillbook.offers import offers
from domain.games.skillbook.resolution import settle
from domain.games.skillbook.rules import Rules
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.live import LiveTable
from domain.parts.asking import open_question, served, skip_questions, skip_unanswerable
from domain.parts.pieces import clock_at
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CHANCE, Frame, Seat, frame, is_over


def interrupt(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action out of turn, as played. Only the seat asked can close an open question, by its answer.
    Windows, turns and choices of the other player stay."""
    asked = open_question(t)
    if isinstance(action, A.Answer | A.Outcome):
        if asked is None or (asked.by == actor and is_answer(asked, action)):
            carry_out(rules, t, actor, action)
        elif isinstance(action, A.PlaceCard) and asked.by != CHANCE:
            place_card(t, actor, action)
    elif asked is not None and asked.by == CHANCE:
        carry_out(rules, t, actor, action)
    elif not _has_no_effect(t, actor, action):
        if asked is None and isinstance(action, A.Turning | A.Upkeep | PROCESS_STARTERS) and _is_own_move(t, actor):
            _end_move(rules, t)
        is_charge_choice = (t.clock.phase, t.clock.step) == (S.CHARGE, S.CHOICE)
        carry_out(rules, t, actor, action, interrupts=not isinstance(action, A.Turning))
        if is_charge_choice and t.clock.phase != S.CHARGE and isinstance(action, A.Use | A.Upkeep):
            t.emit(C.CHARGING, clock_at(t, S.DRAW, S.DRAW))  # the choice to charge is due after the use
    skip_unanswerable(
        t,
        C.DECISION_FIRST,
        get_args(A.Answer),
        partial(offers, rules, t),
        partial(checks, rules, t),
        partial(_skip_question, rules, t),
    )


PROCESS_STARTERS: Final = A.DeclareMove | A.ExploreInPlace | A.StartBattle
"""Actions that begin a process, which then leads to the main phase."""


def _is_own_move(t: LiveTable, actor: Seat) -> bool:
    move = P.top(t)
    return move is not None and move.kind == "move" and move.by == actor


def _has_no_effect(t: LiveTable, actor: Seat, action: A.AnyAction) -> bool:
    """True if the action does nothing: the actor may not close what is open, or the phase rules the action out."""
    is_open = bool(t.asked) or P.window(t) is not None
    match action:
        case Pass():
            return bool(t.asked) or actor in t.clock.passed
        case A.Charge() | A.DeclineCharge():
            return is_open or actor not in t.clock.awaited
        case A.EndTurn():
            return is_open or actor != t.clock.active or t.clock.phase == S.CHARGE
        case A.StopMove():
            move = P.process(t, "move")
            return move is None or move.by != actor
        case A.DeclareMove() | A.ExploreInPlace() | A.StartBattle() | A.DispelCurse():
            return t.clock.phase not in (S.MAIN, S.MOVE, S.BATTLE)
        case A.ChooseOrder():
            return not R.seat_mark(t, actor, S.TOSS)
        case _:
            return False


def resume(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Prepare the table for an action: skip the open questions and close the windows before it."""
    if isinstance(action, Concede | A.ShowGraveyard | A.CallTime | JudgeEnd):
        return
    skip_questions(
        t,
        C.DECISION_FIRST,
        lambda asked: asked.by == CHANCE or is_answer(asked, action),
        partial(_skip_question, rules, t),
    )
    if t.asked or is_over(t) or actor not in t.seats or t.clock.phase == S.SET_UP:
        return
    if isinstance(action, A.Use | Pass) and P.window(t) is not None:
        if actor not in t.clock.awaited:
            note_pass(t, R.opponent(actor))
            settle(rules, t)
        return
    for _ in range(WINDOWS_MAX):
        window = P.window(t)
        if t.asked or is_over(t) or isinstance(action, Pass):
            return
        if window is None:
            break
        note_pass(t, (t.clock.awaited or (actor,))[0])
        settle(rules, t)
    if isinstance(action, A.Turning | A.DeclareMove | A.ExploreInPlace | A.StartBattle | A.Upkeep):
        _end_move(rules, t)


def _end_move(rules: Rules, t: LiveTable) -> None:
    move = P.top(t)
    if move is not None and move.kind == "move" and not t.asked:
        t.emit(C.STEP_BY_STEP, F.Altered(move.id, step="ended"))
        clear_passes(t)
        settle(rules, t)


WINDOWS_MAX: Final = 40
"""Limit of passes added before an action as played."""


def _skip_question(rules: Rules, t: LiveTable, asked: Frame) -> None:
    """Continue the match without the answer to a question."""
    process = served(t, asked)
    match asked.kind:
        case "order_triggers":
            triggers.append_to_queue(
                t, [waiting for trigger in asked.frames if (waiting := frame(t, trigger)) is not None]
            )
        case "choose_targets":
            if process is not None:
                t.emit(C.TRIGGERS_AT_ONCE, F.Popped(process.id, "skipped"))
        case "place_card":
            _place_drawn(rules, t, asked.by)
        case "choose_attack_target":
            if process is not None:
                t.emit(C.BATTLE_WITHOUT_TARGET, F.Altered(process.id, step=battle.END))
        case "counter":
            if process is not None:
                decide_counter(t, asked.by, process, False)
        case _:
            pass
    settle(rules, t)


def _place_drawn(rules: Rules, t: LiveTable, seat: Seat) -> None:
    """Put the drawn cards where there is room, or into the graveyard."""
    for card in R.drawn(t, seat):
        if len(R.hand(t, seat)) < rules.hand_max:
            put_in_hand(t, seat, card)
        elif R.free_slots(rules, t, seat) > 0:
            t.emit(C.TURN_DRAW, F.Moved((card,), place_in(seat, S.TABLE), up=True))
        else:
            bury(t, (card,), C.OVERFLOW)
