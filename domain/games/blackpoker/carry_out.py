"""Translation of accepted actions into facts. `resolution` adds the automatic consequences."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, assert_never, get_args

from domain.games.blackpoker import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.blackpoker.effects import moves
from domain.games.blackpoker.effects.combat import begin_combat
from domain.games.blackpoker.effects.requests import mark_arrival, take_stance
from domain.games.blackpoker.legality import checks
from domain.games.blackpoker.offers import offers
from domain.games.blackpoker.resolution import STEPS, clock_for, settle, take_trigger
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.setup import clock_with_first
from domain.law.actions import NO_CARD, Concede, JudgeEnd, Pass
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.law.slots import Action, verb
from domain.parts.asking import answers, next_frame, open_question, served, skip_questions, skip_unanswerable
from domain.parts.places import obj, place_in
from domain.parts.steps import first_step
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Frame, FrameId, Result, Seat, Table, ValueColumns, frame


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Emit the facts of an action. Assumes only that the named pieces are where the action says."""
    CARRY_OUT[type(action)](rules, t, actor, action)


def _concede(rules: Rules, t: LiveTable, actor: Seat, action: Concede) -> None:
    _hide_searched_life(t)
    t.emit(C.CONCESSION, F.Finished(Result((R.opponent(actor),), "concede")))


def _judge_end(rules: Rules, t: LiveTable, actor: Seat, action: JudgeEnd) -> None:
    _hide_searched_life(t)
    t.emit(C.JUDGE_DECISION, F.Finished(Result((action.winner,), action.reason)))


def _hide_searched_life(t: LiveTable) -> None:
    """Hide a life that its player is searching. Call this when the match ends."""
    for seat in [process.by for process in t.running if process.kind == "search"]:
        cards = tuple(card for card in R.life(t, seat) if t.pieces[card].seen)
        if cards:
            t.emit(C.LIFE_PILE, F.Shown(cards, (), lasting=True))


def _unoffered(rules: Rules, t: LiveTable, actor: Seat, action: A.Unoffered) -> None:
    """Emit nothing: the log records the attempt."""


def _pass(rules: Rules, t: LiveTable, actor: Seat, action: Pass) -> None:
    passed = (*[seat for seat in t.clock.passed if seat != actor], actor)
    if R.opponent(actor) not in passed:
        t.emit(C.PASS_RECORDED, clock_for(t, R.opponent(actor), passed=passed))
        return
    remaining = () if rules.pass_record_reset == "on_request_and_resolution" else passed
    if not t.stack:
        t.emit(C.EMPTY_STAGE_ROUND, clock_for(t, R.turn_player(t), passed=remaining))
        return
    top = t.stack[-1]
    t.emit(C.BOTH_PASSED, clock_for(t, passed=remaining))
    t.emit(C.LAST_IN_FIRST_OUT, F.Altered(top.id, step=first_step(STEPS, top.kind)))


def _outcome(rules: Rules, t: LiveTable, actor: Seat, outcome: A.Outcome) -> None:
    asked = open_question(t)
    assert asked is not None
    match outcome:
        case A.ShuffleDeck(player, order):
            t.emit(C.DECKS_SHUFFLED, F.Arranged(place_in(player, "life"), order or R.life(t, player)))
        case A.ShuffleLife(player, order):
            t.emit(C.SEARCH_SHUFFLES, F.Arranged(place_in(player, "life"), order or R.life(t, player)))
        case A.CoinToss(winner):
            t.emit(C.CHANCE_OUTCOME, F.Rolled("coin_toss", seat=winner))
            t.emit(C.TIE_REPEATS, clock_with_first(t, winner))
        case _:
            assert_never(outcome)
    t.emit(C.CHANCE_OUTCOME, F.Popped(asked.id, "answered"))


# -- requests ---------------------------------------------------------------------------------------------------------


