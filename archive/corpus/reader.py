"""Read a corpus: a match by its id, or all in order. The intact part of a damaged file can be read. The file is
untrusted: it is never written, none of it is executed, and reads are bounded by its size."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from archive.corpus import corpus_format, errors
from archive.corpus.corpus_format import CorpusHeader, CorpusRow
from archive.corpus.errors import CorpusError
from domain.law import croupier
from domain.law.entries import Entry, Opened
from domain.law.offers import draw_sample
from domain.words import Text
from domain.words.foreign import explain_decode_error, explain_system_error
from recorder import codec
from recorder.files import Closeable, open_regular

PRAGMAS = ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON", "mmap_size=0")
PAGE_MAX = 65536
"""The page size that SQLite writes as 1."""
ROW_MIN = 40
"""Minimum size of a row in bytes, which bounds the number of rows."""
CONTENTS = Text("corpus.part.contents")


class Info(Struct, frozen=True):
    """The contents of a corpus, from its rows alone."""

    file: str
    format: int
    game: str
    matches: int
    entries: int
    bytes: int
    plain_bytes: int
    versions: dict[str, int]
    rules: dict[str, int]


class CorpusMatch(Struct, frozen=True):
    row: CorpusRow
    entries: tuple[Entry, ...]
    plain: bytes

    @property
    def states(self) -> list[bytes]:
        return corpus_format.states_of(self.plain)


class CorpusDamage(Struct, frozen=True):
    """A damaged row; `at` is its number, or the length of a truncated file."""

    at: int
    match: str
    text: Text


class File(Closeable):
    """An open corpus with the exact schema. Raises CorpusError. Unless `whole`, it may be truncated. SQLite uses no
    locks or journals, because a corpus is only ever replaced."""

    def __init__(self, name: str, whole: bool = True) -> None:
        self.name = name
        self.form, size, declared = _read_sizes(name)
        self.size, self.declared = size, declared
        if whole and size != declared:
            intact = 0
            with suppress(CorpusError):  # even the first page may be missing
                intact = sum(isinstance(match, CorpusMatch) for match in scan(name))
            raise _length_error(name, size, declared, intact)
        quoted_path = quote(os.fsencode(Path(name).absolute()))
        with _convert_errors(name, Text("corpus.part.head")):
            self._db = sqlite3.connect(f"file:{quoted_path}?mode=ro&immutable=1", uri=True, check_same_thread=False)
            try:
                self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(corpus_format.MATCH_MAX, size))
                # SQLite must be told to accept a truncated file.
                for pragma in PRAGMAS if whole else (*PRAGMAS, "writable_schema=ON"):
                    self._db.execute(f"PRAGMA {pragma}")
                if self._db.execute(corpus_format.TABLES).fetchall() != corpus_format.expected(self.form):
                    raise errors.damaged(name, Text("corpus.part.head"), Text("corpus.why.schema"))
            except BaseException:
                self._db.close()
                raise

    def head(self) -> CorpusHeader:
        """Return the header. Raises CorpusError."""
        with _convert_errors(self.name, CONTENTS):
            (head,) = msgspec.convert(self._db.execute(corpus_format.HEAD).fetchall(), tuple[CorpusHeader])
            return head

    def read_rows(self) -> tuple[CorpusRow, ...]:
        """Return the rows after checking game, ids, numbers and checksum. Raises CorpusError."""
        head, total = self.head(), sha256()
        listed = corpus_format.LISTED if self.form == corpus_format.FORMAT else corpus_format.ROWS
        rows: dict[str, CorpusRow] = {}
        with _convert_errors(self.name, CONTENTS):
            for n, values in enumerate(self._db.execute(f"{listed} ORDER BY n"), start=1):
                row = msgspec.convert(values, CorpusRow)
                if row.n != n:
                    break
                total.update(msgspec.msgpack.encode(row))
                self._check_row(row, head.game)
                if row.match in rows:
                    raise errors.duplicate_match(self.name, row.match)
                rows[row.match] = row
        if (head.matches, head.digest) != (len(rows), total.digest()):
            raise errors.damaged(self.name, CONTENTS, Text("corpus.why.digest"))
        return tuple(rows.values())

    def last(self) -> int:
        """Return the number of the last row, if it is known."""
        last = 0
        with suppress(CorpusError):
            last = self.head().matches
        with suppress(sqlite3.Error):
            last = max(last, *self._db.execute("SELECT max(n) FROM matches").fetchone())
        return last

    def data(self, row: CorpusRow) -> bytes:
        """Return the compressed match after verifying row and checksum. Raises CorpusError."""
        part = _describe_part(row.n, row.match)
        with _convert_errors(self.name, part, row.n, row.match):
            *stored, data = self._db.execute(corpus_format.FULL, (row.n,)).fetchone() or (None, None)
        if (
            (*stored,) != msgspec.structs.astuple(row)
            or not isinstance(data, bytes)
            or corpus_format.crc_of(row, data) != row.crc
        ):
            raise errors.damaged(self.name, part, Text("corpus.why.digest"), row.n, row.match)
        return data

    def plain(self, row: CorpusRow) -> bytes:
        """Return the uncompressed entries after verifying all checksums. Raises CorpusError."""
        plain = corpus_format.plain_of(row, self.data(row))
        if isinstance(plain, Text):
            raise errors.invalid_match(self.name, row.match, row.n, plain)
        return plain

    def states_at(self, row: CorpusRow) -> list[bytes]:
        """Return the stored entries of a match. Raises CorpusError."""
        try:
            return corpus_format.states_of(self.plain(row))
        except codec.CodecError as error:
            raise errors.invalid_match(self.name, row.match, row.n, error.text) from None

    def entries_at(self, row: CorpusRow) -> tuple[Entry, ...]:
        """Return the entries of a match. Raises CorpusError."""
        return self._entries(row, self.plain(row))

    def scan_match(self, n: int, game: str) -> CorpusMatch | CorpusDamage:
        """Read a match by its number; "" accepts any game."""
        try:
            with _convert_errors(self.name, _describe_part(n), n):
                row = msgspec.convert(
                    self._db.execute(f"{corpus_format.ROWS} WHERE n = ?", (n,)).fetchone() or (), CorpusRow
                )
            self._check_row(row, game or row.game)
            plain = self.plain(row)
            return CorpusMatch(row, self._entries(row, plain), plain)
        except CorpusError as error:
            return CorpusDamage(n, error.match, error.text)

    def _check_row(self, row: CorpusRow, game: str) -> None:
        if row.game != game:
            raise errors.mixed(self.name, row.match, row.game, game)
        if codec.MATCH_ID.fullmatch(row.match) is None:  # files are named by match ids on extraction
            raise errors.damaged(self.name, _describe_part(row.n), codec.invalid_id_text(row.match), row.n)

    def _entries(self, row: CorpusRow, plain: bytes) -> tuple[Entry, ...]:
        try:
            entries = corpus_format.entries_of(plain)
        except codec.CodecError as error:
            raise errors.invalid_match(self.name, row.match, row.n, error.text) from None
        opened = entries[0] if entries else None
        if not isinstance(opened, Opened) or len(entries) != row.entries:
            raise errors.invalid_match(
                self.name, row.match, row.n, Text("match.not_opened" if entries else "record.empty")
            )
        if opened.game != row.game:
            raise errors.mixed(self.name, row.match, opened.game, row.game)
        return entries

    def close(self) -> None:
        self._db.close()


class Corpus(File):
    """The matches of a file by id. Rows are verified on opening, matches when read."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        try:
            self.rows = self.read_rows()
            self.game = self.head().game
        except BaseException:
            self.close()
            raise
        self._by_id = {row.match: row for row in self.rows}

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._by_id)

    def row(self, match: str) -> CorpusRow:
        """Return the row of a match. Raises CorpusError if there is no such match."""
        row = self._by_id.get(match)
        if row is None:
            missing = Text("corpus.no_match", {"file": self.name, "match": repr(match)})
            raise CorpusError("missing", missing, match=match)
        return row

    def match(self, match: str) -> list[Entry]:
        """Return the entries of a match. Raises CorpusError, also for a damaged match."""
        return list(self.entries_at(self.row(match)))

    def states(self, match: str) -> list[bytes]:
        """Return the stored entries of a match. Raises CorpusError."""
        return self.states_at(self.row(match))

    def salvage(self, match: str) -> list[bytes]:
        """Return the stored entries of a match despite wrong checksums. Raises CorpusError if there are none."""
        row = self.row(match)
        part = _describe_part(row.n, match)
        with _convert_errors(self.name, part, row.n, match):
            data = (self._db.execute(corpus_format.FULL, (row.n,)).fetchone() or (None,))[-1]
        try:
            return corpus_format.states_of(
                corpus_format.inflate(data, corpus_format.MATCH_MAX) if isinstance(data, bytes) else b""
            )
        except (ValueError, corpus_format.Bomb, codec.CodecError):
            raise errors.damaged(self.name, part, Text("corpus.why.packed"), row.n, match) from None

    def check(self) -> Iterator[CorpusError]:
        """Yield the errors of matches with wrong checksums."""
        for row in self.rows:
            try:
                self.plain(row)
            except CorpusError as error:
                yield error

    def __len__(self) -> int:
        return len(self.rows)

    def sample(self, n: int, seed: int) -> tuple[str, ...]:
        """Return up to `n` random matches in order, deterministic by seed."""
        below = croupier.make_random_source("corpus/sample", seed.to_bytes(croupier.SEED_BYTES, "big"), 0)
        chosen = draw_sample(range(len(self.rows)), min(n, len(self.rows)), below)
        return tuple(self.rows[place].match for place in sorted(chosen))

    def info(self) -> Info:
        rows = self.rows
        entries, plain = sum(row.entries for row in rows), sum(row.size for row in rows)
        versions, rules = Counter(row.version for row in rows), Counter(row.rules_hash for row in rows)
        return Info(self.name, self.form, self.game, len(rows), entries, self.size, plain, dict(versions), dict(rules))


