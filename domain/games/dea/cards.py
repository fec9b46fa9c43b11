"""Printed cards: the published pools, other card files, and the sample plots."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import card_checks, text as T
from domain.parts.cards import CardFile
from domain.parts.grammar import Grammar
from domain.parts.printed import PrintedCards
from domain.parts.programs import nth

BLANK: Final = T.Card("", "unknown card", "不明なカード", type="event", colour="red")
"""Stand-in for a card with an unknown face. It has no text."""

_PROGRAM_ABILITIES: Final = (T.Automatic, T.Activated, T.Event, T.Foreshadow)


def _ability_of_field(field: T.Field, place: int) -> T.Static | T.Automatic:
    ability: T.Static | T.Automatic = nth(field.abilities, (place,), 0)
    return ability


PRINTED: Final[PrintedCards[T.Card, T.AnyAbility, T.AnyDo]] = PrintedCards(
    __package__,
    CardFile[T.Card],
    BLANK,
    Grammar(dict.fromkeys(_PROGRAM_ABILITIES, ("do",)), {T.Field: _ability_of_field}),
    card_checks.misfits,
)
POOLS: Final = PRINTED.pools
CARDS: Final[Mapping[str, T.Card]] = POOLS.cards_by_pool[POOLS.newest]
"""Cards of the newest pool, by face."""

load_cards: Final = PRINTED.load
card: Final = PRINTED.card
decks: Final = PRINTED.decks
index_cards: Final = PRINTED.cache_by_face
CARDS_BY_FACE: Final = index_cards(lambda card: card)
"""Cards by face, for frequent lookups. An unknown face gives the blank card."""
ability: Final = PRINTED.ability
instruction: Final = PRINTED.instruction
standing_at: Final = PRINTED.find_instruction
program: Final = PRINTED.program
blocks: Final = PRINTED.blocks
