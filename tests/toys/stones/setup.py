"""Set-up of Stepping Stones."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.law.clause import Check, Count
from domain.law.game import Deck, Decks
from domain.law.live import LiveTable
from domain.table.facts import Created
from domain.table.table import CardId, Seat
from tests.toys.stones import clauses as C
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import SIZE, place_of, stone
from tests.toys.stones.table_queries import RUNNER, SEATS, WALKER, bank

WALKERS: Final = (WALKER,) * SIZE


def seats(rules: Rules) -> tuple[Seat, ...]:
    return SEATS


def deck(rules: Rules, seat: Seat) -> Deck:
    return Deck(WALKERS)


def faces() -> tuple[str, ...]:
    return WALKER, RUNNER


def deck_checks(rules: Rules, seat: Seat, deck: Deck) -> Iterator[Check]:
    yield C.FOUR_WALKERS, deck.faces == WALKERS, Count(len(deck.faces))


def set_up(rules: Rules, t: LiveTable, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    for seat in decks:
        for column, (card, face) in enumerate(zip(cards[seat], decks[seat].faces, strict=True), start=1):
            t.emit(C.OWN_BANK, Created(place_of(stone(column, bank(seat))), (card,), (face,), seat))
