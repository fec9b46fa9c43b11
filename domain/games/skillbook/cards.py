"""The printed cards: the published pools, any other card file, the sample decks, what stands at a place of a text."""

from collections.abc import Mapping
from typing import Final

from domain.games.skillbook import card_checks, text as T
from domain.parts.cards import CardFile
from domain.parts.grammar import Grammar
from domain.parts.printed import PrintedCards

BLANK: Final = T.Card(id="", en="unknown card", ja="不明なカード", type="spell")
"""A card the log does not know the face of: it says nothing."""

PRINTED: Final[PrintedCards[T.Card, T.AnyAbility, T.AnyDo]] = PrintedCards(
    __package__,
    CardFile[T.Card],
    BLANK,
    Grammar(dict.fromkeys((T.Use, T.Activated, T.Triggered), ("do",)), {}),
    card_checks.misfits,
)
POOLS: Final = PRINTED.pools
"""The published pools, and what was laid over them."""
CARDS: Final[Mapping[str, T.Card]] = POOLS.held[POOLS.newest]
"""The cards by face as they are printed now."""

load_cards: Final = PRINTED.load
card: Final = PRINTED.card
decks: Final = PRINTED.decks
work_out: Final = PRINTED.work_out
PRINTED_ON: Final = work_out(lambda card: card)
"""The cards by face, for what asks at every step; of an unknown face the blank one."""
ability: Final = PRINTED.ability
instruction: Final = PRINTED.instruction
standing_at: Final = PRINTED.standing_at
program: Final = PRINTED.program
blocks: Final = PRINTED.blocks
