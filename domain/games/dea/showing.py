"""What is shown of a card and of its text in passing."""

from functools import cache
from typing import Final

from domain.games.dea import schema as S
from domain.games.dea.cards import POOLS
from domain.law.display import Display
from domain.law.pools import PoolId
from domain.words import Message

_DISPLAY: Final = Display(order=(S.LIFE, S.MAX_LIFE, S.PAGES, S.EP), always=(S.LIFE, S.PAGES, S.EP), flags=("used.*",))


@cache
def display(pool: PoolId) -> Display:
    """How the game is shown with the cards of a pool."""
    return _DISPLAY


@cache
def words(pool: PoolId) -> dict[str, Message]:
    """The cards of a pool and the abilities on them, by what records call them."""
    return {face: Message(f"{face} {card.en}", f"{face} {card.ja}") for face, card in POOLS.held[pool].items()}
