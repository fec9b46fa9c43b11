"""Legality checks: the clauses that each action must meet, in the order in which a refusal reports them."""

from collections.abc import Callable, Iterator
from typing import Any, Final, assert_never, get_args

from domain.games.dea import (
    actions as A,
    card_vocabulary as M,
    clauses as C,
    schema as S,
    table_queries as R,
    text as T,
)
from domain.games.dea.answering import cell_subject, check_answer, question_subjects
from domain.games.dea.rules import Rules
from domain.games.dea.targeting import has_legal_choices, is_legal, names_nothing, subjects_of_choices
from domain.games.dea.use_index import use_of
from domain.games.dea.value_types import ChoiceContext
from domain.games.dea.values import (
    ModifierCache,
    all_hold,
    cost,
    is_sealed,
    move_type,
    moves_allowed,
    offsets,
    prohibitions,
)
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.asking import face_of
from domain.law.clause import Check, Clause, Count, FrameRef, Subject, Word, implements, subject_or_missing
from domain.law.noting import note_permission
from domain.law.slots import Action
from domain.parts.asking import answers, asked_of_chance, is_reordering, is_valid_choice, open_question
from domain.table.table import CHANCE, JUDGE, CardId, Place, Seat, Table

Checks = Iterator[Check]

USES: Final[frozenset[type]] = frozenset((*get_args(A.Declared), A.ConvertHand))
"""Uses and conversions, which are illegal in the up and down phases and while the stack resolves."""
ALWAYS: Final[frozenset[type]] = frozenset((*get_args(A.Answer), *get_args(A.Outcome), *get_args(A.Judging), Concede))
"""Actions that are possible while a question is open."""
ACTIONS_WITH_CELL: Final = (A.UseAbility, A.PlayEvent, A.UseForeshadow, A.ChooseTargets, A.ChooseCell)


def checks(rules: Rules, t: Table, actor: Seat, action: A.AnyAction) -> Checks:
    """Yield the clauses an action must meet. The first that fails is the refusal."""
    if isinstance(action, A.GiveTitle):
        yield from _title(t, actor)
        return
    yield C.NOTHING_AFTER_END, t.result is None
    kind = type(action)
    if kind in USES:
        yield C.NO_USE_OUTSIDE_MAIN, t.clock.phase not in (S.UP, S.DOWN)
        yield C.NOTHING_WHILE_RESOLVING, not R.resolving(t)
    if kind not in ALWAYS:
        yield (C.CHOICE_PENDING, False, *question_subjects(open_question(t))) if t.asked else (C.CHOICE_PENDING, True)
    yield from CHECKS[kind](rules, t, actor, action)
    if isinstance(action, ACTIONS_WITH_CELL) and action.cell:
        yield _on_the_map(rules, action.cell)


# -- set-up -----------------------------------------------------------------------------------------------------------


def _place_character(rules: Rules, t: Table, actor: Seat, action: A.PlaceCharacter) -> Checks:
    card, cell = action.card, action.cell
    yield C.PLACE_IN_TURN, _is_at(t, S.STANDBY, S.PLACING, actor), actor
    mine = card in R.unplaced(t, actor)
    if mine:
        face_of(t, card, "character")  # on a strict table, raises if the face is unknown
        mine = R.printed(rules, t, card).type == "character"
    yield C.PLACE_IN_TURN, mine, subject_or_missing(card, "card")
    yield C.PLACE_AT_HOME, R.in_home(rules, actor, cell), cell_subject(cell)
    yield C.PLACE_IN_EMPTY_CELL, not R.characters_in(t, cell), cell_subject(cell)
    yield _on_the_map(rules, cell)


def _set_foreshadows(rules: Rules, t: Table, actor: Seat, action: A.SetForeshadows) -> Checks:
    yield C.LAY_FORESHADOWS, _is_at(t, S.STANDBY, S.FORESHADOWS, actor), actor
    yield C.LAY_FORESHADOWS, is_reordering(action.cards, R.unplaced(t, actor)), *action.cards


