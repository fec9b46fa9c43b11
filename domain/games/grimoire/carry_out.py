"""Facts of accepted actions. Automatic consequences follow in `resolution`."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, assert_never, get_args

from domain.games.grimoire import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.grimoire.checkpoint import checkpoint, line_up, resolve
from domain.games.grimoire.effects.losing import clock_with_first, lose
from domain.games.grimoire.effects.moves import base_mark, draw, gain, hurt, to_hand
from domain.games.grimoire.effects.program import answer_objects, answer_option, answer_yes_no
from domain.games.grimoire.effects.trancing import trance_card
from domain.games.grimoire.effects.triggers import effect, triggers
from domain.games.grimoire.layers import cost_layers, weigh_dealt
from domain.games.grimoire.legality import activated_ability, checks, target_choice
from domain.games.grimoire.offers import offers
from domain.games.grimoire.paying import pay
from domain.games.grimoire.resolution import settle
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.text import Activated
from domain.games.grimoire.turn import end_phase
from domain.games.grimoire.values import cost, deals, standing
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import carries
from domain.law.live import Live
from domain.law.noting import note, noting, weigh
from domain.law.slots import Action
from domain.parts.asking import answers, next_frame, push, question, served, skip, skip_moot
from domain.parts.pieces import clock_at
from domain.parts.places import at, obj
from domain.table import facts as F
from domain.table.table import CHANCE, EVERYONE, CardId, Frame, Result, Seat, frame


def carry_out(rules: Rules, t: Live, actor: Seat, action: A.AnyAction) -> None:
    """Emit the facts of an action. It may be illegal, but the cards it names must be where it says."""
    if actor in t.seats and t.clock.turn:
        t.tell(C.LOOP_GUARD, F.Marked(None, S.ACTIONS, t.marks.get(S.ACTIONS, 0) + 1))
    CARRY_OUT[type(action)](rules, t, actor, action)


def _pass(rules: Rules, t: Live, actor: Seat, action: Pass) -> None:
    passed = (*[seat for seat in t.clock.passed if seat != actor], actor)
    active = t.clock.active
    assert active is not None
    if not set(passed).issuperset(R.living(t)):
        t.tell(C.PASS, clock_at(t, S.MAIN, S.PRIORITY, R.next_living(t, actor), passed=passed))
    elif t.stack:
        t.tell(C.LAST_PLAYED_RESOLVED, clock_at(t, S.MAIN, S.RESOLVING))
        resolve(rules, t, t.stack[-1])
        if t.result is None:
            checkpoint(rules, t)
    else:
        t.tell(C.MAIN_ENDS, clock_at(t, S.MAIN, S.PRIORITY))
        end_phase(rules, t, active)


def _concede(rules: Rules, t: Live, actor: Seat, action: Concede) -> None:
    lose(rules, t, actor, C.CONCESSION)
    if t.result is None and t.clock.turn and t.clock.active is not None:
        checkpoint(rules, t)


def _judging(rules: Rules, t: Live, actor: Seat, action: A.Judging) -> None:
    match action:
        case A.JudgeTimeCall():
            t.tell(C.TIME_DECISION, F.Marked(None, S.TIME, 1))
        case JudgeEnd(winner):
            winners = tuple(seat for seat in R.seats(t) if winner and R.side(rules, seat) == R.side(rules, winner))
            t.tell(C.TIME_DECISION, F.Finished(Result(winners, "judge")))
        case A.JudgeRelease():
            t.tell(C.LOOP_GUARD, F.Marked(None, S.ACTIONS, 0))
            t.tell(C.LOOP_GUARD, F.Marked(None, S.HELD, 0))
        case _:
            assert_never(action)


# -- trance -----------------------------------------------------------------------------------------------------------


@carries(C.TRANCE_SKIP)
def _trance(rules: Rules, t: Live, actor: Seat, action: A.TranceChoice) -> None:
    t.tell(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.CHOSEN))
    match action:
        case A.TranceHand(card):
            t.tell(C.REVEALED, F.Shown((card,), (EVERYONE,)))
            trance_card(rules, t, actor, card)
        case A.TranceBuyDraw():
            _buy(rules, t, actor)
            draw(rules, t, actor, 1, C.TRANCE_BUY_DRAW)
        case A.TranceBuyBookmark(card):
            _buy(rules, t, actor)
            to_hand(rules, t, actor, (card,), C.TRANCE_BUY_BOOKMARK)
        case A.TranceSkip():
            note(t, C.TRANCE_SKIP, actor)
        case _:
            assert_never(action)
    checkpoint(rules, t)


def _buy(rules: Rules, t: Live, actor: Seat) -> None:
    gain(t, actor, S.CAPACITY, -rules.trance_buy_cost, C.TRANCE_PRICE)
    if rules.trance_buy_mana == "pay_too":
        gain(t, actor, S.MANA, -rules.trance_buy_cost, C.TRANCE_PRICE)


# -- with priority ----------------------------------------------------------------------------------------------------


def _acting(rules: Rules, t: Live, actor: Seat, action: A.Acting) -> None:
    holder = actor if rules.priority_after_action == "keep" else R.next_living(t, actor)
    if t.clock.awaited != (holder,) or t.clock.passed:
        keeps = rules.priority_after_action == "keep"
        t.tell(C.PASSES_RESTART if keeps else C.PRIORITY_KEPT, clock_at(t, S.MAIN, S.PRIORITY, holder))
    match action:
        case A.Cast(card):
            _cast(rules, t, actor, card)
        case A.Play(spell, target):
            _play(rules, t, actor, spell, target)
        case A.Activate():
            _activate(rules, t, actor, action)
        case A.OdExplosion():
            _od_explosion(rules, t, actor, action)
        case _:
            assert_never(action)
    if t.result is None:
        checkpoint(rules, t)


@carries(C.CAST_AT_ONCE)
def _cast(rules: Rules, t: Live, actor: Seat, card: CardId) -> None:
    effects = standing(rules, t)
    price = tuple(cost_layers(rules, t, effects, actor, card)) if noting(t) else ()
    gain(t, actor, S.MANA, -cost(rules, t, effects, actor, card), C.COST_TAKEN)
    t.tell(C.CAST_ENTERS, F.Moved((card,), R.FIELD_PLACE, up=True))
    weigh(t, C.ABILITIES_THEN_NUMBERS, price, card)
    if rules.cast_enters == "spended":
        t.tell(C.CAST_ENTERS, F.Stanced((card,), S.SPENDED))
    if t.pieces[card].owner != actor:
        t.tell(C.CAST_ENTERS, F.Controlled((card,), actor))
        t.tell(C.CAST_ENTERS, F.Marked((card,), S.BASE, base_mark(t, card, actor)))
    triggers(rules, t, "cast_self", card, next_frame(t))


@carries(C.ONE_TARGET, C.PLAY_IS_FREE)
def _play(rules: Rules, t: Live, actor: Seat, spell: CardId, target: CardId) -> None:
    if not R.in_play(t, target):  # as played: a play without a target does nothing
        return
    t.tell(C.PLAYED_ON_TOP, F.Stanced((spell,), S.PLAYED))
    objs = (obj(t, spell), obj(t, target))
    push(t, C.PLAYED_ON_TOP, "stack", "play", actor, objs=objs)
    group = next_frame(t)
    triggers(rules, t, "play_self", spell, group, target=objs[1])
    by_opponent = R.opposed(rules, R.controller(t, target), actor)
    words = ("every", "unqualified", "opponent" if by_opponent else "your")
    triggers(rules, t, "targeted_self", target, group, words, that=objs[0])


def _activate(rules: Rules, t: Live, actor: Seat, action: A.Activate) -> None:
    card = action.object
    having = activated_ability(rules, t, card, action.ability) if R.in_play(t, card) else None
    if having is None:  # as played: an ability the object does not have does nothing
        return
    ability = having.ability
    assert isinstance(ability, Activated)
    source = obj(t, card)
    chosen = tuple(obj(t, target) for target in action.targets)
    if ability.once:
        t.tell(C.ONCE_PER_TURN, F.Marked((card,), f"used.{having.number}", 1))
    pay(rules, t, actor, card, ability.costs, action.costs)
    if t.result is not None:
        return
    begin = 1 if target_choice(ability) is not None else 0
    own_card = obj(t, card)
    new = effect(t, "activate", having, source, actor, next_frame(t), own=own_card, chosen=chosen, begin=begin)
    t.tell(C.ACTIVATED_AT_ONCE, F.Pushed(new))


@carries(C.OD_EXPLOSION, C.OD_AT_ONCE, C.OD_KEEPS_STATUS)
def _od_explosion(rules: Rules, t: Live, actor: Seat, action: A.OdExplosion) -> None:
    gain(t, actor, S.OD, -rules.od_explosion_cost, C.OD_COST)
    if action.mode == "bookmark":
        to_hand(rules, t, actor, (action.card,) if action.card else (), C.OD_FETCH)
    else:
        draw(rules, t, actor, 1, C.OD_DRAW)
    character = R.character(t, actor)
    if character is not None and R.in_play(t, action.target):
        effects = standing(rules, t)
        weigh_dealt(rules, t, effects, character)
        hurt(t, {action.target: deals(rules, t, effects, character)}, C.OD_DAMAGE)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: Live, actor: Seat, action: A.Answer) -> None:
    asked = question(t)
    if asked is None:  # as played: an answer to nothing does nothing
        return
    t.tell(C.CHOICES_AT_PROCESSING, F.Popped(asked.id, "answered"))
    process = served(t, asked)
    match action:
        case A.ChooseOpeningBookmark(card):
            to_hand(rules, t, actor, (card,) if card else (), C.OPENING_BOOKMARK)
        case A.OrderEffects(effects):
            ordered = [waiting for effect in effects if (waiting := frame(t, effect)) is not None]
            line_up(t, ordered)
        case A.ChooseObjects(cards):
            if process is not None:
                answer_objects(rules, t, process, actor, cards)
        case A.ChooseYesNo(yes):
            if process is not None:
                answer_yes_no(rules, t, process, yes)
        case A.ChooseOption(option):
            if process is not None and 0 <= option < len(asked.seats) + len(asked.words):
                answer_option(rules, t, process, asked, option)
        case _:
            assert_never(action)


def _outcome(rules: Rules, t: Live, actor: Seat, outcome: A.Outcome) -> None:
    asked = question(t)
    if asked is None or actor != CHANCE:  # as played: only chance shuffles and draws lots
        return
    match outcome:
        case A.ShuffleGrimoire(player, order):
            because = C.GRIMOIRE if t.clock.turn else C.DECK_SEPARATED
            t.tell(because, F.Arranged(at(player, S.GRIMOIRE), order or R.grimoire(t, player)))
        case A.RandomFirstPlayer(player):
            t.tell(C.REVEAL_RANDOM, F.Rolled("first_player", seat=player))
            t.tell(C.REVEAL_RANDOM, clock_with_first(t, player))
        case _:
            assert_never(outcome)
    t.tell(C.CHOICES_AT_PROCESSING, F.Popped(asked.id, "answered"))


CARRY_OUT: Final[dict[type[Action], Callable[[Rules, Live, Seat, Any], None]]] = {
    Pass: _pass,
    Concede: _concede,
    **dict.fromkeys(get_args(A.TranceChoice), _trance),
    **dict.fromkeys(get_args(A.Acting), _acting),
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    **dict.fromkeys(get_args(A.Judging), _judging),
}

# -- as played --------------------------------------------------------------------------------------------------------


def interrupt(rules: Rules, t: Live, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action out of turn, as played. Only the seat asked can close an open question, by its answer.
    Choices and priority of other seats stay."""
    asked = question(t)
    if asked is not None and isinstance(action, A.Answer | A.Outcome):
        if asked.by == actor and answers(asked, action, S.ANSWERS):
            carry_out(rules, t, actor, action)
    elif isinstance(action, Pass):
        _pass_early(t, actor)
    elif asked is None and isinstance(action, A.Acting) and t.clock.phase == S.MAIN:
        resume(rules, t, actor, action)
        carry_out(rules, t, actor, action)
    else:
        _carry_out_keeping_clock(rules, t, actor, action)
    skip_moot(
        t,
        C.REQUEST_PENDING,
        get_args(A.Answer),
        partial(offers, rules, t),
        partial(checks, rules, t),
        partial(_skip_effect, rules, t),
    )


