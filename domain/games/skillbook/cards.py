"""Printed cards: the published pools, other card files, the sample decks and lookup of card text by path."""

from collections.abc import Mapping
from typing import Final

from domain.games.skillbook import card_checks, text as T
from domain.parts.cards import CardFile
from domain.parts.grammar import Grammar
from domain.parts.printed import PrintedCards

BLANK: Final = T.Card(id="", en="unknown card", ja="不明なカード", type="spell")
"""Card for a face that the log does not know. It has no text."""

PRINTED: Final[PrintedCards[T.Card, T.AnyAbility, T.AnyDo]] = PrintedCards(
    __package__,
    CardFile[T.Card],
    BLANK,
    Grammar(dict.fromkeys((T.Use, T.Activated, T.Triggered), ("do",)), {}),
    card_checks.find_mistakes,
)
POOLS: Final = PRINTED.pools
"""The published pools, and pools of cards loaded over them."""
CARDS: Final[Mapping[str, T.Card]] = POOLS.cards_by_pool[POOLS.newest]
load_cards: Final = PRINTED.load
card: Final = PRINTED.card
decks: Final = PRINTED.decks
work_out: Final = PRINTED.cache_by_face
PRINTED_ON: Final = work_out(lambda card: card)
"""Cards by pool and face, for frequent lookups. An unknown face gives `BLANK`."""
ability: Final = PRINTED.ability
instruction: Final = PRINTED.instruction
standing_at: Final = PRINTED.find_instruction
program: Final = PRINTED.program
blocks: Final = PRINTED.blocks
