"""Short names of playing cards."""

from typing import Final

from domain.games.blackpoker.cards import JOKER, rank, suit
from domain.law.display import Display
from domain.words import Lang

SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def short(face: str, lang: Lang) -> str:
    """Return the suit sign and the rank: `♠9`."""
    return face if face == JOKER else f"{SIGNS.get(suit(face), suit(face))}{rank(face)}"


DISPLAY: Final = Display(short=short)
