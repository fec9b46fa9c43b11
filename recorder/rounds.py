"""The matches of a round, read from a store by event and round."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.law.entries import Entry, last_described
from recorder.store import Store
from recorder.troubles import UNREAD, StoreError


class RoundMatch(Struct, frozen=True):
    """A match of a round. A `damaged` one has its opening alone."""

    match: str
    entries: tuple[Entry, ...]
    damaged: bool = False


def read_round(store: Store, event: str, round: str, matches: Iterable[str]) -> Iterator[RoundMatch]:
    """Yield those of these matches that belong to the round. Raises StoreError if the store cannot be used."""
    for match in matches:
        read = _read(store, match)
        if read is None or not read.entries:
            continue
        said = last_described(read.entries).occasion
        if (said.event, said.round) == (event, round):
            yield read


def _read(store: Store, match: str) -> RoundMatch | None:
    """Return a match, or as much of it as can be read."""
    for upto in (None, 1):
        try:
            return RoundMatch(match, store.read(match, upto=upto), damaged=upto is not None)
        except StoreError as error:
            if error.trouble not in UNREAD:
                raise
    return None
