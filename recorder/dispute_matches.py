"""Iterate over the matches of a store that have disputes or rulings."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from domain.law.disputes import Disputed, Ruled
from domain.law.entries import Entry, opened_of
from domain.law.logged import Logged
from domain.words import Text
from recorder.answers import Unavailable
from recorder.match_list import damage_in
from recorder.match_loader import Games, LoadedMatch, load_match
from recorder.store import Store, StoreError

Read = TypeVar("Read")


def matches_with(store: Store, kind: type[Logged], read: Callable[[str], Read]) -> Iterator[tuple[str, Read | Text]]:
    """Yield the id of each match with an entry of this kind, with what `read` returns or why it failed. Raises
    StoreError if the store itself cannot be read."""
    for name in store.list_matches_with(kind):
        try:
            yield name, read(name)
        except StoreError as error:
            yield name, damage_in(name, error).why


def ruled_matches(store: Store, game: str = "", games: Games | None = None) -> Iterator[tuple[str, LoadedMatch | Text]]:
    """Yield each match with rulings, of one game if it is given, or why the match is unavailable. Raises StoreError."""

    def load(name: str) -> LoadedMatch | Text | None:
        if game and opened_of(store.read(name, upto=1)).game != game:
            return None
        match = load_match(store, name, games)
        return match.why if isinstance(match, Unavailable) else match

    return ((name, match) for name, match in matches_with(store, Ruled, load) if match is not None)


def disputed_matches(store: Store) -> Iterator[tuple[str, tuple[Entry, ...] | Text]]:
    """Yield the entries of each match with disputes, without loading a law. Raises StoreError."""
    return matches_with(store, Disputed, store.read)
