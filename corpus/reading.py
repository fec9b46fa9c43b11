"""Reading a corpus: any match by its id through the contents, or all of them from front to back without."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from msgspec import Struct

from corpus import form, parts, troubles
from corpus.form import Found, Row
from corpus.troubles import CorpusError
from domain.law.entries import Entry
from domain.words import Text
from recorder import codec, croupier


class Info(Struct, frozen=True):
    """What a corpus holds, without any of its matches being read.

    `torn` are the bytes behind its last trailer: of a save that did not come to its end, or of a file cut off.
    """

    file: str
    format: int
    game: str
    matches: int
    entries: int
    bytes: int
    plain_bytes: int
    versions: dict[str, int]
    rules: dict[str, int]
    torn: int = 0


class Whole(Struct, frozen=True):
    """A match that was read, with the line the contents have or would have for it."""

    row: Row
    entries: tuple[Entry, ...]
    plain: bytes

    @property
    def states(self) -> list[bytes]:
        """The bytes of its entries, as the store has them."""
        return form.states_of(self.plain)


class Broken(Struct, frozen=True):
    """What could not be read: from which byte on, which match (if that can be told), and why."""

    at: int
    match: str
    text: Text


class Corpus:
    """The matches of one file. Open it with `open_corpus`, close it, or use it in a `with`."""

    def __init__(self, name: str, file: BinaryIO, game: str, rows: tuple[Row, ...], ends: int, size: int) -> None:
        self.name = name
        self.game = game
        self.rows = rows
        self.size = size
        self.ends = ends
        """The first byte behind the last trailer."""
        self._file = file
        self._by_id = {row.match: row for row in rows}

    @property
    def torn(self) -> int:
        """How many bytes stand behind the last trailer and count for nothing."""
        return self.size - self.ends

    @property
    def ids(self) -> tuple[str, ...]:
        """The matches in their order."""
        return tuple(row.match for row in self.rows)

    def row(self, match: str) -> Row:
        """The line of the contents for a match. Raises CorpusError if there is no such match."""
        found = self._by_id.get(match)
        if found is None:
            missing = Text("corpus.no_match", {"file": self.name, "match": repr(match)})
            raise CorpusError("missing", missing, match=match)
        return found

    def match(self, match: str) -> list[Entry]:
        """The entries of a match. Raises CorpusError, also for a match that is damaged."""
        return list(parts.read_row(self._file, self.name, self.row(match)))

    def states(self, match: str) -> list[bytes]:
        """The bytes of its entries, as the store has them. Raises CorpusError likewise."""
        row = self.row(match)
        plain = parts.plain_row(self._file, self.name, row)
        try:
            return form.states_of(plain)
        except codec.CodecError as error:
            raise troubles.wrong(self.name, row.match, row.offset, error.text) from None

    def check(self) -> Iterator[CorpusError]:
        """What is wrong with its matches, each held against its checksums."""
        for row in self.rows:
            try:
                parts.plain_row(self._file, self.name, row)
            except CorpusError as error:
                yield error

    def __iter__(self) -> Iterator[tuple[str, list[Entry]]]:
        """Every match with its entries, one in memory at a time. Raises CorpusError."""
        return ((row.match, self.match(row.match)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def sample(self, n: int, seed: int) -> tuple[str, ...]:
        """So many matches by chance (all, if there are no more), in their order; the same for the same seed."""
        below = croupier.draws("corpus/sample", seed.to_bytes(croupier.SEED_BYTES, "big"), 0)
        places = list(range(len(self.rows)))
        taken = min(n, len(places))
        for at in range(taken):
            other = at + below(len(places) - at)
            places[at], places[other] = places[other], places[at]
        return tuple(self.rows[place].match for place in sorted(places[:taken]))

    def info(self) -> Info:
        """What it holds."""
        return Info(
            self.name,
            form.FORMAT,
            self.game,
            len(self.rows),
            sum(row.entries for row in self.rows),
            self.size,
            sum(row.size for row in self.rows),
            dict(Counter(row.version for row in self.rows)),
            dict(Counter(row.rules_hash for row in self.rows)),
            self.torn,
        )

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_corpus(path: str | Path) -> Corpus:
    """The corpus in a file, as its last trailer says: a save that did not come to its end counts for nothing.

    Raises CorpusError.
    """
    name = str(path)
    file = _opened(name)
    try:
        head, first = parts.begin(file, name)
        size = file.seek(0, os.SEEK_END)
        trailer, ends = parts.last_trailer(file, name, first, size)
        return Corpus(name, file, head.game, parts.read_contents(file, name, head.game, trailer, first), ends, size)
    except OSError as error:
        file.close()
        raise troubles.unreadable(name, error) from None
    except BaseException:
        file.close()
        raise


def seekable(path: Path) -> BinaryIO:
    """A file that can be read at any place. Raises OSError, for a pipe too, on which a reader would wait for ever."""
    if stat.S_ISFIFO(path.stat().st_mode):
        raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE))
    return path.open("rb")


def _opened(name: str) -> BinaryIO:
    try:
        return seekable(Path(name))
    except (OSError, ValueError) as error:
        raise troubles.unreadable(name, error) from None


def info(path: str | Path) -> Info:
    """What a corpus holds. Raises CorpusError."""
    with open_corpus(path) as corpus:
        return corpus.info()


def scan(path: str | Path) -> Iterator[Whole | Broken]:
    """Every match from the front to the back, without the contents: of a file that is cut off, all that are whole.

    The last is Broken if the file does not end as it should. Raises CorpusError if not even its beginning can be read.
    """
    name = str(path)
    file = _opened(name)
    with file:
        head, at = parts.begin(file, name)
        size = os.fstat(file.fileno()).st_size
        last = form.HEAD
        while at < size:
            found = parts.section(file, name, at, size)
            if isinstance(found, CorpusError):
                yield Broken(found.at, "", found.text)
                return
            if found.kind == form.MATCH:
                yield _scanned(file, name, head.game, found)
            at, last = found.ends, found.kind
    if last != form.TAIL:
        yield Broken(size, "", Text("corpus.no_trailer", {"file": name, "size": size}))


def _scanned(file: BinaryIO, name: str, game: str, found: Found) -> Whole | Broken:
    try:
        body = parts.read_body(file, name, found)
        row = form.row_of(body, found.at, found.ends - found.at)
        if codec.MATCH_ID.fullmatch(row.match) is None:
            # Whoever takes matches out names files by them.
            raise troubles.misfit(name, found.at, codec.no_id(row.match))
        if row.game != game:
            raise troubles.mixed(name, row.match, row.game, game)
        plain = parts.plain_row(file, name, row)
        return Whole(row, parts.read_plain(name, row, plain), plain)
    except CorpusError as error:
        return Broken(found.at, error.match, error.text)


def torn(corpus: Corpus) -> CorpusError:
    """What is wrong with a file in which something stands behind its last trailer."""
    found = {"file": corpus.name, "n": corpus.torn, "at": corpus.ends, "matches": len(corpus)}
    return CorpusError("cut", Text("corpus.torn", found), corpus.ends)
