"""The printed cards: the published pools, any other card file, the sample plots, what stands at a place of a text."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import card_checks, text as T
from domain.parts.cards import CardFile
from domain.parts.grammar import Grammar
from domain.parts.printed import PrintedCards
from domain.parts.programs import nth

BLANK: Final = T.Card("", "unknown card", "不明なカード", type="event", colour="red")
"""A card the log does not know the face of: it says nothing."""

_ACTING: Final = (T.Automatic, T.Activated, T.Event, T.Foreshadow)


def _ability_of_field(field: T.Field, place: int) -> T.Static | T.Automatic:
    ability: T.Static | T.Automatic = nth(field.abilities, (place,), 0)
    return ability


PRINTED: Final[PrintedCards[T.Card, T.AnyAbility, T.AnyDo]] = PrintedCards(
    __package__,
    CardFile[T.Card],
    BLANK,
    Grammar(dict.fromkeys(_ACTING, ("do",)), {T.Field: _ability_of_field}),
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
