"""Translation of accepted actions into facts. `resolution` adds the automatic consequences."""

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from msgspec.structs import replace

from domain.games.dea import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.dea.cards import blocks
from domain.games.dea.effects import automatic, items
from domain.games.dea.effects.foreshadows import open_foreshadow
from domain.games.dea.effects.instructions import effect_clause, negate
from domain.games.dea.effects.moves import gain_pages, lose_life, lose_pages, move_character, move_to_sleeve
from domain.games.dea.legality import TIES, ability_cost, activated, is_condition_met
from domain.games.dea.rules import Rules
from domain.games.dea.setup import has_unplaced_character
from domain.games.dea.state_check import check_state
from domain.games.dea.targeting import columns_of
from domain.games.dea.turn import ask_discard, end_main_phase
from domain.games.dea.values import ModifierCache, cost
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.slots import Action
from domain.parts import programs
from domain.parts.asking import open_question, push, served
from domain.parts.pieces import clock_at
from domain.parts.places import obj, place_in
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Clock, Frame, Result, Seat, ValueColumns, frame

_IN_PLAY: Final = (A.Move, A.Attack, *get_args(A.Declared))


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction) -> None:
    """Emit the facts of an action. Assumes only that the named pieces are where the action says."""
    if t.clock.phase == S.STANDBY and isinstance(action, _IN_PLAY):  # as played: no use before the match
        return
    CARRY_OUT[type(action)](rules, t, actor, action)


# -- set-up -----------------------------------------------------------------------------------------------------------


@implements(C.PLACED_FACE_DOWN)
def _place_character(rules: Rules, t: LiveTable, actor: Seat, action: A.PlaceCharacter) -> None:
    t.emit(C.PLACED_FACE_DOWN, F.Moved((action.card,), action.cell))
    other = R.opponent(actor)
    next_seat = other if has_unplaced_character(rules, t, other) else actor
    t.emit(C.PLACE_IN_TURN, clock_at(t, S.STANDBY, S.PLACING, next_seat))


@implements(C.OWN_FORESHADOWS_SEEN)
def _set_foreshadows(rules: Rules, t: LiveTable, actor: Seat, action: A.SetForeshadows) -> None:
    for number, card in enumerate(action.cards, start=1):
        t.emit(C.LAY_FORESHADOWS, F.Moved((card,), R.slot(actor, number)))
    other = R.opponent(actor)
    if R.unplaced(t, other):
        t.emit(C.LAY_FORESHADOWS, clock_at(t, S.STANDBY, S.FORESHADOWS, other))


# -- moving -----------------------------------------------------------------------------------------------------------


@implements(C.MOVE_AT_ONCE)
def _move(rules: Rules, t: LiveTable, actor: Seat, action: A.Move) -> None:
    character = action.character
    if character not in t.pieces:  # as played: no character to move
        return
    lose_pages(
        rules, t, actor, cost(rules, t, ModifierCache(rules, t), "move", actor, character, rules.move_cost), C.MOVE_COST
    )
    _use_up(t, character, S.MOVES_USED, C.MOVES_A_TURN)
    move_character(t, character, action.cell, C.MOVE_AT_ONCE)
    check_state(rules, t, "move", character)


def _use_up(t: LiveTable, character: CardId, mark: str, clause: Clause) -> None:
    t.emit(clause, F.Marked((character,), mark, R.mark(t, character, mark) + 1))


@implements(C.BOTH_IN_TARGET_CELL, C.ORIGIN_RESERVED)
def _attack(rules: Rules, t: LiveTable, actor: Seat, action: A.Attack) -> None:
    character, cell = action.character, action.cell
    if character not in t.pieces:  # as played: no character to attack with
        return
    origin, opponents = R.cell_of(t, character), [other for other in R.characters_in(t, cell) if other != character]
    price = cost(rules, t, ModifierCache(rules, t), "attack", actor, character, rules.move_cost)
    lose_pages(rules, t, actor, price, C.ATTACK_COST)
    if rules.attack_uses_move == "yes":
        _use_up(t, character, S.MOVES_USED, C.MOVES_A_TURN)
    _use_up(t, character, S.ATTACKS_USED, C.ATTACKS_A_TURN)
    check_state(rules, t, "payment")
    if t.result is not None or not opponents:  # as played: no battle without an opponent
        return
    origin_square, target_square = R.square_at(origin), R.square_at(cell)
    assert origin_square is not None and target_square is not None
    move_character(t, character, cell, C.BOTH_IN_TARGET_CELL)
    step = target_square.column - origin_square.column, target_square.row - origin_square.row
    objs, numbers = (obj(t, character), obj(t, opponents[0])), (price, 0, 0, 0, *step)
    push(t, C.ATTACK_IN_OWN_MAIN, "stack", "attack", actor, objs=objs, places=(origin, cell), numbers=numbers)
    if rules.attack_window == "yes":
        t.emit(C.ATTACK_HOOKED, clock_at(t, S.MAIN, S.WINDOW, R.opponent(actor)))
    else:
        t.emit(C.ATTACK_HOOKED, clock_at(t, S.MAIN, S.RESOLVING))
        items.start_resolving(t, t.stack[-1])


