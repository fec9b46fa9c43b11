"""The matches of a store in which there are disputes, or rulings on them, one after the other."""

from collections.abc import Iterator

from domain.law.disputes import Disputed, Ruled
from domain.law.entries import Entry, opened_of
from domain.words import Text
from recorder.answers import Unavailable
from recorder.loading import Games, Match, load_match
from recorder.store import Store, StoreError
from recorder.troubles import UNREAD


def ruled_matches(store: Store, game: str = "", games: Games | None = None) -> Iterator[tuple[str, Match | Text]]:
    """Such matches by their ids, of one game if it is named; in place of one that cannot be read, why. Raises
    StoreError for a store that cannot be."""
    for name in store.having(Ruled):
        try:
            if game and opened_of(store.read(name, upto=1)).game != game:
                continue
            match = load_match(store, name, games)
        except StoreError as error:
            if error.trouble not in UNREAD:
                raise
            yield name, error.text
        else:
            yield name, match.why if isinstance(match, Unavailable) else match


def disputed_matches(store: Store) -> Iterator[tuple[str, tuple[Entry, ...] | Text]]:
    """The entries of matches with disputes, by their ids; no law is asked. In place of one that cannot be read, why."""
    for name in store.having(Disputed):
        try:
            yield name, store.read(name)
        except StoreError as error:
            if error.trouble not in UNREAD:
                raise
            yield name, error.text
