"""Rows to be written to a store: entries with match, number and topic, and their side rows."""

from collections.abc import Sequence
from typing import TypeVar, overload

from msgspec import Struct

from domain.law.entries import Entry
from recorder import codec

Row = tuple[str, int, str, bytes]
"""A row of the library's table: match, number, topic, stored entry."""


def row(match: str, number: int, entry: Entry, state: bytes = b"") -> Row:
    """Return the row of an entry; `state` is its stored form if imported. Raises CodecError for an invalid entry."""
    state = state or codec.encode_readable(entry)
    return match, number, codec.topic(entry), state


Item = TypeVar("Item")


class LazySequence(Sequence[Item]):
    """A sequence whose items are created on access."""

    def _item(self, at: int) -> Item:
        raise NotImplementedError

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | list[Item]:
        places = range(len(self))[at]
        return self._item(places) if isinstance(places, int) else [self._item(place) for place in places]


class StateRows(LazySequence[Row]):
    """The rows of a whole record, created on access to save memory. Raises CodecError for an invalid entry."""

    def __init__(self, match: str, states: Sequence[bytes]) -> None:
        self._match = match
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    def _item(self, at: int) -> Row:
        state = self._states[at]
        return row(self._match, at + 1, codec.decode(state), state)


class WriteBatch(Struct, frozen=True):
    """Rows of one match that are written together, with their side rows. `asked` is the command's hash. `linked` rows
    get a link to the entry before them; an imported record is written unchanged."""

    rows: Sequence[Row]
    command_id: str | None = None
    asked: bytes = b""
    secret: bytes | None = None
    linked: bool = True


class Conflict(Struct, frozen=True):
    """Another writer was first: the match is at version `actual`, not `expected`."""

    match: str
    expected: int
    actual: int


class Repeated(Struct, frozen=True):
    """An earlier command with this id: its first and last entry, and its hash if known."""

    first: int
    last: int
    asked: bytes = b""
