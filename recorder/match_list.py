"""Items of a list of matches, read from each match's first entry."""

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from domain.table.table import Seat
from domain.words import Text
from recorder.troubles import UNREAD, StoreError

HEADS_MAX: Final = 4_096


class Head(Struct, frozen=True):
    """The fields of an opening that lists show. They never change."""

    game: str
    version: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str] = {}
    at: int = 0
    parent: str = ""
    parent_at: int = 0


class MatchListItem(Struct, frozen=True):
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


class DamagedMatch(Struct, frozen=True):
    """A match whose record is damaged at an entry. The entries before it can be read. `newer`: nothing is damaged, but
    only a later program can read the entry."""

    match: str
    entry: int
    why: Text
    newer: bool = False


def damage_in(match: str, error: StoreError) -> DamagedMatch:
    """Return the damage that an error reports. Raises the error if it concerns the whole store."""
    if error.trouble not in UNREAD:
        raise error
    return DamagedMatch(match, error.entry, error.text, newer=error.trouble == "newer")


def make_damaged_list_item(damaged: DamagedMatch) -> MatchListItem:
    """Return the list item of a match with an unreadable opening."""
    return MatchListItem(damaged.match, damaged.entry - 1, closed=False, game="", version="", seats=())


HEAD: Final = msgspec.msgpack.Decoder(Head)


def make_list_item(match: str, entries: int, head: Head, *, closed: bool) -> MatchListItem:
    return MatchListItem(match, entries, closed, **asdict(head), unofficial=bool(head.parent))
