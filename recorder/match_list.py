"""What a list of a store's matches says of each, and what of it is read off the match's first entry."""

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from domain.table.table import Seat
from domain.words import Text
from recorder.troubles import UNREAD, StoreError

HEADS_MAX: Final = 4_096
"""Of so many matches is remembered how they were opened."""


class Head(Struct, frozen=True):
    """How a match was opened, as far as lists say it. It never changes."""

    game: str
    version: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str] = {}
    at: int = 0
    parent: str = ""
    parent_at: int = 0


class MatchListItem(Struct, frozen=True):
    """One match of the store, as a list shows it."""

    match: str
    entries: int
    closed: bool
    game: str
    version: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str] = {}
    at: int = 0
    parent: str = ""
    parent_at: int = 0
    unofficial: bool = False


class Damaged(Struct, frozen=True):
    """A match whose record breaks at an entry, and why. The entries before it can be read.

    `newer`: nothing is broken, but only a later program reads the entry.
    """

    match: str
    entry: int
    why: Text
    newer: bool = False


def damage_in(match: str, error: StoreError) -> Damaged:
    """Return the damage of a match that an error tells of. Raises the error where the whole store cannot be used."""
    if error.trouble not in UNREAD:
        raise error
    return Damaged(match, error.entry, error.text, newer=error.trouble == "newer")


def list_damaged(damaged: Damaged) -> MatchListItem:
    """Return what a list says of a match whose opening cannot be read."""
    return MatchListItem(damaged.match, damaged.entry - 1, closed=False, game="", version="", seats=())


HEAD: Final = msgspec.msgpack.Decoder(Head)


def list_match(match: str, entries: int, head: Head, *, closed: bool) -> MatchListItem:
    """A match of so many entries that was opened so."""
    return MatchListItem(match, entries, closed, **asdict(head), unofficial=bool(head.parent))
