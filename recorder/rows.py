"""Rows on their way into a store: entries with their match, number and kind, and what is written beside them."""

from collections.abc import Sequence
from typing import TypeVar, overload

from msgspec import Struct

from domain.law.entries import Entry
from recorder import codec

Row = tuple[str, int, str, bytes]
"""An entry as it lies in the library's table: its match, its number, its topic, its bytes."""


def row(match: str, number: int, entry: Entry, state: bytes = b"") -> Row:
    """The row of an entry; `state` are its bytes if they came from outside. Raises CodecError for what is no entry."""
    state = state or codec.encode_readable(entry)
    return match, number, codec.topic(entry), state


Item = TypeVar("Item")


class LazySequence(Sequence[Item]):
    """A sequence whose items are made when they are asked for."""

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
    """The rows of a whole record from its bytes, each made as it is asked for: not all of them have to fit in memory.

    Raises CodecError at bytes that are no entry.
    """

    def __init__(self, match: str, states: Sequence[bytes]) -> None:
        self._match = match
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    def _item(self, at: int) -> Row:
        state = self._states[at]
        return row(self._match, at + 1, codec.decode(state), state)


class WriteBatch(Struct, frozen=True):
    """Rows of one match that are written together, and what is kept beside them: `asked` is the command's hash.

    Those of a record from outside are written as they are, `linked` ones with the link to the entry before them.
    """

    rows: Sequence[Row]
    command_id: str | None = None
    asked: bytes = b""
    secret: bytes | None = None
    linked: bool = True


class Conflict(Struct, frozen=True):
    """Somebody else wrote first: the version the write was decided on, and the one the match stands at."""

    match: str
    expected: int
    actual: int


class Repeated(Struct, frozen=True):
    """A command of this id was recorded before: its first and its last entry, and its hash where that is known."""

    first: int
    last: int
    asked: bytes = b""
