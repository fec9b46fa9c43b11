"""Effect of each instruction. An impossible part is skipped without an error."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.dea import clauses as C, meaning as M, schema as S, table_queries as R, text as T
from domain.games.dea.cards import standing_at
from domain.games.dea.effects import durations, moves
from domain.games.dea.effects.foreshadows import open_by_effect
from domain.games.dea.effects.queueing import queue_damaged
from domain.games.dea.notions import DeaInstructionContext
from domain.games.dea.rules import Rules
from domain.games.dea.state import check_state
from domain.games.dea.targeting import DIRECTIONS
from domain.games.dea.values import Standing, all_hold, has_keyword, is_unsealable
from domain.law.clause import Clause, FrameRef, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts import programs
from domain.parts.asking import ask
from domain.parts.places import at
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Frame, Result, Seat, Todo


def perform_one(rules: Rules, t: Live, process: Frame, todo: Todo) -> programs.Inner:
    """Carry out the next instruction. Return None if it waits for an answer."""
    words = standing_at(rules.cards, process.face, todo.path)
    if words is None:  # a record made with other cards may have stopped at a path without text
        return ()
    part = DeaInstructionContext(rules, t, process, takes_effect(process))
    if not all_hold(rules, t, words.only_if, process.by, part.source):
        note(t, C.AS_FAR_AS_POSSIBLE, FrameRef(process.id))
        return ()
    if PERFORM[type(words)](part, words):
        return None
    check_state(rules, t, "instruction")
    return ()


def takes_effect(process: Frame) -> Clause:
    """Return the clause under which the effects of an item or an automatic effect happen."""
    return _TAKES_EFFECT.get(process.kind, C.AUTOMATIC_EFFECTS)


_TAKES_EFFECT: Final = {
    "ability": C.OWN_CHARACTERS_ABILITY,
    "event": C.EVENT_FROM_HAND,
    "foreshadow": C.OWN_FACE_DOWN_FORESHADOW,
}


# -- who and what is meant --------------------------------------------------------------------------------------------


def char(part: DeaInstructionContext, ref: M.Ref) -> CardId | None:
    t, of = part.t, part.of
    match ref:
        case "self":
            return R.resolve_character(t, R.source_of(of))
        case "wearer":
            piece = t.pieces.get(part.source)
            return piece.host if piece is not None and piece.host else None
        case "attacker":
            battle = R.battle_of(t)
            return None if battle is None else R.resolve_character(t, R.attacker_of(battle))
        case "chosen" | "second":
            place = 0 if ref == "chosen" else 1
            targets = R.targets_of(of)
            return R.resolve_character(t, targets[place]) if place < len(targets) else None


def writers(part: DeaInstructionContext, who: M.Who) -> tuple[Seat, ...]:
    match who:
        case "you":
            return (part.of.by,)
        case "opponent":
            return (R.opponent(part.of.by),)
        case "each":
            return R.by_turn(part.t)
        case "writer":
            chosen = R.writer_chosen(part.of)
            return () if chosen is None else (chosen,)


# -- what lasts -------------------------------------------------------------------------------------------------------


def _stat(part: DeaInstructionContext, words: T.Stat) -> None:
    one = char(part, words.on)
    if one is not None:
        durations.begin(part.t, part.of, S.STAT, one, words.until, numbers=(words.n,), words=(words.to,))


def _set_move(part: DeaInstructionContext, words: T.SetMove) -> None:
    one = char(part, words.on)
    if one is not None:
        durations.begin(part.t, part.of, S.SET_MOVE, one, words.until, words=(words.type,))


def _keyword(part: DeaInstructionContext, words: T.Keyword) -> None:
    one = char(part, words.on)
    if one is not None:
        durations.begin(part.t, part.of, S.KEYWORD, one, words.until, words=(words.name,))


def _extra_move(part: DeaInstructionContext, words: T.ExtraMove) -> None:
    one = char(part, words.on)
    if one is not None:
        durations.begin(part.t, part.of, S.EXTRA_MOVE, one, S.TURN, numbers=(words.n,))


@carries(C.SEALED)
def _seal(part: DeaInstructionContext, words: T.Seal) -> None:
    one = char(part, words.on)
    if one is None:
        return
    if is_unsealable(part.rules, part.t, one):
        note(part.t, C.SEALED, one)
        return
    durations.begin(part.t, part.of, S.SEAL, one, words.until)


def _forbid(part: DeaInstructionContext, words: T.Forbid) -> None:
    for seat in writers(part, words.who):
        durations.begin(part.t, part.of, S.FORBID, None, words.until, seats=(seat,), words=words.actions)


# -- life, pages, points ----------------------------------------------------------------------------------------------


@carries(C.DAMAGE_TO_CHARACTER)
def _damage(part: DeaInstructionContext, words: T.Damage) -> None:
    one = char(part, words.on)
    if one is not None:
        moves.lose_life(part.t, R.owner(part.t, one), words.n, C.DAMAGE_TO_CHARACTER)
        queue_damaged(part.rules, part.t, one)


@carries(C.SAME_TIME)
def _gain_life(part: DeaInstructionContext, words: T.GainLife) -> None:
    for seat in writers(part, words.who):
        moves.gain_life(part.t, seat, words.n, part.because)
    _at_once(part, words.who)


@carries(C.SAME_TIME)
def _lose_life(part: DeaInstructionContext, words: T.LoseLife) -> None:
    for seat in writers(part, words.who):
        moves.lose_life(part.t, seat, words.n, part.because)
    _at_once(part, words.who)


def _at_once(part: DeaInstructionContext, who: M.Who) -> None:
    if who == "each":
        note(part.t, C.SAME_TIME, *writers(part, who))


def _gain_pages(part: DeaInstructionContext, words: T.GainPages) -> None:
    for seat in writers(part, words.who):
        moves.gain_pages(part.rules, part.t, seat, words.n, part.because)


def _lose_pages(part: DeaInstructionContext, words: T.LosePages) -> None:
    for seat in writers(part, words.who):
        moves.lose_pages(part.rules, part.t, seat, words.n, part.because)


def _gain_ep(part: DeaInstructionContext, words: T.GainEp) -> None:
    for seat in writers(part, words.who):
        moves.gain_ep(part.t, seat, words.n, part.because)


def _lose_ep(part: DeaInstructionContext, words: T.LoseEp) -> None:
    for seat in writers(part, words.who):
        moves.lose_ep(part.t, seat, words.n, part.because)


# -- cards ------------------------------------------------------------------------------------------------------------


def _draw(part: DeaInstructionContext, words: T.Draw) -> None:
    for seat in writers(part, words.who):
        missing = moves.draw(part.rules, part.t, seat, words.n, part.because)
        if missing and part.rules.empty_draw_scope == "any_draw":
            moves.gain_pages(part.rules, part.t, seat, missing * part.rules.empty_draw_pages, C.PAGE_FOR_CARD)


@carries(C.AS_FAR_AS_POSSIBLE)
def _discard(part: DeaInstructionContext, words: T.Discard) -> bool:
    """Discard the hand of a writer with too few cards to choose from. Ask about the others."""
    t, asked = part.t, False
    for seat in writers(part, words.who):
        hand = R.hand(t, seat)
        if len(hand) <= words.n:
            moves.to_sleeve(t, hand, part.because)
            continue
        if words.chooser == "self":
            ask(t, C.CHOICE_PENDING, "choose_cards", seat, part.of.id, numbers=(words.n,), words=("discard",))
        else:
            ask(t, C.CHANCE_RECORDED, "random_discard", CHANCE, part.of.id, seats=(seat,), numbers=(words.n,))
        asked = True
    return asked


def _retrieve(part: DeaInstructionContext, words: T.Retrieve) -> None:
    for target in R.targets_of(part.of)[:1]:
        if target.card in R.sleeve(part.t, part.of.by):
            part.t.tell(part.because, F.Moved((target.card,), at(part.of.by, S.HAND)))


def _look_order(part: DeaInstructionContext, words: T.LookOrder) -> bool:
    t = part.t
    for seat in writers(part, words.who):
        top = R.deck(t, seat)[: words.n]
        if top:
            t.tell(part.because, F.Shown(top, (part.of.by,), lasting=True))
        if len(top) > 1:
            ask(
                t, C.CHOICE_PENDING, "choose_cards", part.of.by, part.of.id,
                seats=(seat,), numbers=(len(top),), words=("look",),
            )  # fmt: skip
            return True
    return False


# -- the map ----------------------------------------------------------------------------------------------------------


@carries(C.EFFECT_MOVES, C.ORIGIN_RESERVED)
def _push(part: DeaInstructionContext, words: T.Push) -> None:
    rules, t = part.rules, part.t
    one = char(part, words.on)
    if one is None:
        return
    here = R.square_of_char(t, one)
    if words.towards == "direction":
        step = DIRECTIONS.get(R.direction_of(part.of), (0, 0))  # type: ignore[call-overload]  # the word of an item
    else:
        mine = char(part, "self")
        if mine is None:
            return
        origin = R.square_of_char(t, mine)
        step = (here.column - origin.column, here.row - origin.row)
    cell = R.cell_at(Square(here.column + step[0], here.row + step[1]))
    firm = has_keyword(rules, t, Standing(rules, t), one, "immovable")
    if firm or cell not in R.cells(rules.size) or not R.is_empty(t, cell):
        note(t, C.ORIGIN_RESERVED if not firm and R.is_reserved(t, cell) else C.AS_FAR_AS_POSSIBLE, one)
        return
    moves.go(t, one, cell, C.EFFECT_MOVES)


@carries(C.EFFECT_MOVES)
def _shift(part: DeaInstructionContext, words: T.Shift) -> None:
    one, cell = char(part, words.on), R.cell_chosen(part.of)
    if one is not None and cell is not None and R.is_empty(part.t, cell):
        moves.go(part.t, one, cell, C.EFFECT_MOVES)


def _swap(part: DeaInstructionContext, words: T.Swap) -> None:
    t = part.t
    one, other = char(part, "chosen"), char(part, "second")
    if one is None or other is None or R.fights_as_attacker(t, one) or R.fights_as_attacker(t, other):
        return
    here, there = R.cell_of(t, one), R.cell_of(t, other)
    moves.go(t, one, there, C.SWAP)
    moves.go(t, other, here, C.SWAP)


# -- the stack --------------------------------------------------------------------------------------------------------


@carries(C.NEGATED)
def _negate(part: DeaInstructionContext, words: T.Negate) -> None:
    item = aimed_item(part)
    if item is not None:
        negate(part.t, item)


def negate(t: Live, item: Frame) -> None:
    if not R.is_negated(item):
        t.tell(C.NEGATED, F.Altered(item.id, columns=R.negated(item)))


def aimed_item(part: DeaInstructionContext) -> Frame | None:
    item_id = R.item_chosen(part.of)
    return next((item for item in part.t.stack if item.id == item_id), None)


def _toll(part: DeaInstructionContext, words: T.Toll) -> bool:
    """Ask for the toll, or negate the item of a writer who cannot pay."""
    t, item = part.t, aimed_item(part)
    if item is None or R.is_negated(item):
        return False
    if R.seat_mark(t, item.by, S.PAGES) < words.n:
        negate(t, item)
        return False
    ask(t, C.CHOICE_PENDING, "pay_or_decline", item.by, part.of.id, item.id, numbers=(words.n,), words=("toll",))
    return True


def _cancel_battle(part: DeaInstructionContext, words: T.CancelBattle) -> None:
    battle = R.battle_of(part.t)
    if battle is not None and not R.is_cancelled(battle):
        part.t.tell(C.BATTLE_CANCELLED, F.Altered(battle.id, columns=R.cancelled(battle)))


# -- tokens, equipment, foreshadows, the end --------------------------------------------------------------------------


@carries(C.TOKENS_ARE_CHARACTERS)
def _create_token(part: DeaInstructionContext, words: T.CreateToken) -> None:
    t, cell = part.t, R.cell_chosen(part.of)
    if cell is not None and R.is_empty(t, cell):
        new = CardId(max(*t.pieces, t.minted) + 1)  # higher than any earlier token
        t.tell(part.because, F.Created(cell, (new,), (words.token,), part.of.by))
        t.tell(part.because, F.Turned((new,), True))


def _remove_token(part: DeaInstructionContext, words: T.RemoveToken) -> None:
    one = char(part, "self")
    if one is not None and R.is_token(part.rules, part.t, one):
        moves.remove(part.t, one, C.TOKEN_REMOVED)


def _discard_equipment(part: DeaInstructionContext, words: T.DiscardEquipment) -> None:
    one = char(part, words.on)
    if one is not None:
        moves.undress(part.t, one, C.TO_OWNERS_ZONE)


def _open_foreshadow(part: DeaInstructionContext, words: T.OpenForeshadow) -> None:
    for target in R.targets_of(part.of)[:1]:
        if R.is_face_down(part.t, part.of.by, target.card):
            open_by_effect(part.rules, part.t, part.of.by, target.card)


@carries(C.SPECIAL_VICTORY)
def _win(part: DeaInstructionContext, words: T.Win) -> None:
    for seat in writers(part, words.who):
        part.t.tell(C.SPECIAL_VICTORY, F.Finished(Result((seat,), "card")))


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
"""Function of each instruction. It returns True if it waits for an answer."""
