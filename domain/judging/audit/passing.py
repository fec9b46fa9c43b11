"""Entries that can be gone through only once, kept so that a rewind finds them again."""

from collections.abc import Iterable, Iterator

import msgspec

from domain.law.entries import Entry


class Passing:
    """Entries that pass only once. Their bytes are kept, a small part of what the entries themselves would take."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._coming = iter(entries)
        self._passed: list[bytes] = []

    def __getitem__(self, at: int) -> Entry:
        while len(self._passed) <= at:
            self._pass(next(self._coming))
        entry: Entry = _ENTRY.decode(self._passed[at])
        return entry

    def last(self) -> Entry:
        """The last of them: all pass."""
        for _ in self:
            pass
        return self[len(self._passed) - 1]

    def __iter__(self) -> Iterator[Entry]:
        yield from (self[at] for at in range(len(self._passed)))
        yield from map(self._pass, self._coming)

    def _pass(self, entry: Entry) -> Entry:
        self._passed.append(msgspec.msgpack.encode(entry))
        return entry


_ENTRY = msgspec.msgpack.Decoder(Entry)
