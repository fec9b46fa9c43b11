"""Basic moves shared by rules and cards: drawing, discarding, damage, resources."""

from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.rules import Rules
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.places import place_in
from domain.table.facts import Marked, Moved, Shown
from domain.table.table import EVERYONE, CardId, Place, Seat, Table, seat_of

REMOVED_PLACE: Final = Place(S.REMOVED)


def draw(rules: Rules, t: LiveTable, seat: Seat, n: int, because: Clause) -> None:
    """Draw cards one by one. Mark the player if the grimoire is empty."""
    for _ in range(n):
        cards = R.grimoire(t, seat)
        if cards:
            put_in_hand(rules, t, seat, (cards[0],), because)
        elif not R.seat_mark(t, seat, S.DRAW_FAILED):
            t.emit(C.DRAW_FROM_EMPTY, Marked(seat, S.DRAW_FAILED, 1))


def put_in_hand(rules: Rules, t: LiveTable, seat: Seat, cards: tuple[CardId, ...], because: Clause) -> None:
    """Put cards into a hand. Cards over its limit go to the junkyard."""
    for card in cards:
        full = rules.hand_max is not None and len(R.hand(t, seat)) >= rules.hand_max
        to = place_in(seat, S.JUNKYARD if full else S.HAND)
        if t.pieces[card].place != to:
            relocate(rules, t, (card,), to, C.HAND_LIMIT if full else because)


def discard(rules: Rules, t: LiveTable, cards: tuple[CardId, ...], because: Clause) -> None:
    """Put hand cards into the junkyard of the player who held them, or of their owner."""
    for card in cards:
        piece = t.pieces[card]
        seat = None if rules.zone_destination == "owner" else seat_of(piece.place)
        relocate(rules, t, (card,), place_in(seat or piece.owner, S.JUNKYARD), because)


def expel(rules: Rules, t: LiveTable, cards: tuple[CardId, ...]) -> None:
    """Remove cards from the game. Faces that all players or friends knew stay known to them."""
    if not cards:
        return
    public = tuple(card for card in cards if t.pieces[card].up)
    private = {
        seat: tuple(card for card in cards if card not in public and _is_held_by(t, card, seat)) for seat in t.seats
    }
    t.emit(C.OUT_CARDS_LEAVE, Moved(cards, REMOVED_PLACE))
    if public:
        t.emit(C.OUT_CARDS_LEAVE, Shown(public, (EVERYONE,), lasting=True))
    for seat, held_cards in private.items():
        knowing = tuple(friend for friend in t.seats if R.are_friends(rules, seat, friend))
        if held_cards and knowing:
            t.emit(C.OUT_CARDS_LEAVE, Shown(held_cards, knowing, lasting=True))


def _is_held_by(t: Table, card: CardId, seat: Seat) -> bool:
    return t.pieces[card].place in (place_in(seat, S.HAND), place_in(seat, S.BOOKMARK))


def relocate(
    rules: Rules, t: LiveTable, cards: tuple[CardId, ...], to: Place, because: Clause, where: int = -1
) -> None:
    """Move cards off the field to another zone. Cards whose owner is out leave the game."""
    expelled = tuple([card for card in cards if R.is_out(t, t.pieces[card].owner)])
    if expelled:
        expel(rules, t, expelled)
        cards = tuple(card for card in cards if card not in expelled)
    if cards:
        t.emit(because, Moved(cards, to, where, up=to.endswith("." + S.JUNKYARD)))


@implements(C.DAMAGE_ACCUMULATES, C.ZERO_DAMAGE)
def deal_damage(t: LiveTable, amounts: dict[CardId, int], because: Clause) -> None:
    """Deal damage to several objects at once. Damage of 0 is not dealt."""
    sums = {card: R.damage(t, card) + n for card, n in amounts.items() if n > 0}
    for card, n in amounts.items():
        if n <= 0:
            note(t, C.ZERO_DAMAGE, card)
        elif sums[card] > n:
            note(t, C.DAMAGE_ACCUMULATES, card, Count(sums[card] - n), Count(n))
    for card in R.sort_by_turn(t, sums):
        t.emit(because, Marked((card,), S.DAMAGE, sums[card]))


def change_resource(t: LiveTable, seat: Seat, resource: str, n: int, because: Clause) -> None:
    """Add to a resource, or with a negative `n` take from it, down to 0."""
    amount = R.seat_mark(t, seat, resource)
    result = max(0, amount + n)
    if result != amount:
        t.emit(because, Marked(seat, resource, result))


def base_mark(t: Table, card: CardId, seat: Seat) -> int:
    """Return the value of the mark of the base controller: the number of the seat, or 0 for the owner."""
    return 0 if t.pieces[card].owner == seat else R.seats(t).index(seat) + 1
