"""Legality of actions: the clauses that each action must meet, in the order in which a refusal reports them."""

from collections.abc import Callable, Iterator
from typing import Any, Final, assert_never, get_args

from domain.games.grimoire import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.grimoire.cards import standing_at
from domain.games.grimoire.layers import cost_layers
from domain.games.grimoire.meaning import COLOURS
from domain.games.grimoire.notions import EffectsInForce, ObjectAbility
from domain.games.grimoire.paying import is_payable
from domain.games.grimoire.permission import find_player_prohibitions, find_prohibitions
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.targeting import all_hold, is_legal_target, target_checks
from domain.games.grimoire.text import Activated, May, Pay
from domain.games.grimoire.values import abilities, cost, effects_in_force, fits, has_keyword
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import Check, Count, FrameRef, Missing, Subject, Word, implements, subject_or_missing
from domain.law.noting import note_layers, note_permission
from domain.law.slots import Action
from domain.parts.asking import answers, asked_of_chance, is_reordering, is_valid_choice, open_question, served
from domain.table.table import CHANCE, JUDGE, CardId, Frame, Seat, Table


@implements(C.REJECTION)
def checks(rules: Rules, t: Table, actor: Seat, action: A.AnyAction) -> Iterator[Check]:
    """Yield the clauses that an action must meet, in the order of section 8 of the dossier."""
    yield C.MATCH_OVER, t.result is None and (S.HELD not in t.marks or isinstance(action, A.Judging))
    if actor in t.seats:
        yield C.BEATEN_LOSES, not R.is_out(t, actor), actor
    yield from CHECKS[type(action)](rules, t, actor, action)


def _no_question_open(t: Table) -> Check:
    asked = open_question(t)
    return (C.REQUEST_PENDING, True) if asked is None else (C.REQUEST_PENDING, False, asked.by, Word(asked.kind))


@implements(C.OUTSIDE_MAIN)
def _priority(t: Table, actor: Seat) -> Check:
    clock = t.clock
    has_priority = clock.phase == S.MAIN and clock.step == S.PRIORITY and actor in clock.awaited
    return C.PRIORITY, has_priority, *clock.awaited


def _pass(rules: Rules, t: Table, actor: Seat, action: Pass) -> Iterator[Check]:
    yield _no_question_open(t)
    yield _priority(t, actor)


def _concede(rules: Rules, t: Table, actor: Seat, action: Concede) -> Iterator[Check]:
    yield C.CONCESSION, actor in R.seats(t), actor


def _judging(rules: Rules, t: Table, actor: Seat, action: A.Judging) -> Iterator[Check]:
    yield C.TIME_DECISION, actor == JUDGE, actor
    match action:
        case A.JudgeTimeCall():
            yield C.TIME_DECISION, rules.time_policy == "compare" and not t.marks.get(S.TIME)
        case JudgeEnd(winner, reason):
            yield C.TIME_DECISION, (not winner or winner in R.seats(t)) and bool(reason.strip()), winner
        case A.JudgeRelease():
            yield C.LOOP_GUARD, bool(t.marks.get(S.HELD))
        case _:
            assert_never(action)


# -- trance -----------------------------------------------------------------------------------------------------------


@implements(C.TRANCE_SKIP)
def _trance(rules: Rules, t: Table, actor: Seat, action: A.TranceChoice) -> Iterator[Check]:
    yield _no_question_open(t)
    clock = t.clock
    is_due = clock.phase == S.TRANCE and clock.step == S.TRANCE_CHOICE and actor in clock.awaited
    yield C.TRANCE_PHASE, is_due, *clock.awaited
    match action:
        case A.TranceHand(card):
            yield C.TRANCE_HAND, card in R.hand(t, actor), subject_or_missing(card, "card")
        case A.TranceBuyDraw():
            yield from _price(rules, t, actor)
        case A.TranceBuyBookmark(card):
            banning = find_player_prohibitions(rules, t, effects_in_force(rules, t), "take_bookmark", actor)
            yield C.CARD_FORBIDS, not banning, *banning
            yield from _price(rules, t, actor)
            yield C.TRANCE_BUY_BOOKMARK, card in R.bookmark(t, actor), subject_or_missing(card, "card")
        case A.TranceSkip():
            return
        case _:
            assert_never(action)


