"""Read the matches of a round from a store."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.law.entries import Entry, last_described
from recorder.match_list import damage_in
from recorder.match_loader import read_listed
from recorder.store import Store, StoreError


class RoundMatch(Struct, frozen=True):
    """A match of a round. A `damaged` one has only its opening."""

    match: str
    entries: tuple[Entry, ...]
    damaged: bool = False


def read_round(store: Store, event: str, round: str, matches: Iterable[str]) -> Iterator[RoundMatch]:
    """Yield those of the matches that belong to the round. Raises StoreError if the store cannot be used."""
    for match in matches:
        read = _read(store, match)
        if read is None or not read.entries:
            continue
        occasion = last_described(read.entries).occasion
        if (occasion.event, occasion.round) == (event, round):
            yield read


def _read(store: Store, match: str) -> RoundMatch | None:
    """Return a match, its opening if it is damaged, or None if that is unreadable too."""
    try:
        return RoundMatch(match, read_listed(store, match)[0])
    except StoreError as error:
        if damage_in(match, error).entry < 2:
            return None
        return RoundMatch(match, store.read(match, upto=1), damaged=True)
