"""Facts of accepted actions. Automatic consequences follow in `resolution`."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, assert_never, get_args

from domain.games.grimoire import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.grimoire.checkpoint import append_to_queue, push_check, resolve
from domain.games.grimoire.effects.losing import clock_with_first, lose
from domain.games.grimoire.effects.moves import base_mark, change_resource, deal_damage, draw, put_in_hand
from domain.games.grimoire.effects.program import answer_objects, answer_option, answer_yes_no
from domain.games.grimoire.effects.trancing import trance_card
from domain.games.grimoire.effects.triggers import make_effect, trigger_abilities
from domain.games.grimoire.layers import cost_layers, weigh_dealt
from domain.games.grimoire.legality import activated_ability, checks, target_choice
from domain.games.grimoire.offers import offers
from domain.games.grimoire.paying import pay
from domain.games.grimoire.resolution import settle
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.text import Activated
from domain.games.grimoire.turn import end_phase
from domain.games.grimoire.values import cost, dealt_damage, effects_in_force
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note, note_layers
from domain.law.slots import Action
from domain.parts.asking import answers, next_frame, open_question, push, served, skip_questions, skip_unanswerable
from domain.parts.pieces import clock_at
from domain.parts.places import obj, place_in
from domain.table import facts as F
from domain.table.table import CHANCE, EVERYONE, CardId, Frame, Result, Seat, frame


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Emit the facts of an action. It may be illegal, but the cards it names must be where it says."""
    if actor in t.seats and t.clock.turn:
        t.emit(C.LOOP_GUARD, F.Marked(None, S.ACTIONS, t.marks.get(S.ACTIONS, 0) + 1))
    CARRY_OUT[type(action)](rules, t, actor, action)


def _pass(rules: Rules, t: LiveTable, actor: Seat, action: Pass) -> None:
    passed = (*[seat for seat in t.clock.passed if seat != actor], actor)
    active = t.clock.active
    assert active is not None
    if not set(passed).issuperset(R.living(t)):
        t.emit(C.PASS, clock_at(t, S.MAIN, S.PRIORITY, R.next_living(t, actor), passed=passed))
    elif t.stack:
        t.emit(C.LAST_PLAYED_RESOLVED, clock_at(t, S.MAIN, S.RESOLVING))
        resolve(rules, t, t.stack[-1])
        if t.result is None:
            push_check(rules, t)
    else:
        t.emit(C.MAIN_ENDS, clock_at(t, S.MAIN, S.PRIORITY))
        end_phase(rules, t, active)


def _concede(rules: Rules, t: LiveTable, actor: Seat, action: Concede) -> None:
    lose(rules, t, actor, C.CONCESSION)
    if t.result is None and t.clock.turn and t.clock.active is not None:
        push_check(rules, t)


def _judging(rules: Rules, t: LiveTable, actor: Seat, action: A.Judging) -> None:
    match action:
        case A.JudgeTimeCall():
            t.emit(C.TIME_DECISION, F.Marked(None, S.TIME, 1))
        case JudgeEnd(winner):
            winners = tuple(seat for seat in R.seats(t) if winner and R.side(rules, seat) == R.side(rules, winner))
            t.emit(C.TIME_DECISION, F.Finished(Result(winners, "judge")))
        case A.JudgeRelease():
            t.emit(C.LOOP_GUARD, F.Marked(None, S.ACTIONS, 0))
            t.emit(C.LOOP_GUARD, F.Marked(None, S.HELD, 0))
        case _:
            assert_never(action)


# -- trance -----------------------------------------------------------------------------------------------------------


@implements(C.TRANCE_SKIP)
def _trance(rules: Rules, t: LiveTable, actor: Seat, action: A.TranceChoice) -> None:
    t.emit(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.CHOSEN))
    match action:
        case A.TranceHand(card):
            t.emit(C.REVEALED, F.Shown((card,), (EVERYONE,)))
            trance_card(rules, t, actor, card)
        case A.TranceBuyDraw():
            _buy(rules, t, actor)
            draw(rules, t, actor, 1, C.TRANCE_BUY_DRAW)
        case A.TranceBuyBookmark(card):
            _buy(rules, t, actor)
            put_in_hand(rules, t, actor, (card,), C.TRANCE_BUY_BOOKMARK)
        case A.TranceSkip():
            note(t, C.TRANCE_SKIP, actor)
        case _:
            assert_never(action)
    push_check(rules, t)


