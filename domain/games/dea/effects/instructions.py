"""Effect of each instruction. An impossible part is skipped without an error."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.dea import card_vocabulary as M, clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.cards import standing_at
from domain.games.dea.effects import durations, moves
from domain.games.dea.effects.foreshadows import open_by_effect
from domain.games.dea.effects.queueing import queue_damaged
from domain.games.dea.rules import Rules
from domain.games.dea.state_check import check_state
from domain.games.dea.targeting import DIRECTIONS
from domain.games.dea.value_types import DeaInstructionContext
from domain.games.dea.values import ModifierCache, all_hold, has_keyword, is_unsealable
from domain.law.clause import Clause, FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import programs
from domain.parts.asking import ask
from domain.parts.places import place_in
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Frame, Result, Seat, Todo


def perform_instruction(rules: Rules, t: LiveTable, process: Frame, todo: Todo) -> programs.Inner:
    """Carry out the next instruction. Return None if it waits for an answer."""
    instruction = standing_at(rules.cards, process.face, todo.path)
    if instruction is None:  # a record made with other cards may have stopped at a path without text
        return ()
    context = DeaInstructionContext(rules, t, process, effect_clause(process))
    if not all_hold(rules, t, instruction.only_if, process.by, context.source):
        note(t, C.AS_FAR_AS_POSSIBLE, FrameRef(process.id))
        return ()
    if PERFORM[type(instruction)](context, instruction):
        return None
    check_state(rules, t, "instruction")
    return ()


def effect_clause(process: Frame) -> Clause:
    """Return the clause under which the effects of an item or an automatic effect happen."""
    return _TAKES_EFFECT.get(process.kind, C.AUTOMATIC_EFFECTS)


_TAKES_EFFECT: Final = {
    "ability": C.OWN_CHARACTERS_ABILITY,
    "event": C.EVENT_FROM_HAND,
    "foreshadow": C.OWN_FACE_DOWN_FORESHADOW,
}


# -- references -------------------------------------------------------------------------------------------------------


def find_character(context: DeaInstructionContext, ref: M.CharacterRef) -> CardId | None:
    t, frame = context.t, context.of
    match ref:
        case "self":
            return R.resolve_character(t, R.source_of(frame))
        case "wearer":
            piece = t.pieces.get(context.source)
            return piece.host if piece is not None and piece.host else None
        case "attacker":
            battle = R.battle_of(t)
            return None if battle is None else R.resolve_character(t, R.attacker_of(battle))
        case "chosen" | "second":
            place = 0 if ref == "chosen" else 1
            targets = R.targets_of(frame)
            return R.resolve_character(t, targets[place]) if place < len(targets) else None


def writers(context: DeaInstructionContext, who: M.WriterRef) -> tuple[Seat, ...]:
    match who:
        case "you":
            return (context.of.by,)
        case "opponent":
            return (R.opponent(context.of.by),)
        case "each":
            return R.seats_in_turn_order(context.t)
        case "writer":
            chosen = R.writer_chosen(context.of)
            return () if chosen is None else (chosen,)


# -- timed effects ----------------------------------------------------------------------------------------------------


def _stat(context: DeaInstructionContext, instruction: T.Stat) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        numbers, words = (instruction.n,), (instruction.to,)
        durations.begin(context.t, context.of, S.STAT, character, instruction.until, numbers=numbers, words=words)


def _set_move(context: DeaInstructionContext, instruction: T.SetMove) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        durations.begin(context.t, context.of, S.SET_MOVE, character, instruction.until, words=(instruction.type,))


def _keyword(context: DeaInstructionContext, instruction: T.Keyword) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        durations.begin(context.t, context.of, S.KEYWORD, character, instruction.until, words=(instruction.name,))


def _extra_move(context: DeaInstructionContext, instruction: T.ExtraMove) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        durations.begin(context.t, context.of, S.EXTRA_MOVE, character, S.TURN, numbers=(instruction.n,))


@implements(C.SEALED)
def _seal(context: DeaInstructionContext, instruction: T.Seal) -> None:
    character = find_character(context, instruction.on)
    if character is None:
        return
    if is_unsealable(context.rules, context.t, character):
        note(context.t, C.SEALED, character)
        return
    durations.begin(context.t, context.of, S.SEAL, character, instruction.until)


def _forbid(context: DeaInstructionContext, instruction: T.Forbid) -> None:
    for seat in writers(context, instruction.who):
        durations.begin(
            context.t, context.of, S.FORBID, None, instruction.until, seats=(seat,), words=instruction.actions
        )


# -- life, pages, points ----------------------------------------------------------------------------------------------


@implements(C.DAMAGE_TO_CHARACTER)
def _damage(context: DeaInstructionContext, instruction: T.Damage) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        moves.lose_life(context.t, R.owner(context.t, character), instruction.n, C.DAMAGE_TO_CHARACTER)
        queue_damaged(context.rules, context.t, character)


@implements(C.SAME_TIME)
def _gain_life(context: DeaInstructionContext, instruction: T.GainLife) -> None:
    for seat in writers(context, instruction.who):
        moves.gain_life(context.t, seat, instruction.n, context.because)
    _at_once(context, instruction.who)


@implements(C.SAME_TIME)
def _lose_life(context: DeaInstructionContext, instruction: T.LoseLife) -> None:
    for seat in writers(context, instruction.who):
        moves.lose_life(context.t, seat, instruction.n, context.because)
    _at_once(context, instruction.who)


def _at_once(context: DeaInstructionContext, who: M.WriterRef) -> None:
    if who == "each":
        note(context.t, C.SAME_TIME, *writers(context, who))


def _gain_pages(context: DeaInstructionContext, instruction: T.GainPages) -> None:
    for seat in writers(context, instruction.who):
        moves.gain_pages(context.rules, context.t, seat, instruction.n, context.because)


def _lose_pages(context: DeaInstructionContext, instruction: T.LosePages) -> None:
    for seat in writers(context, instruction.who):
        moves.lose_pages(context.rules, context.t, seat, instruction.n, context.because)


def _gain_ep(context: DeaInstructionContext, instruction: T.GainEp) -> None:
    for seat in writers(context, instruction.who):
        moves.gain_ep(context.t, seat, instruction.n, context.because)


def _lose_ep(context: DeaInstructionContext, instruction: T.LoseEp) -> None:
    for seat in writers(context, instruction.who):
        moves.lose_ep(context.t, seat, instruction.n, context.because)


# -- cards ------------------------------------------------------------------------------------------------------------


def _draw(context: DeaInstructionContext, instruction: T.Draw) -> None:
    for seat in writers(context, instruction.who):
        missing = moves.draw(context.rules, context.t, seat, instruction.n, context.because)
        if missing and context.rules.empty_draw_scope == "any_draw":
            moves.gain_pages(context.rules, context.t, seat, missing * context.rules.empty_draw_pages, C.PAGE_FOR_CARD)


@implements(C.AS_FAR_AS_POSSIBLE)
def _discard(context: DeaInstructionContext, instruction: T.Discard) -> bool:
    """Discard whole hands of at most `n` cards, and ask for a choice from larger ones."""
    t, has_question = context.t, False
    for seat in writers(context, instruction.who):
        hand = R.hand(t, seat)
        if len(hand) <= instruction.n:
            moves.move_to_sleeve(t, hand, context.because)
            continue
        if instruction.chooser == "self":
            ask(t, C.CHOICE_PENDING, "choose_cards", seat, context.of.id, numbers=(instruction.n,), words=("discard",))
        else:
            ask(t, C.CHANCE_RECORDED, "random_discard", CHANCE, context.of.id, seats=(seat,), numbers=(instruction.n,))
        has_question = True
    return has_question


def _retrieve(context: DeaInstructionContext, instruction: T.Retrieve) -> None:
    for target in R.targets_of(context.of)[:1]:
        if target.card in R.sleeve(context.t, context.of.by):
            context.t.emit(context.because, F.Moved((target.card,), place_in(context.of.by, S.HAND)))


def _look_order(context: DeaInstructionContext, instruction: T.LookOrder) -> bool:
    t = context.t
    for seat in writers(context, instruction.who):
        top = R.deck(t, seat)[: instruction.n]
        if top:
            t.emit(context.because, F.Shown(top, (context.of.by,), lasting=True))
        if len(top) > 1:
            ask(
                t, C.CHOICE_PENDING, "choose_cards", context.of.by, context.of.id,
                seats=(seat,), numbers=(len(top),), words=("look",),
            )  # fmt: skip
            return True
    return False


# -- the map ----------------------------------------------------------------------------------------------------------


@implements(C.EFFECT_MOVES, C.ORIGIN_RESERVED)
def _push(context: DeaInstructionContext, instruction: T.Push) -> None:
    rules, t = context.rules, context.t
    character = find_character(context, instruction.on)
    if character is None:
        return
    square = R.square_of_char(t, character)
    if instruction.towards == "direction":
        step = DIRECTIONS.get(R.direction_of(context.of), (0, 0))  # type: ignore[call-overload]  # the word of an item
    else:
        source = find_character(context, "self")
        if source is None:
            return
        origin = R.square_of_char(t, source)
        step = (square.column - origin.column, square.row - origin.row)
    cell = R.cell_at(Square(square.column + step[0], square.row + step[1]))
    is_immovable = has_keyword(rules, t, ModifierCache(rules, t), character, "immovable")
    if is_immovable or cell not in R.cells(rules.size) or not R.is_empty(t, cell):
        note(t, C.ORIGIN_RESERVED if not is_immovable and R.is_reserved(t, cell) else C.AS_FAR_AS_POSSIBLE, character)
        return
    moves.move_character(t, character, cell, C.EFFECT_MOVES)


@implements(C.EFFECT_MOVES)
def _shift(context: DeaInstructionContext, instruction: T.Shift) -> None:
    character, cell = find_character(context, instruction.on), R.cell_chosen(context.of)
    if character is not None and cell is not None and R.is_empty(context.t, cell):
        moves.move_character(context.t, character, cell, C.EFFECT_MOVES)


def _swap(context: DeaInstructionContext, instruction: T.Swap) -> None:
    t = context.t
    first, second = find_character(context, "chosen"), find_character(context, "second")
    if first is None or second is None or R.fights_as_attacker(t, first) or R.fights_as_attacker(t, second):
        return
    first_cell, second_cell = R.cell_of(t, first), R.cell_of(t, second)
    moves.move_character(t, first, second_cell, C.SWAP)
    moves.move_character(t, second, first_cell, C.SWAP)


# -- the stack --------------------------------------------------------------------------------------------------------


@implements(C.NEGATED)
def _negate(context: DeaInstructionContext, instruction: T.Negate) -> None:
    item = aimed_item(context)
    if item is not None:
        negate(context.t, item)


def negate(t: LiveTable, item: Frame) -> None:
    if not R.is_negated(item):
        t.emit(C.NEGATED, F.Altered(item.id, columns=R.negated(item)))


def aimed_item(context: DeaInstructionContext) -> Frame | None:
    item_id = R.item_chosen(context.of)
    return next((item for item in context.t.stack if item.id == item_id), None)


def _toll(context: DeaInstructionContext, instruction: T.Toll) -> bool:
    """Ask for the toll, or negate the item of a writer who cannot pay."""
    t, item = context.t, aimed_item(context)
    if item is None or R.is_negated(item):
        return False
    if R.seat_mark(t, item.by, S.PAGES) < instruction.n:
        negate(t, item)
        return False
    frames = (context.of.id, item.id)
    ask(t, C.CHOICE_PENDING, "pay_or_decline", item.by, *frames, numbers=(instruction.n,), words=("toll",))
    return True


def _cancel_battle(context: DeaInstructionContext, instruction: T.CancelBattle) -> None:
    battle = R.battle_of(context.t)
    if battle is not None and not R.is_cancelled(battle):
        context.t.emit(C.BATTLE_CANCELLED, F.Altered(battle.id, columns=R.cancelled(battle)))


# -- tokens, equipment, foreshadows, the end --------------------------------------------------------------------------


@implements(C.TOKENS_ARE_CHARACTERS)
def _create_token(context: DeaInstructionContext, instruction: T.CreateToken) -> None:
    t, cell = context.t, R.cell_chosen(context.of)
    if cell is not None and R.is_empty(t, cell):
        token = CardId(max(*t.pieces, t.minted) + 1)  # higher than any earlier token
        t.emit(context.because, F.Created(cell, (token,), (instruction.token,), context.of.by))
        t.emit(context.because, F.Turned((token,), True))


def _remove_token(context: DeaInstructionContext, instruction: T.RemoveToken) -> None:
    character = find_character(context, "self")
    if character is not None and R.is_token(context.rules, context.t, character):
        moves.remove(context.t, character, C.TOKEN_REMOVED)


def _discard_equipment(context: DeaInstructionContext, instruction: T.DiscardEquipment) -> None:
    character = find_character(context, instruction.on)
    if character is not None:
        moves.discard_equipment(context.t, character, C.TO_OWNERS_ZONE)


def _open_foreshadow(context: DeaInstructionContext, instruction: T.OpenForeshadow) -> None:
    for target in R.targets_of(context.of)[:1]:
        if R.is_face_down(context.t, context.of.by, target.card):
            open_by_effect(context.rules, context.t, context.of.by, target.card)


@implements(C.SPECIAL_VICTORY)
def _win(context: DeaInstructionContext, instruction: T.Win) -> None:
    for seat in writers(context, instruction.who):
        context.t.emit(C.SPECIAL_VICTORY, F.Finished(Result((seat,), "card")))


PERFORM: Final[dict[type[T.Do], Callable[[DeaInstructionContext, Any], bool | None]]] = {
    T.Stat: _stat,
    T.SetMove: _set_move,
    T.Keyword: _keyword,
    T.ExtraMove: _extra_move,
    T.Seal: _seal,
    T.Forbid: _forbid,
    T.Damage: _damage,
    T.GainLife: _gain_life,
    T.LoseLife: _lose_life,
    T.GainPages: _gain_pages,
    T.LosePages: _lose_pages,
    T.GainEp: _gain_ep,
    T.LoseEp: _lose_ep,
    T.Draw: _draw,
    T.Discard: _discard,
    T.Retrieve: _retrieve,
    T.LookOrder: _look_order,
    T.Push: _push,
    T.Shift: _shift,
    T.Swap: _swap,
    T.Negate: _negate,
    T.Toll: _toll,
    T.CancelBattle: _cancel_battle,
    T.CreateToken: _create_token,
    T.RemoveToken: _remove_token,
    T.DiscardEquipment: _discard_equipment,
    T.OpenForeshadow: _open_foreshadow,
    T.Win: _win,
}
"""Function that carries out each instruction. It returns True if it waits for an answer."""
