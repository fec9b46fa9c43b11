"""Legality of actions: the clauses that each action must meet, in the order in which a refusal reports them."""

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from domain.games.skillbook import (
    actions as A,
    board as B,
    clauses as C,
    progress as P,
    schema as S,
    table_queries as R,
)
from domain.games.skillbook.answering import ANSWER_CLAUSES, check_answer
from domain.games.skillbook.checking import Checks, check_idle, check_squares, square_subject
from domain.games.skillbook.moving import MOVES
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.using import check_ability, check_payment, check_skill, is_own_aura
from domain.games.skillbook.values import (
    dispel_cost,
)
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import Count, Word, implements, subject_or_missing
from domain.law.slots import Action
from domain.parts.asking import answers, awaited, is_reordering, open_question
from domain.table.table import JUDGE, Frame, Seat, Table

VERBS: Final = {"counter": ("counter", "decline_counter")}
"""Verbs by kind of question, where several verbs answer it."""
ANYTIME: Final[frozenset[type]] = frozenset((Concede, A.ShowGraveyard, *get_args(A.Judging)))


def checks(rules: Rules, t: Table, actor: Seat, action: A.AnyAction) -> Checks:
    """Yield the clauses that an action must meet. The first that fails is the refusal."""
    yield C.NOTHING_AFTER_END, t.result is None
    kind = type(action)
    if kind not in ANYTIME:
        yield from _turn_to_act(t, actor, action)
    yield from CHECKS[kind](rules, t, actor, action)


def _turn_to_act(t: Table, actor: Seat, action: A.AnyAction) -> Checks:
    asked = open_question(t)
    if t.clock.phase == S.SET_UP and asked is None:
        if isinstance(action, A.ChooseOrder) and t.clock.first is None:
            yield C.DECIDER_ACTS, bool(R.seat_mark(t, actor, S.TOSS)), actor
        elif t.clock.step == S.HEROES:
            yield C.DECIDER_ACTS, actor in t.clock.awaited, actor
        return
    yield C.DECIDER_ACTS, actor in awaited(t) or (asked is None and not t.clock.awaited), actor
    if asked is not None:
        yield C.DECISION_FIRST, is_answer(asked, action), asked.by, Word(asked.kind)


def is_answer(asked: Frame, action: A.AnyAction) -> bool:
    if asked.kind in VERBS:
        return isinstance(action, A.Counter | A.DeclineCounter)
    return answers(asked, action)


# -- set-up -----------------------------------------------------------------------------------------------------------


def _lay_out_map(rules: Rules, t: Table, actor: Seat, action: A.LayOutMap) -> Checks:
    is_laying = (t.clock.phase, t.clock.step) == (S.SET_UP, S.LAYING) and actor in t.seats
    yield C.MAP_LAID_OUT, is_laying and not R.seat_mark(t, actor, S.LAID_OUT), actor
    yield C.MAP_LAID_OUT, is_reordering(action.cards, R.layout(t, actor)), *action.cards


def _choose_order(rules: Rules, t: Table, actor: Seat, action: A.ChooseOrder) -> Checks:
    yield C.TOSS_AND_ORDER, bool(R.seat_mark(t, actor, S.TOSS)) and t.clock.first is None, actor
    yield C.TOSS_AND_ORDER, action.order in get_args(A.Order), subject_or_missing(Word(action.order), "order")


def _place_hero(rules: Rules, t: Table, actor: Seat, action: A.PlaceHero) -> Checks:
    yield (
        C.HERO_ON_START_POINT,
        (t.clock.phase, t.clock.step) == (S.SET_UP, S.HEROES) and actor in t.clock.awaited,
        actor,
    )
    square = B.square_at(action.square)
    terrain = None if square is None else R.terrain_at(t, square)
    is_own_start = terrain is not None and R.printed(rules, t, terrain).type == "start" and R.owner(t, terrain) == actor
    yield C.HERO_ON_START_POINT, is_own_start, square_subject(action.square)
    yield from check_squares(rules, action.square)


# -- the turn ---------------------------------------------------------------------------------------------------------


