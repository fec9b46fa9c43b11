"""Card pools: what is printed on the cards of a game, as frozen values told apart by a hash of their content.

The pool in force is a value of the ruleset, so a record is judged by the cards it was played with. What is published
stands in a row to which is only added, each publication laid over the one before it. Any other cards can be laid over a
pool for as long as a program runs: they too are known by their hash.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Final, Generic, NewType, TypeVar

import msgspec
from msgspec import Struct

from domain.words import Text, TextError

T = TypeVar("T", bound=Struct)

PoolId = NewType("PoolId", str)
"""The hash of a pool."""
FIRST: Final = PoolId("")
"""In a ruleset: the pool published first, which was in force before records said which."""

CARD: Final = "card "
"""What stands before a face where a changed card is named among changed fields of the rules."""


class PoolError(TextError):
    """Cards that cannot be laid over a pool; `text` names file, card, field and what is allowed there.

    `likeness` is how much of the file has the form of the game's cards, from 0 to 1.
    """

    def __init__(self, text: Text, likeness: float = 0.0) -> None:
        super().__init__(text)
        self.likeness = likeness


class Overlay(Struct, frozen=True):
    """A card file to be laid over a pool: its cards stand instead of those with their ids, or beside them."""

    file: str
    text: str


def key_of(face: str) -> str:
    """The name of a changed card among changed fields of the rules."""
    return CARD + face


def face_of(key: str) -> str | None:
    """The face of a changed card by that name; None for the key of a field."""
    return key[len(CARD) :] if key.startswith(CARD) else None


class Pools(Generic[T]):
    """The pools of one game. `field` is the field of its ruleset that names the pool in force.

    `read` takes text, file name and the cards that are there beside it to cards by face, or raises PoolError.
    """

    def __init__(
        self, field: str, read: Callable[[str, str, Mapping[str, T]], Mapping[str, T]], publications: Iterable[Overlay]
    ) -> None:
        self.field = field
        self.held: dict[PoolId, Mapping[str, T]] = {}
        """The cards by face of every pool known, by its hash."""
        self.published: dict[str, PoolId] = {}
        """The hash of each published pool by its name, in the order of their publication."""
        self._read = read
        cards: Mapping[str, T] = {}
        for publication in publications:
            cards = {**cards, **read(publication.text, publication.file, cards)}
            self.published[publication.file.rpartition("/")[2].partition(".")[0]] = self._keep(cards)
        self.held[FIRST] = self.held[self.hash_of(FIRST)]

    @property
    def newest(self) -> PoolId:
        """The hash of the pool published last."""
        return tuple(self.published.values())[-1]

    @property
    def faces(self) -> list[str]:
        """Every face of every pool known."""
        return sorted({face for cards in self.held.values() for face in cards})

    def hash_of(self, pool: PoolId) -> PoolId:
        """The hash of a pool as a ruleset names it."""
        return pool or next(iter(self.published.values()))

    def by_name(self, pool: str) -> PoolId:
        """The hash of a published pool by its name; anything else is taken for a hash."""
        return self.published.get(pool, PoolId(pool))

    def read(self, overlay: Overlay) -> Mapping[str, T]:
        """The cards of a file that is laid over pools; they are known from then on over every published one.

        Raises PoolError.
        """
        cards = self._read(overlay.text, overlay.file, self.held[self.newest])
        for pool in self.published.values():
            self.lay_over(pool, cards)
        return cards

    def lay_over(self, pool: PoolId, cards: Mapping[str, T]) -> PoolId:
        """The hash of the pool with these cards laid over it."""
        return self._keep({**self.held[pool], **cards})

    def mix(self, pool: PoolId, other: PoolId, faces: Iterable[str]) -> PoolId:
        """The hash of the pool with these cards as they are in another, or without those that it does not have."""
        mine, theirs, swapped = self.held[pool], self.held[other], frozenset(faces)
        kept = {face: card for face, card in mine.items() if face not in swapped}
        return self._keep(kept | {face: card for face, card in theirs.items() if face in swapped})

    def changed_faces(self, pool: PoolId, other: PoolId) -> tuple[str, ...]:
        """The cards on which something else is printed in another pool, or that only one of the two has."""
        mine, theirs = self.held[pool], self.held[other]
        if mine is theirs:
            return ()
        faces = sorted({*mine, *theirs})
        return tuple(face for face in faces if _printed(mine.get(face)) != _printed(theirs.get(face)))

    def _keep(self, cards: Mapping[str, T]) -> PoolId:
        pool = digest(cards)
        self.held.setdefault(pool, cards)
        return pool


def digest(cards: Mapping[str, Struct]) -> PoolId:
    """The hash that tells two pools apart: of all that is printed, card by card in the order of their faces."""
    total = sha256()
    for face in sorted(cards):
        total.update(_printed(cards[face]) + b"\n")
    return PoolId(total.hexdigest()[:16])


def _printed(card: Struct | None) -> bytes:
    """What is printed on a card. Keys of tables stay in the order in which they are printed, because it can tell."""
    return msgspec.json.encode(card)