def _is_at(t: Table, phase: str, step: str, actor: Seat) -> bool:
    return (t.clock.phase, t.clock.step) == (phase, step) and actor in t.clock.awaited


def _on_the_map(rules: Rules, cell: Place) -> Check:
    return C.ON_THE_MAP, cell in R.cells(rules.size), cell_subject(cell)


def _cell_and_occupants(cell: Place, occupants: tuple[CardId, ...]) -> tuple[Subject, ...]:
    return cell_subject(cell), *occupants


# -- moving -----------------------------------------------------------------------------------------------------------

_TYPES: Final[dict[M.MoveType, Clause]] = {
    "cross": C.TYPE_CROSS,
    "x": C.TYPE_X,
    "y": C.TYPE_Y,
    "reverse_y": C.TYPE_REVERSE_Y,
    "all": C.TYPE_ALL,
    "none": C.TYPE_NONE,
}


@implements(C.TURN_PLAYER_ONLY, C.ATTACK_COST)
def _move_or_attack(rules: Rules, t: Table, actor: Seat, action: A.Move | A.Attack) -> Checks:
    attacks = isinstance(action, A.Attack)
    yield C.ATTACK_IN_OWN_MAIN if attacks else C.MOVE_IN_OWN_MAIN, _acts_in_open_main(t, actor), actor
    character, cell = action.character, action.cell
    is_own = R.is_own(t, actor, character)
    yield C.OWN_CHARACTER, is_own, subject_or_missing(character, "character")
    if not is_own or not t.pieces[character].up:  # a face-down character does not reveal its move type
        yield _on_the_map(rules, cell)
        return
    modifier_cache = ModifierCache(rules, t)
    kind = move_type(rules, t, modifier_cache, character)
    yield C.TYPE_NONE, kind != "none", character
    if attacks:
        yield C.ATTACKS_A_TURN, R.mark(t, character, S.ATTACKS_USED) < rules.attacks_per_character, character
    if not attacks or rules.attack_uses_move == "yes":
        yield _has_move(rules, t, modifier_cache, character)
    yield from _reaches(rules, t, kind, actor, character, cell)
    occupants = R.characters_in(t, cell)
    enemies = tuple(other for other in occupants if R.owner(t, other) != actor)
    has_own = len(enemies) < len(occupants)
    yield C.NO_OWN_CHARACTER_THERE, not has_own, *_cell_and_occupants(cell, occupants)
    if attacks:
        yield C.ATTACK_IN_OWN_MAIN, bool(occupants), cell_subject(cell)
    else:
        yield C.ENEMY_THERE_IS_ATTACK, not enemies, *_cell_and_occupants(cell, enemies)
    price = cost(rules, t, modifier_cache, "attack" if attacks else "move", actor, character, rules.move_cost)
    yield _pages_suffice(t, actor, price)


def _acts_in_open_main(t: Table, actor: Seat) -> bool:
    return R.in_open_main(t) and t.clock.active == actor


def _has_move(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId) -> Check:
    allowed, used = moves_allowed(rules, t, modifier_cache, character), R.mark(t, character, S.MOVES_USED)
    return C.MOVES_A_TURN, used < allowed, character, Count(used), Count(allowed)


@implements(C.FROM_PRESENT_CELL)
def _reaches(
    rules: Rules, t: Table, kind: M.MoveType, actor: Seat, character: CardId, cell: Place
) -> tuple[Check, ...]:
    target, origin = R.square_at(cell), R.square_of_char(t, character)
    if target is None:
        return (_on_the_map(rules, cell),)
    step = (target.column - origin.column, target.row - origin.row)
    return _on_the_map(rules, cell), (_TYPES[kind], step in offsets(rules, kind, actor), character, cell_subject(cell))


def _pages_suffice(t: Table, actor: Seat, price: int) -> Check:
    pages = R.seat_mark(t, actor, S.PAGES)
    return C.PAGES_SUFFICE, pages >= price, Count(price), Count(pages)


# -- uses -------------------------------------------------------------------------------------------------------------