def _pass_early(t: Live, actor: Seat) -> None:
    """Record a pass out of turn. The current holder keeps priority. Outside a round of priority it does nothing."""
    clock = t.clock
    in_round = (clock.phase, clock.step) == (S.MAIN, S.PRIORITY) and not t.asked and t.result is None
    if in_round and actor in R.living(t):
        passed = (*[seat for seat in clock.passed if seat != actor], actor)
        t.tell(C.PASS, clock_at(t, S.MAIN, S.PRIORITY, *clock.awaited, passed=passed))


def _carry_out_keeping_clock(rules: Rules, t: Live, actor: Seat, action: A.AnyAction) -> None:
    """Carry an action out and restore the clock, unless the actor was due to make the trance choice."""
    old_clock = t.clock
    is_due = not t.asked and old_clock.step == S.TRANCE_CHOICE and actor in old_clock.awaited
    carry_out(rules, t, actor, action)
    moves_clock = isinstance(action, A.Acting) or (isinstance(action, A.TranceChoice) and not is_due)
    if moves_clock and t.clock != old_clock and t.result is None:
        t.tell(C.PRIORITY, F.Clocked(old_clock))


def resume(rules: Rules, t: Live, actor: Seat, action: A.AnyAction) -> None:
    """Prepare the table for an action: skip the open questions, then give its actor the trance choice or priority."""
    skip(t, C.REQUEST_PENDING, lambda asked: answers(asked, action, S.ANSWERS), partial(_skip_effect, rules, t))
    if t.asked or t.result is not None or actor not in R.seats(t) or t.clock.active is None:
        return
    position = t.clock.phase, t.clock.step, t.clock.awaited
    if isinstance(action, A.Acting | Pass) and position != (S.MAIN, S.PRIORITY, (actor,)):
        t.tell(C.PRIORITY, clock_at(t, S.MAIN, S.PRIORITY, actor))
    elif isinstance(action, A.TranceChoice) and t.clock.step != S.TRANCE_CHOICE:
        t.tell(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.TRANCE_CHOICE, actor))


def _skip_effect(rules: Rules, t: Live, asked: Frame) -> None:
    process = served(t, asked)
    if process is not None and process.kind == "effect":
        t.tell(C.REQUEST_PENDING, F.Popped(process.id, "skipped"))
    settle(rules, t)
