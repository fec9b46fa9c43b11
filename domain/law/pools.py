"""Card pools: the printed cards of a game as frozen values, identified by a hash of their content.

The ruleset names the pool in force, so a record is judged by the cards it was played with. Published pools are only
ever added, each as an overlay on the one before. Other cards can be laid over a pool while a program runs. Such pools
have a hash too.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Final, Generic, NewType, TypeVar

import msgspec
from msgspec import Struct

from domain.words import Text, TextError

T = TypeVar("T", bound=Struct)

PoolId = NewType("PoolId", str)
FIRST: Final = PoolId("")
"""In a ruleset: the pool published first, which was in force before records named a pool."""

CARD: Final = "card "
"""Prefix of a face where a changed card is listed among changed fields of the rules."""


class PoolError(TextError):
    """Cards that cannot be laid over a pool; `text` names the file, card, field and allowed values. `likeness` is the
    share of the file, from 0 to 1, that has the form of the game's cards."""

    def __init__(self, text: Text, likeness: float = 0.0) -> None:
        super().__init__(text)
        self.likeness = likeness


class Overlay(Struct, frozen=True):
    """A card file to lay over a pool. Its cards replace those with the same ids and add the others."""

    file: str
    text: str


def key_of(face: str) -> str:
    return CARD + face


def face_of(key: str) -> str | None:
    """Return the face of a changed card's key; None for the key of a field."""
    return key[len(CARD) :] if key.startswith(CARD) else None


class Pools(Generic[T]):
    """The pools of one game. `field` is the field of its ruleset that names the pool in force. `read` takes a text, a
    file name and the cards that the text may refer to. It returns cards by face or raises PoolError."""

    def __init__(
        self, field: str, read: Callable[[str, str, Mapping[str, T]], Mapping[str, T]], publications: Iterable[Overlay]
    ) -> None:
        self.field = field
        self.cards_by_pool: dict[PoolId, Mapping[str, T]] = {}
        """Cards by face of every known pool, by its hash."""
        self.published: dict[str, PoolId] = {}
        """Hash of each published pool by name, in order of publication."""
        self._read = read
        cards: Mapping[str, T] = {}
        for publication in publications:
            cards = {**cards, **read(publication.text, publication.file, cards)}
            self.published[publication.file.rpartition("/")[2].partition(".")[0]] = self._register(cards)
        self.cards_by_pool[FIRST] = self.cards_by_pool[self.hash_of(FIRST)]

    @property
    def newest(self) -> PoolId:
        return tuple(self.published.values())[-1]

    @property
    def faces(self) -> list[str]:
        return sorted({face for cards in self.cards_by_pool.values() for face in cards})

    def hash_of(self, pool: PoolId) -> PoolId:
        """Return the hash of the pool that a ruleset names."""
        return pool or next(iter(self.published.values()))

    def by_name(self, pool: str) -> PoolId:
        """Return the hash of a published pool by name. Any other text is taken for a hash."""
        return self.published.get(pool, PoolId(pool))

    def read(self, overlay: Overlay) -> Mapping[str, T]:
        """Return the cards of a file, and lay them over every published pool. Raises PoolError."""
        cards = self._read(overlay.text, overlay.file, self.cards_by_pool[self.newest])
        for pool in self.published.values():
            self.lay_over(pool, cards)
        return cards

    def lay_over(self, pool: PoolId, cards: Mapping[str, T]) -> PoolId:
        """Lay cards over a pool, and return the hash of the result."""
        return self._register({**self.cards_by_pool[pool], **cards})

    def mix(self, pool: PoolId, other: PoolId, faces: Iterable[str]) -> PoolId:
        """Return the hash of a pool that takes these cards from another pool, or omits those missing there."""
        mine, theirs, swapped = self.cards_by_pool[pool], self.cards_by_pool[other], frozenset(faces)
        rest = {face: card for face, card in mine.items() if face not in swapped}
        return self._register(rest | {face: card for face, card in theirs.items() if face in swapped})

    def changed_faces(self, pool: PoolId, other: PoolId) -> tuple[str, ...]:
        """Return the cards that differ between two pools or are in only one of them."""
        mine, theirs = self.cards_by_pool[pool], self.cards_by_pool[other]
        if mine is theirs:
            return ()
        faces = sorted({*mine, *theirs})
        return tuple(face for face in faces if _encode(mine.get(face)) != _encode(theirs.get(face)))

    def _register(self, cards: Mapping[str, T]) -> PoolId:
        pool = digest(cards)
        self.cards_by_pool.setdefault(pool, cards)
        return pool


def digest(cards: Mapping[str, Struct]) -> PoolId:
    """Return the hash of the printed cards, in the order of their faces."""
    total = sha256()
    for face in sorted(cards):
        total.update(_encode(cards[face]) + b"\n")
    return PoolId(total.hexdigest()[:16])


def _encode(card: Struct | None) -> bytes:
    """Encode a card. Keys of tables keep their printed order, because it can matter."""
    return msgspec.json.encode(card)