# -- uses -------------------------------------------------------------------------------------------------------------


def _declare(t: LiveTable, actor: Seat, kind: str, clause: Clause, columns: ValueColumns, face: str = "") -> None:
    push(
        t, clause, "stack", kind, actor, columns.frames, face=face, objs=columns.objs, places=columns.places,
        seats=columns.seats, numbers=columns.numbers, words=columns.words,
    )  # fmt: skip
    t.emit(C.OPPONENT_FIRST, clock_at(t, S.MAIN, S.WINDOW, R.opponent(actor)))


def _pay_pages(rules: Rules, t: LiveTable, actor: Seat, pages: int, clause: Clause) -> bool:
    """Pay pages. Return False if the match has ended."""
    lose_pages(rules, t, actor, pages, clause)
    check_state(rules, t, "payment")
    return t.result is None


@implements(C.OWN_CHARACTERS_ABILITY)
def _use_ability(rules: Rules, t: LiveTable, actor: Seat, action: A.UseAbility) -> None:
    character, code = action.character, action.ability
    printed = R.printed(rules, t, character)
    use = activated(rules, printed, code)
    if use is None:  # as played: the character lacks this ability
        return
    price = ability_cost(rules, t, ModifierCache(rules, t), actor, character, use)
    if price:
        lose_pages(rules, t, actor, price, C.COST_NOT_RETURNED)
    if use.life:
        lose_life(t, actor, use.life, C.LIFE_COST)
    check_state(rules, t, "payment")
    if t.result is not None:
        return
    if use.limit == "once_per_turn":
        t.emit(C.PRINTED_LIMITS, F.Marked((character,), S.USED.format(code), 1))
    elif use.limit == "once_per_match":
        t.emit(C.PRINTED_LIMITS, F.Marked(actor, S.USED.format(code), 1))
    columns = columns_of(t, character, action, code, (price, use.life))
    _declare(t, actor, "ability", C.OWN_CHARACTERS_ABILITY, columns, printed.id)


def _play_event(rules: Rules, t: LiveTable, actor: Seat, action: A.PlayEvent) -> None:
    card = action.card
    printed = R.printed(rules, t, card)
    if not _pay_pages(rules, t, actor, printed.pages, C.COST_NOT_RETURNED):
        return
    t.emit(C.EVENT_FROM_HAND, F.Moved((card,), R.STACK_PLACE, up=True))
    _declare(t, actor, "event", C.EVENT_FROM_HAND, columns_of(t, card, action, "", (printed.pages, 0)), printed.id)


def _play_equipment(rules: Rules, t: LiveTable, actor: Seat, action: A.PlayEquipment) -> None:
    card = action.card
    printed = R.printed(rules, t, card)
    if not _pay_pages(rules, t, actor, printed.pages, C.COST_NOT_RETURNED):
        return
    t.emit(C.EQUIPMENT_FROM_HAND, F.Moved((card,), R.STACK_PLACE, up=True))
    worn = (obj(t, card), obj(t, action.wearer)) if action.wearer in t.pieces else (obj(t, card),)
    columns = ValueColumns(objs=worn, numbers=(printed.pages, 0, 0))
    _declare(t, actor, "equipment", C.EQUIPMENT_FROM_HAND, columns, printed.id)


