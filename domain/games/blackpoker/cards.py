"""Playing cards, and the deck list of each frame."""

from functools import cache
from importlib.resources import files
from typing import Final, Literal

import tomli

from domain.games.blackpoker import clauses as C
from domain.law.clause import implements

Suit = Literal["S", "H", "D", "C", ""]
SUITS: Final[tuple[Suit, ...]] = ("S", "H", "D", "C")

JOKER: Final = "JK"
NUMBERS: Final[dict[str, int]] = implements(C.CARD_NUMBERS)(
    {"A": 1, "J": 11, "Q": 12, "K": 13, JOKER: 0} | {str(n): n for n in range(2, 11)}
)

RANKS_OF_SOLDIERS: Final = frozenset(str(n) for n in range(2, 11))
RANKS_OF_HEROES: Final = frozenset(("J", "Q", "K"))
RANK_OF_ACES: Final = "A"
RANKS_OF_GENERATIONS: Final = frozenset((JOKER, "A", "J", "Q", "K"))
"""Ranks that call up a next generation when they leave the field, and that a next generation looks for."""


def suit(face: str) -> Suit:
    return "" if face == JOKER else face[0]  # type: ignore[return-value]


def rank(face: str) -> str:
    """Return the rank of a face: A, 2-10, J, Q, K or JK."""
    return face if face == JOKER else face[1:]


NUMBER_OF: Final[dict[str, int]] = {JOKER: 0} | {
    suit + name: number for suit in SUITS for name, number in NUMBERS.items() if name != JOKER
}
GENERATION: Final[frozenset[str]] = frozenset(face for face in NUMBER_OF if rank(face) in RANKS_OF_GENERATIONS)


def number(face: str | None) -> int:
    """Return the number of a face, 0 if the face is unknown."""
    return NUMBER_OF.get(face, 0) if face else 0


@cache
def decks() -> dict[str, tuple[str, ...]]:
    text = files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")
    return {frame: tuple(faces) for frame, faces in tomli.loads(text)["decks"].items()}