@implements(C.COST_IN_FULL)
def _price(rules: Rules, t: Table, actor: Seat) -> Iterator[Check]:
    due = rules.trance_buy_cost
    enough = R.seat_mark(t, actor, S.CAPACITY) >= due
    yield (
        C.TRANCE_PRICE,
        enough and (rules.trance_buy_mana == "keep" or R.seat_mark(t, actor, S.MANA) >= due),
        Count(due),
    )


# -- with priority ----------------------------------------------------------------------------------------------------


@implements(C.KEYWORDS)
def _cast(rules: Rules, t: Table, actor: Seat, action: A.Cast) -> Iterator[Check]:
    yield _no_question_open(t)
    yield _priority(t, actor)
    card, about = action.card, subject_or_missing(action.card, "card")
    own_turn = t.clock.active == actor
    in_hand = card in R.hand(t, actor)
    if not own_turn and in_hand and has_keyword(rules, t, card, "quick_cast"):
        note_permission(t, C.KEYWORDS, card, Word("quick_cast"))
        yield C.CARD_OVER_RULE, True, card
    else:
        yield C.OWN_TURN_CASTS, own_turn, actor
    if not rules.cast_while_waiting:
        yield C.CAST_WHILE_WAITING, not t.stack
    yield C.HAND_CARD_CAST, in_hand and R.printed(rules, t, card).type == "spell", about
    yield C.CHROMA_SUFFICES, _chroma_allows(rules, t, actor, card), about
    effects = effects_in_force(rules, t)
    mana, price = R.seat_mark(t, actor, S.MANA), cost(rules, t, effects, actor, card) if card in t.pieces else 0
    suffices = mana <= price if rules.cast_inequality == "literal" else mana >= price
    if not suffices:
        note_layers(t, C.ABILITIES_THEN_NUMBERS, cost_layers(rules, t, effects, actor, card), card)
    yield C.MANA_SUFFICES, suffices, about, Count(price), Count(mana)


def _chroma_allows(rules: Rules, t: Table, actor: Seat, card: CardId) -> bool:
    printed = R.printed(rules, t, card)
    if rules.cast_inequality == "literal":
        return all(R.chroma(t, actor, colour) <= printed.chroma.get(colour, 0) for colour in COLOURS)
    return all(R.chroma(t, actor, colour) >= degree for colour, degree in printed.chroma.items())


def castable(rules: Rules, t: Table, effects: EffectsInForce, actor: Seat) -> tuple[CardId, ...]:
    """Return the hand cards that turn, chroma and mana allow the holder of priority to cast."""
    hand, mana, literally = R.hand(t, actor), R.seat_mark(t, actor, S.MANA), rules.cast_inequality == "literal"
    if t.clock.active != actor:
        hand = tuple([card for card in hand if has_keyword(rules, t, card, "quick_cast")])
    prices = [(card, cost(rules, t, effects, actor, card)) for card in hand]
    afforded = [card for card, price in prices if (mana <= price if literally else mana >= price)]
    return tuple([card for card in afforded if _chroma_allows(rules, t, actor, card)])