@implements(C.OPEN_TO_BOTH, C.HOOK_A_HOOK)
def _in_main(rules: Rules, t: Table, actor: Seat, clause: Clause) -> Checks:
    yield clause, t.clock.phase == S.MAIN and actor in t.seats, actor
    if R.in_window(t):
        yield C.OPPORTUNITY, actor in t.clock.awaited, actor
        if len(t.stack) > 1:
            note_permission(t, C.HOOK_A_HOOK, FrameRef(t.stack[-1].id))
    elif rules.ntp_initiative == "hook_only":
        yield C.OPEN_TO_BOTH, t.clock.active == actor, actor


def _use_ability(rules: Rules, t: Table, actor: Seat, action: A.UseAbility) -> Checks:
    yield from _in_main(rules, t, actor, C.ABILITY_IN_MAIN)
    character, code = action.character, action.ability
    is_own = R.is_own(t, actor, character)
    yield C.OWN_CHARACTERS_ABILITY, is_own, subject_or_missing(character, "character")
    if not is_own:
        return
    card = R.printed(rules, t, character)
    is_printed = code in [ability.name for ability in card.abilities]
    yield C.OWN_CHARACTERS_ABILITY, is_printed, character, subject_or_missing(Word(code), "ability")
    use = activated(rules, card, code) if t.pieces[character].up else None
    yield C.PASSIVES_NOT_DECLARED, use is not None, character, subject_or_missing(Word(code), "ability")
    if use is None:
        return
    yield C.SEALED, not is_sealed(rules, t, character), character
    yield from _limits(t, actor, character, code, use)
    yield C.PRINTED_LIMITS, is_timing_met(rules, t, actor, character, use), character
    yield from _choices(rules, t, ChoiceContext(actor, character), use, action)
    yield _pages_suffice(t, actor, ability_cost(rules, t, ModifierCache(rules, t), actor, character, use))
    life = R.seat_mark(t, actor, S.LIFE)
    yield C.LIFE_COST, not use.life or can_pay_life(rules, life, use.life), Count(use.life), Count(life)


def activated(rules: Rules, card: T.Card, code: str) -> T.Activated | None:
    use = use_of(rules.cards, card.id, code)
    return use if isinstance(use, T.Activated) else None


def ability_cost(
    rules: Rules, t: Table, modifier_cache: ModifierCache, actor: Seat, character: CardId, use: T.Activated
) -> int:
    return cost(rules, t, modifier_cache, "ability", actor, character, use.pages) if use.pages else 0


def can_pay_life(rules: Rules, life: int, due: int) -> bool:
    return (rules.life_payment == "below_zero" and life > 0) or (
        life > due if rules.life_payment == "keep_one" else life >= due
    )


def _limits(t: Table, actor: Seat, character: CardId, code: str, use: T.Activated) -> Checks:
    match use.limit:
        case "none":
            pass
        case "once_per_turn":
            yield C.PRINTED_LIMITS, not R.mark(t, character, S.USED.format(code)), character
        case "once_per_match":
            yield C.PRINTED_LIMITS, not R.seat_mark(t, actor, S.USED.format(code)), character
        case _:
            assert_never(use.limit)


def is_timing_met(rules: Rules, t: Table, actor: Seat, source: CardId, use: T.Activated | T.Event) -> bool:
    match use.timing:
        case "any":
            is_in_time = True
        case "own_turn":
            is_in_time = t.clock.active == actor
        case "battle":
            is_in_time = R.battle_of(t) is not None
        case _:
            assert_never(use.timing)
    return is_in_time and all_hold(rules, t, use.only_if, actor, source)


def _choices(rules: Rules, t: Table, aim: ChoiceContext, use: T.AnyUse, action: A.Using) -> tuple[Check, Check]:
    legal = is_legal(rules, t, aim, use.choices, action)
    possible = legal or has_legal_choices(rules, t, aim, use.choices)
    return (C.LEGAL_TARGETS_EXIST, possible, aim.source), (
        C.TARGETS_AT_DECLARATION,
        legal,
        *subjects_of_choices(t, action),
    )


