"""What is shown of a card and of its text in passing."""

from functools import cache
from typing import Final

from domain.games.skillbook import schema as S
from domain.games.skillbook.cards import POOLS
from domain.law.display import Display
from domain.law.pools import PoolId
from domain.parts.grid import LETTERED
from domain.words import Message

_DISPLAY: Final = Display(squares={S.GROUND: LETTERED, S.UNIT: LETTERED}, flags=(S.IGNORES, S.IN_FORCE, "used.*"))


@cache
def display(pool: PoolId) -> Display:
    """How the game is shown with the cards of a pool."""
    return _DISPLAY


@cache
def words(pool: PoolId) -> dict[str, Message]:
    """The cards of a pool, by what records call them."""
    return {face: Message(f"{face} {card.en}", f"{face} {card.ja}") for face, card in POOLS.held[pool].items()}