def _use_foreshadow(rules: Rules, t: LiveTable, actor: Seat, action: A.UseForeshadow) -> None:
    card = action.card
    is_met = is_condition_met(rules, t, actor, card)
    open_foreshadow(rules, t, actor, card, C.OWN_FACE_DOWN_FORESHADOW)
    if t.result is None:
        columns = columns_of(t, card, action)
        columns = replace(columns, numbers=(*columns.numbers, 0 if is_met else 1))
        _declare(t, actor, "foreshadow", C.OWN_FACE_DOWN_FORESHADOW, columns, R.printed(rules, t, card).id)


@implements(C.CONVERT_HAND_AT_ONCE, C.CONVERT_AT_CAP)
def _convert_hand(rules: Rules, t: LiveTable, actor: Seat, action: A.ConvertHand) -> None:
    move_to_sleeve(t, (action.card,), C.HAND_CARD_CONVERTED)
    gain_pages(rules, t, actor, rules.hand_conversion_pages, C.CONVERT_HAND_AT_ONCE)
    check_state(rules, t, "move")


def _convert_pages(rules: Rules, t: LiveTable, actor: Seat, action: A.ConvertPages) -> None:
    price = rules.ep_conversion_cost
    if not _pay_pages(rules, t, actor, price, C.CONVERT_PAGES_COST):
        return
    _declare(t, actor, "ep_conversion", C.CONVERT_PAGES_STACKED, ValueColumns(numbers=(price, 0, 0)))


@implements(C.END_WINDOW)
def _pass(rules: Rules, t: LiveTable, actor: Seat, action: Pass) -> None:
    if t.clock.step == S.END_WINDOW:
        end_main_phase(rules, t, C.END_WINDOW)
    elif t.clock.step != S.WINDOW:  # as played: no window is open
        return
    elif t.clock.passed:
        items.close_window(t)
    else:
        t.emit(C.HOOK_OR_PASS, clock_at(t, S.MAIN, S.WINDOW, R.opponent(actor), passed=(actor,)))


def _end_main(rules: Rules, t: LiveTable, actor: Seat, action: A.EndMain) -> None:
    active = t.clock.active
    if active is None:
        return
    if rules.end_main_window == "yes":
        t.emit(C.END_DECLARED, clock_at(t, S.MAIN, S.END_WINDOW, R.opponent(active)))
    else:
        end_main_phase(rules, t, C.END_DECLARED)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: LiveTable, actor: Seat, action: A.Answer) -> None:
    asked = open_question(t)
    if asked is None:  # as played: no question is open
        return
    t.emit(C.CHOICE_PENDING, F.Popped(asked.id, "answered"))
    item = served(t, asked)
    match action:
        case A.ChooseNextEffect(effect):
            waiting = frame(t, effect)
            if waiting is not None and waiting.lane == "waiting":
                automatic.begin(t, waiting)
        case A.ChooseCell(cell):
            if item is not None:
                t.emit(C.CELL_CHOSEN_AGAIN, F.Altered(item.id, columns=R.with_cell(item, cell)))
        case A.ChooseTargets():
            if item is not None:
                columns = columns_of(t, R.source_of(item).card, action)
                t.emit(C.TARGETS_AT_DECLARATION, F.Altered(item.id, columns=columns))
        case A.ChooseCards(cards):
            if R.purpose_of(asked) == "look":
                _put_back(t, asked, cards, _clause_of(item))
            else:
                move_to_sleeve(t, cards, _clause_of(item))
            continue_item(rules, t, item)
        case A.PayOrDecline(yes, cards):
            answer_payment(rules, t, asked, item, yes, cards)
        case A.DiscardToLimit(card):
            if card in t.pieces:
                move_to_sleeve(t, (card,), C.DISCARD_TO_LIMIT)
            ask_discard(rules, t, asked.by)
        case _:
            assert_never(action)


def _clause_of(item: Frame | None) -> Clause:
    return C.CHOICE_PENDING if item is None else effect_clause(item)


def continue_item(rules: Rules, t: LiveTable, item: Frame | None) -> None:
    """Continue the item after the instruction that asked, once all its questions are answered."""
    if item is not None and item.todo and all(served(t, other) != item for other in t.asked):
        programs.continue_process(t, item, blocks(rules.cards, item.face), C.CHOICE_PENDING)