@implements(C.CONTROLS)
def _play(rules: Rules, t: Table, actor: Seat, action: A.Play) -> Iterator[Check]:
    yield _no_question_open(t)
    yield _priority(t, actor)
    spell, target = action.spell, action.target
    on_field = R.on_field(t, spell)
    yield C.PLAY, on_field, subject_or_missing(spell, "spell")
    if not on_field:
        return
    yield C.PLAYED_BY_CONTROLLER, R.controller(t, spell) == actor, spell
    yield C.EXTENDED_PLAYED, t.pieces[spell].stance == S.EXTENDED, spell
    effects = effects_in_force(rules, t)
    target_clauses = tuple(target_checks(rules, t, effects, actor, spell, target))
    has_target = all_hold(target_clauses) or any(
        is_legal_target(rules, t, effects, actor, spell, card) for card in R.objects(t)
    )
    yield C.TARGET_NEEDED, has_target, spell
    yield from target_clauses


@implements(C.CONTROLS, C.ANY_STATUS_ACTIVATES)
def _activate(rules: Rules, t: Table, actor: Seat, action: A.Activate) -> Iterator[Check]:
    yield _no_question_open(t)
    yield _priority(t, actor)
    card = action.object
    in_play = R.in_play(t, card)
    yield C.ACTIVATE, in_play and R.controller(t, card) == actor, subject_or_missing(card, "object")
    if not in_play:
        return
    object_ability = activated_ability(rules, t, card, action.ability)
    yield C.ACTIVATE, object_ability is not None, card, Count(action.ability)
    if object_ability is not None and t.pieces[card].stance != S.EXTENDED:
        note_permission(t, C.ANY_STATUS_ACTIVATES, card)
    if object_ability is None:
        return
    ability = object_ability.ability
    assert isinstance(ability, Activated)
    if ability.own_turn:
        yield C.ACTIVATE, t.clock.active == actor, card
    if ability.once:
        yield C.ONCE_PER_TURN, not t.pieces[card].marks.get(f"used.{object_ability.number}"), card
    about: tuple[Subject, ...] = (card, *action.costs)
    yield C.ACTIVATION_COSTS, is_payable(t, actor, card, ability.costs, action.costs), *about
    yield from _ability_targets(rules, t, actor, card, ability, action.targets)


def activated_ability(rules: Rules, t: Table, card: CardId, number: int) -> ObjectAbility | None:
    for object_ability in abilities(rules, t, card):
        if object_ability.number == number and isinstance(object_ability.ability, Activated):
            return object_ability
    return None


def _ability_targets(
    rules: Rules, t: Table, actor: Seat, source: CardId, ability: Activated, targets: tuple[CardId, ...]
) -> Iterator[Check]:
    choice = target_choice(ability)
    if choice is None:
        if targets:
            yield C.ABILITY_TARGETS, False, *targets
        return
    all_fit = all(card in t.pieces and fits(rules, t, choice.what, card, actor, source, ()) for card in targets)
    is_count_legal = choice.least <= len(targets) <= choice.most and len(set(targets)) == len(targets)
    yield C.ABILITY_TARGETS, is_count_legal and all_fit, *targets
    effects = effects_in_force(rules, t)
    for target in targets:
        yield from target_checks(rules, t, effects, actor, source, target, is_play=False)


def target_choice(ability: Activated) -> Any:
    """Return the `choose` instruction whose targets the action names, or None if the ability does not target."""
    first = ability.do[0]
    return first if getattr(first, "targets", False) else None


