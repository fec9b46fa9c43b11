"""Moves between zones: mill, draw, bury, recall and remove."""

from collections.abc import Iterable

from domain.games.skillbook import board as B, clauses as C, schema as S, table_queries as R
from domain.games.skillbook.effects.queueing import queue_milled
from domain.games.skillbook.rules import Rules
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Result, Seat, Table


@implements(C.COST_COUNTED_FACE_DOWN, C.GRAVEYARD_ORDER)
def mill(rules: Rules, t: LiveTable, seat: Seat, n: int, because: Clause) -> None:
    """Move cards from the top of a book to the graveyard, up to `n`. By default the last one ends on top."""
    milled = R.book(t, seat)[:n]
    if not milled:
        return
    order = milled[::-1] if rules.mill_order == "first_on_top" else milled
    t.emit(because, F.Moved(order, place_in(seat, S.GRAVEYARD), up=True))
    queue_milled(rules, t, milled)


@implements(C.EMPTY_BOOK_LOSES)
def draw(rules: Rules, t: LiveTable, seat: Seat, n: int, because: Clause) -> None:
    """Draw cards, which their player then places. With `book_out_check` "on_need", a draw from an empty book loses."""
    drawn = R.book(t, seat)[:n]
    if drawn:
        t.emit(because, F.Moved(drawn, place_in(seat, S.DRAWN)))
    if len(drawn) < n and rules.book_out_check == "on_need":
        t.emit(C.EMPTY_BOOK_LOSES, F.Finished(Result((R.opponent(seat),), "book")))


def put_in_hand(t: LiveTable, seat: Seat, card: CardId) -> None:
    """Put a drawn card into the hand. A card that returned publicly stays known."""
    known_to = t.pieces[card].seen
    t.emit(C.TURN_DRAW, F.Moved((card,), place_in(seat, S.HAND)))
    if known_to:
        t.emit(C.TURN_DRAW, F.Shown((card,), known_to, lasting=True))


def bury(t: LiveTable, cards: Iterable[CardId], because: Clause) -> None:
    """Put cards into their owners' graveyards together. An owner of several is asked for their order."""
    buried = tuple(cards)
    put_in_graveyards(t, buried, because)
    ask_order(t, buried)


def put_in_graveyards(t: LiveTable, cards: Iterable[CardId], because: Clause) -> None:
    """Put cards into their owners' graveyards without asking for their order."""
    for seat, buried in _by_owner(t, cards):
        t.emit(because, F.Moved(buried, place_in(seat, S.GRAVEYARD), up=True))


def ask_order(t: LiveTable, buried: Iterable[CardId]) -> None:
    for seat, own_cards in _by_owner(t, buried):
        if len(own_cards) > 1:
            ask(t, C.GRAVEYARD_ORDER, "order_graveyard", seat, cards=own_cards)


def _by_owner(t: Table, cards: Iterable[CardId]) -> list[tuple[Seat, tuple[CardId, ...]]]:
    """Return the cards by owner, the turn player first, without empty groups."""
    all_cards = tuple(cards)
    if not all_cards:
        return []
    packets = (
        (seat, tuple(card for card in all_cards if t.pieces[card].owner == seat)) for seat in R.seats_in_turn_order(t)
    )
    return [(seat, packet) for seat, packet in packets if packet]


@implements(C.TOKENS_REMOVED, C.RECALL, C.HEROES_NOT_RECALLED)
def recall(rules: Rules, t: LiveTable, units: Iterable[CardId], because: Clause) -> None:
    """Return units to their owners for placing. Tokens leave the match, heroes stay."""
    present = [unit for unit in units if R.is_unit(t, unit)]
    cards = [unit for unit in present if not R.is_hero(rules, t, unit)]
    if len(cards) < len(present):
        note(t, C.HEROES_NOT_RECALLED, *(unit for unit in present if unit not in cards))
    tokens = tuple(unit for unit in cards if R.is_token(rules, t, unit))
    end_effects_on(t, cards, because)
    if tokens:
        t.emit(C.TOKENS_REMOVED, F.Removed(tokens))
    for seat in R.seats_in_turn_order(t):
        own_cards = tuple(unit for unit in cards if unit not in tokens and R.owner(t, unit) == seat)
        if own_cards:
            t.emit(because, F.Moved(own_cards, place_in(seat, S.DRAWN), up=True))
            t.emit(because, F.Shown(own_cards, (EVERYONE,), lasting=True))
            t.emit(because, F.Marked(own_cards, S.RECALLED, 1))


def end_effects_on(t: LiveTable, cards: Iterable[CardId], because: Clause) -> None:
    """End effects on units that leave the board. Their abilities on the stack keep the last square as origin."""
    leaving = frozenset(cards)
    for item in t.stack:
        user = R.user_or_source(item)
        if item.kind == "ability" and user in leaving and R.is_unit(t, user) and R.origin_of(item) != R.square(t, user):
            t.emit(because, F.Altered(item.id, columns=R.item_with_origin(item, B.ground_place(R.square(t, user)))))
    ending = tuple(effect.id for effect in t.effects if effect.on and all(on.card in leaving for on in effect.on))
    if ending:
        t.emit(because, F.Ended(ending))


def remove(t: LiveTable, cards: tuple[CardId, ...], because: Clause, *, up: bool) -> None:
    """Remove cards from the game: face up by card text, face down by charging."""
    for card in cards:
        t.emit(because, F.Moved((card,), place_in(t.pieces[card].owner, S.REMOVED), up=up))