def _play_event(rules: Rules, t: Table, actor: Seat, action: A.PlayEvent) -> Checks:
    yield from _in_main(rules, t, actor, C.EVENT_IN_MAIN)
    card = action.card
    printed = R.printed(rules, t, card)
    use = use_of(rules.cards, printed.id)
    in_hand = card in R.hand(t, actor) and isinstance(use, T.Event)
    yield C.EVENT_FROM_HAND, in_hand, subject_or_missing(card, "card")
    if not in_hand or not isinstance(use, T.Event):
        return
    yield C.PRINTED_LIMITS, is_timing_met(rules, t, actor, card, use), card
    yield from _choices(rules, t, ChoiceContext(actor, card), use, action)
    yield _pages_suffice(t, actor, printed.pages)


@implements(C.TURN_PLAYER_ONLY)
def _play_equipment(rules: Rules, t: Table, actor: Seat, action: A.PlayEquipment) -> Checks:
    yield C.EQUIPMENT_IN_OWN_MAIN, t.clock.phase == S.MAIN and t.clock.active == actor, actor
    if R.in_window(t):
        yield C.OPPORTUNITY, actor in t.clock.awaited, actor
    card, wearer = action.card, action.wearer
    printed = R.printed(rules, t, card)
    yield (
        C.EQUIPMENT_FROM_HAND,
        card in R.hand(t, actor) and printed.type == "equipment",
        subject_or_missing(card, "card"),
    )
    yield C.WEARER, may_wear(rules, t, actor, wearer), subject_or_missing(wearer, "wearer")
    yield _pages_suffice(t, actor, printed.pages)


def may_wear(rules: Rules, t: Table, actor: Seat, character: CardId) -> bool:
    return R.is_own(t, actor, character) and (
        rules.equip_scope != "home_area" or R.in_home(rules, actor, R.cell_of(t, character))
    )


def _use_foreshadow(rules: Rules, t: Table, actor: Seat, action: A.UseForeshadow) -> Checks:
    yield from _in_main(rules, t, actor, C.FORESHADOW_IN_MAIN)
    card = action.card
    yield C.OWN_FACE_DOWN_FORESHADOW, R.is_face_down(t, actor, card), subject_or_missing(card, "card")
    if not R.is_face_down(t, actor, card):
        return
    is_met = is_condition_met(rules, t, actor, card)
    yield C.FORESHADOW_CONDITION, is_met or rules.foreshadow_open == "free", card
    use = use_of(rules.cards, R.printed(rules, t, card).id)
    choices = use.choices if use is not None else ()
    aim = ChoiceContext(actor, card)
    possible = has_legal_choices(rules, t, aim, choices)
    if rules.foreshadow_open == "condition_and_target":
        yield C.LEGAL_TARGETS_EXIST, possible, card
    may_name_nothing = names_nothing(action) and (not possible or not is_met)
    yield (
        C.TARGETS_AT_DECLARATION,
        may_name_nothing or is_legal(rules, t, aim, choices, action),
        *subjects_of_choices(t, action),
    )


_OPENABLE: Final = (T.Foreshadow, T.Field)


@implements(C.FORESHADOW_CONDITION)
def is_condition_met(rules: Rules, t: Table, actor: Seat, card: CardId) -> bool:
    return all(
        all_hold(rules, t, ability.only_if, actor, card)
        for ability in R.printed(rules, t, card).abilities
        if isinstance(ability, _OPENABLE)
    )


@implements(C.CONVERT_AT_CAP)
def _convert_hand(rules: Rules, t: Table, actor: Seat, action: A.ConvertHand) -> Checks:
    yield from _in_main(rules, t, actor, C.CONVERT_HAND_IN_MAIN)
    yield C.HAND_CARD_CONVERTED, action.card in R.hand(t, actor), subject_or_missing(action.card, "card")
    sources = prohibitions(rules, t, ModifierCache(rules, t), "convert_hand", actor)
    yield C.PROHIBITION_WINS, not sources, *sources
    if R.seat_mark(t, actor, S.PAGES) == rules.page_cap:
        note_permission(t, C.CONVERT_AT_CAP, actor)


