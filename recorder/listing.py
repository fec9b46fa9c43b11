"""What a list of a store's matches says of each, and what of it is read off the match's first entry."""

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from domain.table.table import Seat

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


class Listed(Struct, frozen=True):
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


HEAD: Final = msgspec.msgpack.Decoder(Head)


def list_match(match: str, entries: int, head: Head, *, closed: bool) -> Listed:
    """A match of so many entries that was opened so."""
    return Listed(match, entries, closed, **asdict(head), unofficial=bool(head.parent))