def _charge_choice(rules: Rules, t: Table, actor: Seat, action: A.Charge | A.DeclineCharge) -> Checks:
    yield C.CHARGING, t.clock.phase == S.CHARGE and t.clock.active == actor, actor
    if isinstance(action, A.Charge) and rules.charge_at_one_hp == "forbidden":
        hero = R.hero(rules, t, actor)
        hp = 0 if hero is None else R.hp(rules, t, hero)
        yield C.CHARGING, hp > rules.charge_hp, actor, Count(hp)


def _end_turn(rules: Rules, t: Table, actor: Seat, action: A.EndTurn) -> Checks:
    yield C.END_DECLARED, P.is_idle(t) and t.clock.active == actor, actor


def _pass(rules: Rules, t: Table, actor: Seat, action: Pass) -> Checks:
    yield C.CHANCE_ALTERNATES, P.has_chance(t, actor), actor


# -- upkeep -----------------------------------------------------------------------------------------------------------


def _discard_aura(rules: Rules, t: Table, actor: Seat, action: A.DiscardAura) -> Checks:
    yield from check_idle(t, actor)
    card = action.card
    is_aura = is_own_aura(t, actor, card) and R.printed(rules, t, card).type == "aura"
    yield C.EXISTING_AND_USABLE, is_aura, subject_or_missing(card, "card")


def _dispel_curse(rules: Rules, t: Table, actor: Seat, action: A.DispelCurse) -> Checks:
    yield from check_idle(t, actor)
    card = action.card
    is_curse = card in R.table(t, actor) and R.owner(t, card) != actor
    yield C.EXISTING_AND_USABLE, is_curse, subject_or_missing(card, "card")
    if is_curse:
        yield from check_payment(rules, t, actor, dispel_cost(R.printed(rules, t, card)), card)


def _show_graveyard(rules: Rules, t: Table, actor: Seat, action: A.ShowGraveyard) -> Checks:
    size = len(R.graveyard(t, actor)) if actor in t.seats else 0
    yield C.EXISTING_AND_USABLE, 1 <= action.count <= size, actor, Count(action.count)


# -- chance, the end --------------------------------------------------------------------------------------------------


@implements(C.CHANCE_RECORDED)
def _outcome(rules: Rules, t: Table, actor: Seat, outcome: A.Outcome) -> Checks:
    asked = open_question(t)
    is_answer_to_chance = asked is not None and answers(asked, outcome)
    yield C.CHANCE_RECORDED, is_answer_to_chance, actor
    if asked is None or not is_answer_to_chance:
        return
    match outcome:
        case A.ShuffleBook(player, order):
            valid = not order or is_reordering(order, R.book(t, player))
            yield C.BOOKS_SHUFFLED, player in asked.seats and valid, player
        case A.Toss(player):
            yield C.TOSS_AND_ORDER, player in t.seats, player
        case _:
            assert_never(outcome)


def _concede(rules: Rules, t: Table, actor: Seat, action: Concede) -> Checks:
    yield C.CONCEDING, actor in t.seats, actor


def _judging(rules: Rules, t: Table, actor: Seat, action: A.Judging) -> Checks:
    is_first_call = not isinstance(action, A.CallTime) or not t.marks.get(S.TIME_CALLED)
    yield C.TIME_CALLED, actor == JUDGE and is_first_call, actor
    if isinstance(action, JudgeEnd):
        yield C.TIME_CALLED, not action.winner or action.winner in t.seats, action.winner


CHECKS: Final[dict[type[Action], Callable[[Rules, Table, Seat, Any], Checks]]] = {
    A.LayOutMap: _lay_out_map,
    A.ChooseOrder: _choose_order,
    A.PlaceHero: _place_hero,
    A.Charge: _charge_choice,
    A.DeclineCharge: _charge_choice,
    A.EndTurn: _end_turn,
    Pass: _pass,
    A.UseSkill: check_skill,
    A.UseAbility: check_ability,
    A.DiscardAura: _discard_aura,
    A.DispelCurse: _dispel_curse,
    A.ShowGraveyard: _show_graveyard,
    **MOVES,
    **dict.fromkeys(ANSWER_CLAUSES, check_answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    Concede: _concede,
    **dict.fromkeys(get_args(A.Judging), _judging),
}
