"""A file that lies elsewhere, read by ranges: each byte once while it is kept, more of them at once in order."""

from collections import OrderedDict
from threading import Lock
from typing import Final, Protocol

GRAIN: Final = 8 * 1024
"""The bytes of a block: nothing smaller is fetched, and nothing smaller is kept."""
FIRST: Final = 16 * 1024
"""How much of its beginning is fetched at once."""
MOST: Final = 128
"""How many blocks are fetched at once at most."""
KEPT: Final = 4096
"""How many blocks are kept: 32 MiB."""
RUNS: Final = 16
"""Behind how many ranges it is remembered that they may go on."""


class Origin(Protocol):
    """Where the bytes are. All of it raises AddressError."""

    size: int
    stamp: str
    """What tells this content from any other one under the same name."""
    first: bytes
    """What was learned of its beginning when it was reached; maybe nothing."""

    def fetch(self, start: int, end: int) -> bytes:
        """These bytes, all of them."""

    def stamp_now(self) -> str:
        """What the stamp is by now."""


class Ranges:
    """The bytes of an origin, by blocks. A range that goes on where one ended is twice as long."""

    def __init__(self, name: str, origin: Origin) -> None:
        self.name, self.size, self.stamp = name, origin.size, origin.stamp
        self._origin = origin
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._runs: OrderedDict[int, int] = OrderedDict()
        self._expected: int | None = None
        self.fresh = True
        """Has nobody asked yet whether the same still lies there?"""
        self._alone = Lock()
        if origin.first:
            self._keep(0, origin.first)

    def read(self, start: int, amount: int) -> bytes:
        """So many bytes from here on, fewer at the end. Raises AddressError."""
        end = min(start + amount, self.size)
        if start >= end:
            return b""
        with self._alone:
            first = start // GRAIN
            held = b"".join(map(self._block, range(first, (end - 1) // GRAIN + 1)))
        return held[start - first * GRAIN : end - first * GRAIN]

    def expect(self, amount: int) -> None:
        """So many bytes will be read next, about, and in order: no more than these are fetched ahead."""
        with self._alone:
            self._expected = amount

    def is_same(self) -> bool:
        """Does the same still lie there? Raises AddressError."""
        return self._origin.stamp_now() == self.stamp

    def _block(self, at: int) -> bytes:
        block = self._blocks.get(at)
        if block is None:
            start, many = at * GRAIN, self._ahead(at)
            data = self._origin.fetch(start, min(start + many * GRAIN, self.size))
            if self._expected is not None:
                self._expected = max(0, self._expected - len(data))
            self._keep(at, data)
            block = self._blocks[at]
        elif at in self._runs:  # what ended before a block that was there already goes on behind it
            self._runs[at + 1] = max(self._runs.pop(at), self._runs.get(at + 1, 0))
        self._blocks.move_to_end(at)
        return block

    def _ahead(self, at: int) -> int:
        """How many blocks are fetched together: one, unless a range has ended right before them."""
        before = self._runs.pop(at, 0)
        wanted = 1
        if before:
            wanted = 2 * before if self._expected is None else -(-self._expected // GRAIN)
        many = 1
        while many < min(wanted, MOST, KEPT) and at + many not in self._blocks:
            many += 1
        return many

    def _keep(self, at: int, data: bytes) -> None:
        for place in range(0, len(data), GRAIN):
            self._blocks[at + place // GRAIN] = data[place : place + GRAIN]
        many = -(-len(data) // GRAIN)
        self._runs[at + many] = many
        while len(self._blocks) > KEPT:
            self._blocks.popitem(last=False)
        while len(self._runs) > RUNS:
            self._runs.popitem(last=False)