def _put_back(t: LiveTable, asked: Frame, cards: tuple[CardId, ...], clause: Clause) -> None:
    (seat,) = asked.seats
    rest = tuple(card for card in R.deck(t, seat) if card not in cards)
    if len(cards) + len(rest) == len(R.deck(t, seat)):
        t.emit(clause, F.Arranged(place_in(seat, S.DECK), (*cards, *rest), shuffled=False))


def answer_payment(
    rules: Rules, t: LiveTable, asked: Frame, item: Frame | None, yes: bool, cards: tuple[CardId, ...]
) -> None:
    if R.purpose_of(asked) == "toll":
        tolled_item = R.toll_item(t, asked)
        if yes:
            lose_pages(rules, t, asked.by, R.required_count(asked), _clause_of(item))
        elif tolled_item is not None:
            negate(t, tolled_item)
        continue_item(rules, t, item)
    elif item is not None:
        if yes:
            move_to_sleeve(t, cards, C.ADDITIONAL_CONDITION)
        else:
            items.decline(rules, t, item)


def _outcome(rules: Rules, t: LiveTable, actor: Seat, outcome: A.Outcome) -> None:
    asked = open_question(t)
    if asked is None or actor != CHANCE:  # as played: only chance shuffles or draws lots
        return
    t.emit(C.CHANCE_RECORDED, F.Popped(asked.id, "answered"))
    match outcome:
        case A.FirstPlayer(player):
            t.emit(C.FIRST_PLAYER_BY_CHANCE, F.Rolled("first_player", seat=player))
            t.emit(C.FIRST_PLAYER_BY_CHANCE, F.Clocked(Clock(first=player, phase=S.STANDBY, step=S.FIRST)))
        case A.Shuffle(player, order):
            t.emit(C.GIMMICKS_SHUFFLED, F.Arranged(place_in(player, S.DECK), order or R.deck(t, player)))
        case A.RandomDiscard(cards):
            move_to_sleeve(t, cards, C.CHANCE_RECORDED)
            continue_item(rules, t, served(t, asked))
        case A.TieBreak(player):
            clause = TIES[R.purpose_of(asked)]
            t.emit(clause, F.Rolled("tie_break", seat=player))
            t.emit(clause, F.Finished(Result((player,), "tie")))
        case _:
            assert_never(outcome)


# -- the end ----------------------------------------------------------------------------------------------------------


def _concede(rules: Rules, t: LiveTable, actor: Seat, action: Concede) -> None:
    t.emit(C.CONCEDED, F.Finished(Result((R.opponent(actor),), "concede")))


def _judging(rules: Rules, t: LiveTable, actor: Seat, action: A.Judging) -> None:
    match action:
        case A.CallTime():
            t.emit(C.TIME_CALLED, F.Finished(Result(_leaders(t) if rules.time_result == "compare" else (), "time")))
        case JudgeEnd(winner):
            t.emit(C.TIME_CALLED, F.Finished(Result((winner,) if winner else (), "judge")))
        case _:
            assert_never(action)


def _leaders(t: LiveTable) -> tuple[Seat, ...]:
    """Return the seat with more ending points, or with more life at equal points. Return () at equal life."""
    worth = {seat: (R.seat_mark(t, seat, S.EP), R.seat_mark(t, seat, S.LIFE)) for seat in R.SEATS}
    best = max(worth.values())
    leaders = tuple(seat for seat in R.SEATS if worth[seat] == best)
    return leaders if len(leaders) == 1 else ()


def _title(rules: Rules, t: LiveTable, actor: Seat, action: A.GiveTitle) -> None:
    t.emit(C.TITLE, F.Marked(None, S.TITLED, 1))


CARRY_OUT: Final[dict[type[Action], Callable[[Rules, LiveTable, Seat, Any], None]]] = {
    A.PlaceCharacter: _place_character,
    A.SetForeshadows: _set_foreshadows,
    A.Move: _move,
    A.Attack: _attack,
    A.UseAbility: _use_ability,
    A.PlayEvent: _play_event,
    A.PlayEquipment: _play_equipment,
    A.UseForeshadow: _use_foreshadow,
    A.ConvertHand: _convert_hand,
    A.ConvertPages: _convert_pages,
    A.EndMain: _end_main,
    Pass: _pass,
    Concede: _concede,
    A.GiveTitle: _title,
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    **dict.fromkeys(get_args(A.Judging), _judging),
}