def _buy(rules: Rules, t: LiveTable, actor: Seat) -> None:
    change_resource(t, actor, S.CAPACITY, -rules.trance_buy_cost, C.TRANCE_PRICE)
    if rules.trance_buy_mana == "pay_too":
        change_resource(t, actor, S.MANA, -rules.trance_buy_cost, C.TRANCE_PRICE)


# -- with priority ----------------------------------------------------------------------------------------------------


def _acting(rules: Rules, t: LiveTable, actor: Seat, action: A.Acting) -> None:
    holder = actor if rules.priority_after_action == "keep" else R.next_living(t, actor)
    if t.clock.awaited != (holder,) or t.clock.passed:
        keeps = rules.priority_after_action == "keep"
        t.emit(C.PASSES_RESTART if keeps else C.PRIORITY_KEPT, clock_at(t, S.MAIN, S.PRIORITY, holder))
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
        push_check(rules, t)


@implements(C.CAST_AT_ONCE)
def _cast(rules: Rules, t: LiveTable, actor: Seat, card: CardId) -> None:
    effects = effects_in_force(rules, t)
    price = tuple(cost_layers(rules, t, effects, actor, card)) if collects_notes(t) else ()
    change_resource(t, actor, S.MANA, -cost(rules, t, effects, actor, card), C.COST_TAKEN)
    t.emit(C.CAST_ENTERS, F.Moved((card,), R.FIELD_PLACE, up=True))
    note_layers(t, C.ABILITIES_THEN_NUMBERS, price, card)
    if rules.cast_enters == "spended":
        t.emit(C.CAST_ENTERS, F.Stanced((card,), S.SPENDED))
    if t.pieces[card].owner != actor:
        t.emit(C.CAST_ENTERS, F.Controlled((card,), actor))
        t.emit(C.CAST_ENTERS, F.Marked((card,), S.BASE_CONTROLLER, base_mark(t, card, actor)))
    trigger_abilities(rules, t, "cast_self", card, next_frame(t))


@implements(C.ONE_TARGET, C.PLAY_IS_FREE)
def _play(rules: Rules, t: LiveTable, actor: Seat, spell: CardId, target: CardId) -> None:
    if not R.in_play(t, target):  # as played: a play without a target does nothing
        return
    t.emit(C.PLAYED_ON_TOP, F.Stanced((spell,), S.PLAYED))
    objs = (obj(t, spell), obj(t, target))
    push(t, C.PLAYED_ON_TOP, "stack", "play", actor, objs=objs)
    group = next_frame(t)
    trigger_abilities(rules, t, "play_self", spell, group, target=objs[1])
    by_opponent = R.are_opponents(rules, R.controller(t, target), actor)
    words = ("every", "unqualified", "opponent" if by_opponent else "your")
    trigger_abilities(rules, t, "targeted_self", target, group, words, that=objs[0])


def _activate(rules: Rules, t: LiveTable, actor: Seat, action: A.Activate) -> None:
    card = action.object
    object_ability = activated_ability(rules, t, card, action.ability) if R.in_play(t, card) else None
    if object_ability is None:  # as played: an ability the object does not have does nothing
        return
    ability = object_ability.ability
    assert isinstance(ability, Activated)
    source = obj(t, card)
    chosen = tuple(obj(t, target) for target in action.targets)
    if ability.once:
        t.emit(C.ONCE_PER_TURN, F.Marked((card,), f"used.{object_ability.number}", 1))
    pay(rules, t, actor, card, ability.costs, action.costs)
    if t.result is not None:
        return
    begin = 1 if target_choice(ability) is not None else 0
    own_card = obj(t, card)
    new = make_effect(
        t, "activate", object_ability, source, actor, next_frame(t), own=own_card, chosen=chosen, begin=begin
    )
    t.emit(C.ACTIVATED_AT_ONCE, F.Pushed(new))


@implements(C.OD_EXPLOSION, C.OD_AT_ONCE, C.OD_KEEPS_STATUS)
def _od_explosion(rules: Rules, t: LiveTable, actor: Seat, action: A.OdExplosion) -> None:
    change_resource(t, actor, S.OD, -rules.od_explosion_cost, C.OD_COST)
    if action.mode == "bookmark":
        put_in_hand(rules, t, actor, (action.card,) if action.card else (), C.OD_FETCH)
    else:
        draw(rules, t, actor, 1, C.OD_DRAW)
    character = R.character(t, actor)
    if character is not None and R.in_play(t, action.target):
        effects = effects_in_force(rules, t)
        weigh_dealt(rules, t, effects, character)
        deal_damage(t, {action.target: dealt_damage(rules, t, effects, character)}, C.OD_DAMAGE)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: LiveTable, actor: Seat, action: A.Answer) -> None:
    asked = open_question(t)
    if asked is None:  # as played: an answer to nothing does nothing
        return
    t.emit(C.CHOICES_AT_PROCESSING, F.Popped(asked.id, "answered"))
    process = served(t, asked)
    match action:
        case A.ChooseOpeningBookmark(card):
            put_in_hand(rules, t, actor, (card,) if card else (), C.OPENING_BOOKMARK)
        case A.OrderEffects(effects):
            ordered = [waiting for effect in effects if (waiting := frame(t, effect)) is not None]
            append_to_queue(t, ordered)
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