@implements(C.OD_EXPLOSION)
def _od_explosion(rules: Rules, t: Table, actor: Seat, action: A.OdExplosion) -> Iterator[Check]:
    yield _no_question_open(t)
    yield _priority(t, actor)
    target, mode, card = action.target, action.mode, action.card
    own_turn = t.clock.active == actor
    yield C.OD_WITH_PRIORITY, rules.od_timing != "other_turns" if own_turn else rules.od_timing != "own_turn", actor
    effects = effects_in_force(rules, t)
    banning = find_player_prohibitions(rules, t, effects, "od_explosion", actor)
    yield C.CARD_FORBIDS, not banning, *banning
    yield C.OD_COST, R.seat_mark(t, actor, S.OD) >= rules.od_explosion_cost, Count(rules.od_explosion_cost)
    if mode == "bookmark":
        yield C.OD_COSTS_PAYABLE, card in R.bookmark(t, actor), subject_or_missing(card, "card")
        banning = find_player_prohibitions(rules, t, effects, "take_bookmark", actor)
        yield C.CARD_FORBIDS, not banning, *banning
    else:
        missing = () if mode else (Missing("mode"),)
        yield C.OD_COSTS_PAYABLE, mode == "draw" and not card and bool(R.grimoire(t, actor)), *missing
    yield C.OD_TARGET, R.on_field(t, target), subject_or_missing(target, "target")
    if not R.on_field(t, target):
        return
    character = R.character(t, actor)
    if character is None:
        return
    if rules.od_targets == "any_spell":
        banning = find_prohibitions(rules, t, effects, "be_targeted", target, by=actor)
        yield C.CARD_FORBIDS, not banning, *banning
    else:
        yield from target_checks(rules, t, effects, actor, character, target, is_play=False)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Iterator[Check]:
    asked = open_question(t)
    is_answer = asked is not None and asked.by == actor and answers(asked, action, S.ANSWERS)
    yield C.REQUEST_PENDING, is_answer, *((asked.by, Word(asked.kind)) if asked is not None else ())
    if asked is None or not is_answer:
        return
    match action:
        case A.ChooseOpeningBookmark(card):
            yield C.OPENING_BOOKMARK, card in R.bookmark(t, actor), subject_or_missing(card, "card")
        case A.OrderEffects(effects):
            yield C.GROUP_ORDER, is_reordering(effects, asked.frames), *(FrameRef(frame) for frame in effects)
        case A.ChooseObjects(cards):
            least, most = asked.numbers
            about: tuple[Subject, ...] = (*cards, Count(least), Count(most))
            yield C.CHOICES_AT_PROCESSING, is_valid_choice(cards, R.options_of(asked), least, most), *about
        case A.ChooseYesNo(yes):
            yield C.ACTIVATION_COSTS, not yes or _can_pay_for_yes(rules, t, asked)
        case A.ChooseOption(option):
            options = len(asked.seats) + len(asked.words)
            yield C.CHOICES_AT_PROCESSING, 0 <= option < options, Count(option)
        case _:
            assert_never(action)


def _can_pay_for_yes(rules: Rules, t: Table, asked: Frame) -> bool:
    effect = served(t, asked)
    if effect is None or not effect.todo:
        return True
    instruction = standing_at(rules.cards, effect.face, effect.todo[0].path)
    first = instruction.then[0] if isinstance(instruction, May) else None
    return not isinstance(first, Pay) or is_payable(t, effect.by, R.source_of(effect).card, first.costs)


def _outcome(rules: Rules, t: Table, actor: Seat, outcome: A.Outcome) -> Iterator[Check]:
    asked = asked_of_chance(t)
    is_answer = asked is not None and actor == CHANCE and answers(asked, outcome)
    yield C.REQUEST_PENDING, is_answer, actor
    if asked is None or not is_answer:
        return
    match outcome:
        case A.ShuffleGrimoire(player, order):
            because = C.GRIMOIRE if asked.frames and t.clock.turn else C.DECK_SEPARATED
            valid = not order or is_reordering(order, R.grimoire(t, player))
            is_right_grimoire = player in asked.seats and valid
            yield because, is_right_grimoire, player
        case A.RandomFirstPlayer(player):
            yield C.REVEAL_RANDOM, player in asked.seats, player
        case _:
            assert_never(outcome)


CHECKS: Final[dict[type[Action], Callable[[Rules, Table, Seat, Any], Iterator[Check]]]] = {
    Pass: _pass,
    Concede: _concede,
    **dict.fromkeys(get_args(A.TranceChoice), _trance),
    A.Cast: _cast,
    A.Play: _play,
    A.Activate: _activate,
    A.OdExplosion: _od_explosion,
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    **dict.fromkeys(get_args(A.Judging), _judging),
}
