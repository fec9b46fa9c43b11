"""What is played all the same: the flow is repaired so that its turn comes."""

from functools import partial
from typing import Final

from domain.games.skillbook import actions as A, clauses as C, progress as P, reading as R, schema as S
from domain.games.skillbook.effects import battle, triggers
from domain.games.skillbook.effects.answers import decide_counter
from domain.games.skillbook.effects.windows import note_pass, restart
from domain.games.skillbook.effects.zones import bury, keep
from domain.games.skillbook.legality import is_answer
from domain.games.skillbook.resolution import settle
from domain.games.skillbook.rules import Rules
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.live import Live
from domain.parts.asking import served, skip
from domain.parts.places import at
from domain.table import facts as F
from domain.table.table import CHANCE, Frame, Seat, frame, over


def resume(rules: Rules, t: Live, actor: Seat, action: A.AnyAction) -> None:
    """What makes an action's turn come: open choices are skipped, windows in which nobody spoke up are closed."""
    if isinstance(action, Concede | A.ShowGraveyard | A.CallTime | JudgeEnd):
        return
    skip(
        t,
        C.DECISION_FIRST,
        lambda asked: asked.by == CHANCE or is_answer(asked, action),
        partial(_skip_question, rules, t),
    )
    if t.asked or over(t) or actor not in t.seats or t.clock.phase == S.SET_UP:
        return
    if isinstance(action, A.Use | Pass) and P.window(t) is not None:
        if actor not in t.clock.awaited:
            note_pass(t, R.opponent(actor))
            settle(rules, t)
        return
    for _ in range(WINDOWS_MAX):
        window = P.window(t)
        if t.asked or over(t) or isinstance(action, Pass):
            return
        if window is None:
            break
        note_pass(t, (t.clock.awaited or (actor,))[0])
        settle(rules, t)
    if isinstance(action, A.Turning | A.DeclareMove | A.ExploreInPlace | A.StartBattle | A.Upkeep):
        _end_move(rules, t)


def _end_move(rules: Rules, t: Live) -> None:
    """A move that nobody stopped ends before something else is done."""
    move = P.top(t)
    if move is not None and move.kind == "move" and not t.asked:
        t.tell(C.STEP_BY_STEP, F.Altered(move.id, step="ended"))
        restart(t)
        settle(rules, t)


WINDOWS_MAX: Final = 40
"""Bound on the passes that are skipped to repair the flow before an action as played."""


def _skip_question(rules: Rules, t: Live, asked: Frame) -> None:
    """Without its answer the match goes on as far as it can."""
    serves = served(t, asked)
    match asked.kind:
        case "order_triggers":
            triggers.put_in_line(t, [held for trigger in asked.frames if (held := frame(t, trigger)) is not None])
        case "choose_targets":
            if serves is not None:
                t.tell(C.TRIGGERS_AT_ONCE, F.Popped(serves.id, "skipped"))
        case "place_card":
            _put_anywhere(rules, t, asked.by)
        case "choose_attack_target":
            if serves is not None:
                t.tell(C.BATTLE_WITHOUT_TARGET, F.Altered(serves.id, step=battle.END))
        case "counter":
            if serves is not None:
                decide_counter(t, asked.by, serves, False)
        case _:
            pass
    settle(rules, t)


def _put_anywhere(rules: Rules, t: Live, seat: Seat) -> None:
    """A card nobody placed lies where there is room, else in the graveyard."""
    for card in R.drawn(t, seat):
        if len(R.hand(t, seat)) < rules.hand_most:
            keep(t, seat, card)
        elif R.free_slots(rules, t, seat) > 0:
            t.tell(C.TURN_DRAW, F.Moved((card,), at(seat, S.TABLE), up=True))
        else:
            bury(t, (card,), C.OVERFLOW)