def _outcome(rules: Rules, t: LiveTable, actor: Seat, outcome: A.Outcome) -> None:
    asked = open_question(t)
    if asked is None or actor != CHANCE:  # as played: only chance shuffles and draws lots
        return
    match outcome:
        case A.ShuffleGrimoire(player, order):
            because = C.GRIMOIRE if t.clock.turn else C.DECK_SEPARATED
            t.emit(because, F.Arranged(place_in(player, S.GRIMOIRE), order or R.grimoire(t, player)))
        case A.RandomFirstPlayer(player):
            t.emit(C.REVEAL_RANDOM, F.Rolled("first_player", seat=player))
            t.emit(C.REVEAL_RANDOM, clock_with_first(t, player))
        case _:
            assert_never(outcome)
    t.emit(C.CHOICES_AT_PROCESSING, F.Popped(asked.id, "answered"))


CARRY_OUT: Final[dict[type[Action], Callable[[Rules, LiveTable, Seat, Any], None]]] = {
    Pass: _pass,
    Concede: _concede,
    **dict.fromkeys(get_args(A.TranceChoice), _trance),
    **dict.fromkeys(get_args(A.Acting), _acting),
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    **dict.fromkeys(get_args(A.Judging), _judging),
}

# -- as played --------------------------------------------------------------------------------------------------------


def interrupt(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry out an action out of turn, as played. Only the seat asked can close an open question, by its answer.
    Choices of other seats stay. So does their priority, unless the actor casts, plays, activates or explodes od in the
    main phase while no question is open."""
    asked = open_question(t)
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
    skip_unanswerable(
        t,
        C.REQUEST_PENDING,
        get_args(A.Answer),
        partial(offers, rules, t),
        partial(checks, rules, t),
        partial(_skip_effect, rules, t),
    )


def _pass_early(t: LiveTable, actor: Seat) -> None:
    """Record a pass out of turn. The current holder keeps priority. Outside a round of priority it does nothing."""
    clock = t.clock
    in_round = (clock.phase, clock.step) == (S.MAIN, S.PRIORITY) and not t.asked and t.result is None
    if in_round and actor in R.living(t):
        passed = (*[seat for seat in clock.passed if seat != actor], actor)
        t.emit(C.PASS, clock_at(t, S.MAIN, S.PRIORITY, *clock.awaited, passed=passed))


def _carry_out_keeping_clock(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Carry an action out and restore the clock, unless the actor was due to make the trance choice."""
    old_clock = t.clock
    is_due = not t.asked and old_clock.step == S.TRANCE_CHOICE and actor in old_clock.awaited
    carry_out(rules, t, actor, action)
    moves_clock = isinstance(action, A.Acting) or (isinstance(action, A.TranceChoice) and not is_due)
    if moves_clock and t.clock != old_clock and t.result is None:
        t.emit(C.PRIORITY, F.Clocked(old_clock))


def resume(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Prepare the table for an action: skip the open questions, then give its actor the trance choice or priority."""
    skip_questions(
        t, C.REQUEST_PENDING, lambda asked: answers(asked, action, S.ANSWERS), partial(_skip_effect, rules, t)
    )
    if t.asked or t.result is not None or actor not in R.seats(t) or t.clock.active is None:
        return
    position = t.clock.phase, t.clock.step, t.clock.awaited
    if isinstance(action, A.Acting | Pass) and position != (S.MAIN, S.PRIORITY, (actor,)):
        t.emit(C.PRIORITY, clock_at(t, S.MAIN, S.PRIORITY, actor))
    elif isinstance(action, A.TranceChoice) and t.clock.step != S.TRANCE_CHOICE:
        t.emit(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.TRANCE_CHOICE, actor))


def _skip_effect(rules: Rules, t: LiveTable, asked: Frame) -> None:
    process = served(t, asked)
    if process is not None and process.kind == "effect":
        t.emit(C.REQUEST_PENDING, F.Popped(process.id, "skipped"))
    settle(rules, t)