@implements(C.ONE_ACT, C.CHANCE_STAYS_AFTER_IMMEDIATE)
def _request(rules: Rules, t: LiveTable, actor: Seat, action: A.Request) -> None:
    if t.clock.passed:
        t.emit(C.PASSES_CLEARED, clock_for(t, *t.clock.awaited, passed=()))
    if type(action) in LIMITS_PER_TURN:
        name, clause = LIMITS_PER_TURN[type(action)]
        t.emit(clause, F.Marked(actor, name, R.seat_mark(t, actor, name) + 1))
    _pay(rules, t, actor, action)
    if t.result is not None:
        return
    keys = _unique(getattr(action, "keys", ()))
    if keys:
        moves.hide_equal_card(t, actor, keys)
        t.emit(C.KEYS_IN_HAND, F.Moved(keys, R.STAGE_PLACE, up=True))
    kind = verb(action)
    immediate = kind in S.IMMEDIATE
    t.emit(C.SPEED, F.Pushed(_frame(rules, t, actor, action, keys, first_step(STEPS, kind) if immediate else "")))
    if rules.chance_after_request == "to_opponent" and not immediate:
        t.emit(C.CHANCE_STAYS, clock_for(t, R.opponent(actor), passed=(actor,)))
    elif rules.chance_after_request == "to_opponent":
        note(t, C.CHANCE_STAYS_AFTER_IMMEDIATE, actor)


LIMITS_PER_TURN: Final[dict[type[Action], tuple[str, Clause]]] = {
    A.Attack: (S.ATTACKS, C.ATTACK_LIMIT),
    A.SetBulwark: (S.BULWARKS_SET, C.BULWARK_LIMIT),
}
"""Mark that counts the requests of a type in a turn, and the clause of the limit."""


@implements(C.COSTS_STAY_PAID, C.PAYING_IS_NO_CHECK)
def _pay(rules: Rules, t: LiveTable, actor: Seat, action: A.Request) -> None:
    bulwarks = _unique(getattr(action, "bulwarks", ()))
    keys: tuple[CardId, ...] = getattr(action, "keys", ())
    discards = tuple(card for card in _unique(getattr(action, "discards", ())) if card not in keys)
    points = A.REQUEST_HEADERS[type(action)].cost.count("L")
    if bulwarks:
        t.emit(C.COST_BULWARK, F.Stanced(bulwarks, S.DRIVEN))
    if points:
        moves.damage(rules, t, actor, points, C.COST_LIFE)
        if rules.cost_last_life == "immediate_loss" and not R.life(t, actor):
            t.emit(C.LIFE_EMPTY, F.Finished(Result((R.opponent(actor),), "life")))
        elif not R.life(t, actor):
            note(t, C.PAYING_IS_NO_CHECK, actor)
    if discards:
        moves.discard(rules, t, actor, discards, C.COST_DISCARD)
    if isinstance(action, A.Attack) and action.units and rules.attack_designate == "at_request":
        t.emit(C.ATTACKERS_DRIVEN, F.Stanced(_units(t, action.units), S.DRIVEN))


