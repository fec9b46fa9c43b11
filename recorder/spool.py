"""Spool a record to a temporary file while it is imported, so that a long one needs little memory. The file has no
name, and the system removes it when the program ends."""

from array import array
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryFile, gettempdir

from domain.law.entries import Entry
from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder import codec
from recorder.files import Closeable
from recorder.rows import LazySequence
from recorder.store import StoreError

ENTRIES_MAX = 10_000_000
"""Limit of a record's entries; the longest match ever played has less than a thousandth of it."""


class Spool(Closeable, LazySequence[bytes]):
    """The stored entries of a record, in order. Raises StoreError if the disk is full."""

    def __init__(self) -> None:
        try:
            self._file = TemporaryFile(prefix="shinpan-")  # noqa: SIM115
        except OSError as error:
            raise _spool_error(error) from error
        self._ends = array("Q", [0])
        self._at_end = True

    def append(self, state: bytes) -> None:
        if len(self) >= ENTRIES_MAX:
            raise StoreError("full", Text("spool.too_many", {"most": f"{ENTRIES_MAX:,}"}))
        try:
            if not self._at_end:
                self._file.seek(self._ends[-1])
                self._at_end = True
            self._file.write(state)
        except OSError as error:
            raise _spool_error(error) from error
        self._ends.append(self._ends[-1] + len(state))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def _item(self, at: int) -> bytes:
        begins = self._ends[at]
        try:
            self._at_end = False
            self._file.seek(begins)
            return self._file.read(self._ends[at + 1] - begins)
        except OSError as error:
            raise _spool_error(error) from error

    def close(self) -> None:
        """Close the file, ignoring what a full disk left unwritten."""
        with suppress(OSError):
            self._file.close()


def _spool_error(error: OSError) -> StoreError:
    try:
        folder = gettempdir()
    except OSError:
        folder = "TMPDIR"
    return StoreError("full", Text("spool.no_room", {"folder": folder, "why": explain_system_error(error)}))


class Decoded(LazySequence[Entry]):
    """Entries decoded on access. Raises CodecError with the number of an invalid entry."""

    def __init__(self, states: Sequence[bytes]) -> None:
        self.states = states

    def append(self, entry: Entry) -> None:
        assert isinstance(self.states, Spool)
        self.states.append(codec.encode(entry))

    def __len__(self) -> int:
        return len(self.states)

    def _item(self, at: int) -> Entry:
        try:
            return codec.decode(self.states[at])
        except codec.CodecError as error:
            error.entry = at + 1
            raise