def _convert_pages(rules: Rules, t: Table, actor: Seat, action: A.ConvertPages) -> Checks:
    yield from _in_main(rules, t, actor, C.CONVERT_PAGES_IN_MAIN)
    sources = prohibitions(rules, t, ModifierCache(rules, t), "convert_pages", actor)
    yield C.PROHIBITION_WINS, not sources, *sources
    price, pages = rules.ep_conversion_cost, R.seat_mark(t, actor, S.PAGES)
    yield C.CONVERT_PAGES_COST, pages >= price, Count(price), Count(pages)


def _pass(rules: Rules, t: Table, actor: Seat, action: Pass) -> Checks:
    yield C.OPPORTUNITY, R.in_window(t) and actor in t.clock.awaited, actor


@implements(C.TURN_PLAYER_ONLY)
def _end_main(rules: Rules, t: Table, actor: Seat, action: A.EndMain) -> Checks:
    yield C.END_DECLARED, _acts_in_open_main(t, actor), actor


# -- chance, the end --------------------------------------------------------------------------------------------------

TIES: Final = {"life": C.EQUAL_LIFE_BY_CHANCE, "ep": C.HIGHER_EP_WINS, "both": C.LIFE_AND_EP}
"""Clause under which chance breaks each kind of tie."""


@implements(C.CHANCE_RECORDED)
def _outcome(rules: Rules, t: Table, actor: Seat, outcome: A.Outcome) -> Checks:
    asked = asked_of_chance(t)
    right = asked is not None and actor == CHANCE and answers(asked, outcome)
    yield C.CHANCE_RECORDED, right, actor
    if asked is None or not right:
        return
    match outcome:
        case A.FirstPlayer(player):
            yield C.FIRST_PLAYER_BY_CHANCE, player in t.seats, player
        case A.Shuffle(player, order):
            order_fits = not order or is_reordering(order, R.deck(t, player))
            yield C.GIMMICKS_SHUFFLED, player in asked.seats and order_fits, player
        case A.RandomDiscard(cards):
            count = R.required_count(asked)
            yield C.CHANCE_RECORDED, is_valid_choice(cards, R.hand(t, R.subject_seat(asked)), count, count), *cards
        case A.TieBreak(player):
            yield TIES[R.purpose_of(asked)], player in t.seats, player
        case _:
            assert_never(outcome)


def _concede(rules: Rules, t: Table, actor: Seat, action: Concede) -> Checks:
    yield C.CONCEDED, actor in t.seats, actor


def _judging(rules: Rules, t: Table, actor: Seat, action: A.Judging) -> Checks:
    may_call = not isinstance(action, A.CallTime) or (rules.match_minutes != "none" and t.clock.phase != S.STANDBY)
    yield C.TIME_CALLED, actor == JUDGE and may_call, actor
    if isinstance(action, JudgeEnd):
        yield C.TIME_CALLED, not action.winner or action.winner in t.seats, action.winner


def _title(t: Table, actor: Seat) -> Checks:
    won = t.result is not None and actor in t.result.winners
    yield C.TITLE, won and not t.marks.get(S.TITLED), actor


CHECKS: Final[dict[type[Action], Callable[[Rules, Table, Seat, Any], Checks]]] = {
    A.PlaceCharacter: _place_character,
    A.SetForeshadows: _set_foreshadows,
    A.Move: _move_or_attack,
    A.Attack: _move_or_attack,
    A.UseAbility: _use_ability,
    A.PlayEvent: _play_event,
    A.PlayEquipment: _play_equipment,
    A.UseForeshadow: _use_foreshadow,
    A.ConvertHand: _convert_hand,
    A.ConvertPages: _convert_pages,
    A.EndMain: _end_main,
    Pass: _pass,
    Concede: _concede,
    **dict.fromkeys(get_args(A.Answer), check_answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    **dict.fromkeys(get_args(A.Judging), _judging),
}