def _unique(cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    return tuple(dict.fromkeys(cards)) if len(cards) > 1 else cards


@implements(C.CONTROLLER, C.STAGE_OPEN)
def _frame(rules: Rules, t: Table, actor: Seat, action: A.Request, keys: tuple[CardId, ...], step: str) -> Frame:
    targets: tuple[CardId, ...] = ()
    frames: tuple[FrameId, ...] = ()
    seats: tuple[Seat, ...] = ()
    words: tuple[str, ...] = ()
    match action:
        case A.Attack(units):
            targets = _units(t, units) if rules.attack_designate == "at_request" else ()
        case A.Counter(target=request_id):
            frames = (request_id,)
        case A.Throwing(target=seat):
            seats = (seat,)
        case _:
            card = R.unit(t, getattr(action, "target", CardId(0)))
            targets = (card,) if card in t.pieces else ()
            if isinstance(action, A.Twist) and rules.twist_choose == "at_request":
                words = (action.state,)
    return Frame(
        id=next_frame(t),
        lane="running" if step else "stack",
        kind=verb(action),
        by=actor,
        step=step,
        cards=keys,
        objs=tuple(obj(t, card) for card in targets),
        frames=frames,
        seats=seats,
        words=words,
    )


def _units(t: Table, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    return tuple(dict.fromkeys(R.unit(t, card) for card in cards))


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: LiveTable, actor: Seat, action: A.Answer) -> None:
    asked = open_question(t)
    assert asked is not None
    t.emit(C.CHOSEN_AT_RESOLUTION, F.Popped(asked.id, "answered"))
    _choose(rules, t, actor, action, served(t, asked))


@implements(C.BLOCKER_NOT_DRIVEN)
def _choose(rules: Rules, t: LiveTable, actor: Seat, action: A.Answer, request: Frame | None) -> None:
    """Emit the facts of a choice, for the request that asked for it."""
    if getattr(action, "card", None) == NO_CARD:  # as played: an answer without a card does nothing
        return
    match action:
        case A.ChooseDiscards(cards):
            moves.discard(rules, t, actor, _unique(cards), C.END_DISCARDS)
        case A.ChooseSecondDraw(draws):
            if draws:
                moves.draw(t, actor, 1, C.DRAW_SECOND)
        case A.DesignateAttackers(units):
            attackers = _units(t, units)
            if attackers:
                t.emit(C.ATTACKERS_DRIVEN, F.Stanced(attackers, S.DRIVEN))
            if request is not None:
                begin_combat(t, tuple(obj(t, card) for card in attackers), request)
        case A.DesignateBlockers(blocks):
            combat = R.combat(t)
            if combat is not None:
                unit_pairs = dict.fromkeys((R.unit(t, blocker), R.unit(t, attacker)) for blocker, attacker in blocks)
                pairs = tuple((obj(t, blocker), obj(t, attacker)) for blocker, attacker in unit_pairs)
                t.emit(C.BLOCKERS, F.Altered(combat.id, columns=ValueColumns(objs=combat.objs, pairs=pairs)))
                if pairs:
                    note(t, C.BLOCKER_NOT_DRIVEN, *dict.fromkeys(blocker for blocker, _ in unit_pairs))
        case A.ChooseBulwarkCard(card):
            t.emit(C.BULWARK_PLACED, F.Moved((card,), place_in(actor, S.BULWARKS)))
            mark_arrival(t, (card,), C.BULWARK_PLACED)
            moves.hide_known_hand(t, actor)
        case A.ChooseTwistState(state):
            if request is not None:
                take_stance(rules, t, request, state)
        case A.ChooseSearchCard(card):
            t.emit(C.SEARCH_FINDS, F.Moved((card,), place_in(actor, S.HAND)))
            t.emit(C.SEARCH_FINDS, F.Shown((card,), (EVERYONE,), lasting=True))
        case A.OrderTriggers(request_id):
            chosen = frame(t, request_id)
            if chosen is not None:
                take_trigger(rules, t, chosen)
        case A.ChooseGraveTop(card):
            t.emit(C.GRAVE_TOP, F.Moved((card,), place_in(actor, S.GRAVE), up=True))
        case _:
            assert_never(action)


CARRY_OUT: Final[dict[type[Action], Callable[[Rules, LiveTable, Seat, Any], None]]] = {
    Pass: _pass,
    Concede: _concede,
    JudgeEnd: _judge_end,
    A.Unoffered: _unoffered,
    **dict.fromkeys(get_args(A.Request), _request),
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
}

# -- as played --------------------------------------------------------------------------------------------------------


OWN_CARDS: Final = (A.ChooseDiscards, A.ChooseSecondDraw, A.ChooseBulwarkCard)
"""Answers that move only the player's cards, so they take effect even if the question was for the opponent."""


def interrupt(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action out of turn. Only an answer from the right player ends a question."""
    asked = open_question(t)
    if asked is None:
        would_end_round = actor not in t.clock.awaited and set(t.clock.awaited) <= set(t.clock.passed)
        if not (isinstance(action, Pass) and would_end_round):  # ignore a pass that would end the opponent's round
            _take_chance(t, actor, action)
            carry_out(rules, t, actor, action)
    elif isinstance(action, A.Answer | A.Outcome):
        if asked.by == actor and answers(asked, action):
            carry_out(rules, t, actor, action)
        elif isinstance(action, OWN_CARDS):
            _choose(rules, t, actor, action, None)
    elif not isinstance(action, Pass):
        carry_out(rules, t, actor, action)
    skip_unanswerable(
        t,
        C.CHOICE_OPEN,
        get_args(A.Answer),
        partial(offers, rules, t),
        partial(checks, rules, t),
        lambda asked: settle(rules, t),
    )


def resume(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Make an action as played possible: skip open choices and give its actor the chance."""
    skip_questions(t, C.CHOICE_OPEN, lambda asked: answers(asked, action), lambda asked: settle(rules, t))
    _take_chance(t, actor, action)


def _take_chance(t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    takes_chance = isinstance(action, Pass | A.Request)
    if takes_chance and actor in R.SEATS and not t.asked and actor not in t.clock.awaited:
        t.emit(C.HOLDS_CHANCE, clock_for(t, actor))