def open_corpus(path: str | Path) -> Corpus:
    """Open a corpus. Raises CorpusError."""
    return Corpus(str(path))


def info(path: str | Path) -> Info:
    """Return the contents of a corpus. Raises CorpusError."""
    with open_corpus(path) as corpus:
        return corpus.info()


def scan(path: str | Path) -> Iterator[CorpusMatch | CorpusDamage]:
    """Yield every intact match and every damaged row, in order. The last item is a CorpusDamage if the file is
    truncated. Raises CorpusError if the first page is unreadable."""
    name, game = str(path), ""
    lost = 0  # lost rows of a truncated file are reported together
    with File(name, whole=False) as file:
        size, declared = file.size, file.declared
        with suppress(CorpusError):
            game = file.head().game
        for n in range(1, min(file.last() or size, size // ROW_MIN) + 1):
            match = file.scan_match(n, game)
            if isinstance(match, CorpusDamage) and not match.match and size < declared:
                lost += 1
            else:
                yield match
    values = {"file": name, "size": size, "whole": declared}
    if size < declared:
        yield CorpusDamage(size, "", Text("corpus.short", values | {"lost": lost}))
    elif size > declared:
        yield CorpusDamage(size, "", Text("corpus.longer", values))


# -- the file as a file -----------------------------------------------------------------------------------------------


def begins_corpus(first: bytes) -> bool:
    """True for the first 100 bytes of a corpus of any format."""
    return (
        len(first) == corpus_format.HEADER.size and corpus_format.HEADER.unpack(first)[4] == corpus_format.APPLICATION
    )


def _read_sizes(name: str) -> tuple[int, int, int]:
    """Return the format of a file, its length, and the length in its header. Raises CorpusError for an unknown one."""
    try:
        with open_regular(Path(name)) as file:
            first, size = file.read(corpus_format.HEADER.size), os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as error:
        raise errors.unreadable(name, error) from None
    if not first:
        raise CorpusError("cut", Text("corpus.empty", {"file": name}))
    if len(first) < corpus_format.HEADER.size and corpus_format.SQLITE.startswith(first[: len(corpus_format.SQLITE)]):
        raise _length_error(name, size, corpus_format.PAGE, 0)
    if not begins_corpus(first) or not first.startswith(corpus_format.SQLITE):
        raise CorpusError("foreign", Text("corpus.foreign", {"file": name}))
    _, page, pages, version, _ = corpus_format.HEADER.unpack(first)
    if version > corpus_format.FORMAT:
        raise CorpusError(
            "newer", Text("corpus.newer", {"file": name, "format": version, "known": corpus_format.FORMAT})
        )
    return version, size, (page if page > 1 else PAGE_MAX) * pages


def _length_error(name: str, size: int, declared: int, matches: int) -> CorpusError:
    values = {"file": name, "size": size, "whole": declared, "matches": matches}
    return CorpusError("cut", Text("corpus.cut" if size < declared else "corpus.longer", values), size)


@contextmanager
def _convert_errors(name: str, part: Text, at: int = 0, match: str = "") -> Iterator[None]:
    """Convert errors of SQLite and msgpack in a part of the file to CorpusError."""
    try:
        yield
    except sqlite3.Error as error:
        raise errors.damaged(name, part, explain_system_error(error), at, match) from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise errors.damaged(name, part, explain_decode_error(error), at, match) from None


def _describe_part(n: int, match: str = "") -> Text:
    return Text("corpus.part.match", {"match": match, "n": n}) if match else Text("corpus.part.row", {"n": n})
