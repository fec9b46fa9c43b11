"""SQLite over ranges: a file system of one kind of file, which is read and never locked, written or looked for."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final

import apsw

from corpus.ranges import Ranges
from recorder.files import Closing

NAME: Final = "shinpan-ranges"
FLAGS: Final = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


class _File:
    """What SQLite asks of a file."""

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - as SQLite calls it
        return self._ranges.read(offset, amount)

    def xFileSize(self) -> int:  # noqa: N802
        return self._ranges.size

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return apsw.SQLITE_IOCAP_IMMUTABLE

    def xSectorSize(self) -> int:  # noqa: N802
        return 0

    def xFileControl(self, op: int, pointer: int) -> bool:  # noqa: N802
        return False

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xLock(self, level: int) -> None:  # noqa: N802
        return

    def xUnlock(self, level: int) -> None:  # noqa: N802
        return

    def xClose(self) -> None:  # noqa: N802
        return


class _Elsewhere(apsw.VFS):
    """Names files by numbers, each opened once."""

    def __init__(self) -> None:
        super().__init__(NAME, "")
        self._numbers = count(1)
        self._waiting: dict[str, Ranges] = {}

    def announce(self, ranges: Ranges) -> str:
        """Under which name these bytes can be opened."""
        name = f"/{next(self._numbers)}"
        self._waiting[name] = ranges
        return name

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802
        asked = name.filename() if isinstance(name, apsw.URIFilename) else name
        ranges = self._waiting.pop(asked, None)
        if ranges is None:  # a journal or a file for sorting: nothing is written anywhere
            raise apsw.CantOpenError
        return _File(ranges)

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name

    def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802
        return False

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        return


_VFS = _Elsewhere()


class Database(Closing):
    """A database that lies elsewhere, with the errors of one that lies here. No value in it is longer than this."""

    def __init__(self, ranges: Ranges, longest: int) -> None:
        try:
            self._db = apsw.Connection(f"file:{_VFS.announce(ranges)}?immutable=1", flags=FLAGS, vfs=NAME)
        except apsw.Error as error:
            raise sqlite3.DatabaseError(str(error)) from None
        self._db.limit(apsw.SQLITE_LIMIT_LENGTH, longest)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows that a statement gives. Raises sqlite3.Error, and AddressError for what is no longer reached."""
        try:
            cursor = self._db.execute(sql, tuple(values))
        except apsw.Error as error:
            raise sqlite3.DatabaseError(str(error)) from None
        return _rows(cursor)

    def close(self) -> None:
        """Let go of it."""
        self._db.close(force=True)


def _rows(cursor: Any) -> Iterator[tuple[Any, ...]]:
    try:
        yield from cursor
    except apsw.Error as error:
        raise sqlite3.DatabaseError(str(error)) from None
