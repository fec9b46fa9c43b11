"""Which cards a record created for which deck."""

from domain.law.clause import Told
from domain.law.game import Decks
from domain.table.facts import Created
from domain.table.table import CardId, Seat


def dealt(told: Told, decks: Decks) -> tuple[dict[Seat, tuple[CardId, ...]], Seat | None]:
    """The cards of each seat's deck, as the record created them.

    If there are more or fewer of them than the deck holds, also the seat where that is; then none has a number.
    """
    cards: dict[Seat, tuple[CardId, ...]] = dict.fromkeys(decks, ())
    for _, fact in told:
        if type(fact) is Created:
            cards[fact.owner] = cards.get(fact.owner, ()) + fact.cards
    odd = next((seat for seat, deck in decks.items() if len(cards[seat]) != len(deck.faces)), None)
    if odd is None:
        return cards, None
    return {seat: tuple(CardId(0) for _ in deck.faces) for seat, deck in decks.items()}, odd
