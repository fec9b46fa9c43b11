"""Search of the printed text. It also finds cards published later."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import to_builtins

from domain.games.grimoire.cards import POOLS
from domain.games.grimoire.rules import Rules
from domain.law.pools import PoolId


def find_faces(rules: Rules, **words: str) -> frozenset[str]:
    """Return the cards with a piece of text that has all these fields: `find_faces(rules, do="gain", res="od")`."""
    return _find_faces(rules.cards, tuple(words.items()))


@cache
def _find_faces(pool: PoolId, words: tuple[tuple[str, str], ...]) -> frozenset[str]:
    return frozenset(
        face
        for face, card in POOLS.cards_by_pool[pool].items()
        if any(all(part.get(name) == word for name, word in words) for part in _parts(to_builtins(card)))
    )


def _parts(text: Any) -> Iterator[dict[str, Any]]:
    if isinstance(text, dict):
        yield text
    for inner in text.values() if isinstance(text, dict) else text if isinstance(text, list | tuple) else ():
        yield from _parts(inner)
