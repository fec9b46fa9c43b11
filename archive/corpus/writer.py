"""Write a corpus atomically: a whole file or none."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from errno import EISDIR
from hashlib import sha256
from pathlib import Path

import msgspec

from archive.corpus import corpus_format, errors, reader
from archive.corpus.corpus_format import CorpusRow
from archive.corpus.errors import CorpusError
from archive.corpus.reader import Corpus
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder import codec
from recorder.files import lock

States = Sequence[Entry] | Sequence[bytes]
"""The entries of a match, or their stored form, which keeps unknown fields."""


def pack(path: str | Path, matches: Iterable[tuple[str, States]]) -> reader.Info:
    """Write a new corpus of matches with their ids, all or nothing. Raises CorpusError. The matches are iterated once
    and not kept in memory. If another program creates the file meanwhile, its file stays."""
    target = Path(path)
    with _convert_errors(target):
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        try:
            if target.exists():
                raise FileExistsError(target)
            _write(target, None, matches, _link_name)
        except FileExistsError:
            raise CorpusError("path", Text("corpus.exists", {"file": str(target)})) from None
    return reader.info(target)


def append(path: str | Path, matches: Iterable[tuple[str, States]]) -> reader.Info:
    """Replace a corpus by one with further matches, all or nothing. Raises CorpusError. The old file stays in place
    until the new one is on disk."""
    target = Path(path)
    with (
        _convert_errors(target),
        _lock_file(Path(os.path.realpath(target))) as real,
        reader.open_corpus(target) as corpus,
    ):
        _write(real, corpus, matches, os.replace)
    return reader.info(target)


def _write(
    target: Path, old: Corpus | None, matches: Iterable[tuple[str, States]], put_in_place: Callable[[Path, Path], None]
) -> None:
    """Write the matches of an old corpus and others to a new file. They are collected in a temporary database first."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.touch()  # reports errors of the system before the work begins
    finally:
        temporary.unlink(missing_ok=True)  # also if a signal interrupted the line above
    with closing(sqlite3.connect("", isolation_level=None)) as staging:
        for sql in ("PRAGMA journal_mode=OFF", "BEGIN", *corpus_format.UNLISTED):
            staging.execute(sql)
        _gather(staging, str(target), old, matches)
        try:
            temporary.touch()
            with closing(sqlite3.connect(temporary, isolation_level=None)) as file:
                _write_sorted(staging, file)
            if old is not None:
                shutil.copymode(target, temporary)
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            put_in_place(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


def _write_sorted(staging: sqlite3.Connection, file: sqlite3.Connection) -> None:
    """Write the rows in reading order: the list, then the matches."""
    for sql in (
        *("PRAGMA journal_mode=OFF", "PRAGMA secure_delete=ON", f"PRAGMA page_size={corpus_format.PAGE}"),
        *(f"PRAGMA application_id={corpus_format.APPLICATION}", f"PRAGMA user_version={corpus_format.FORMAT}", "BEGIN"),
        *corpus_format.SCHEMA,
    ):
        file.execute(sql)
    row = f"({', '.join('?' * len(CorpusRow.__struct_fields__))})"
    file.executemany("INSERT INTO corpus VALUES (?, ?, ?)", staging.execute(corpus_format.HEAD))
    file.executemany(f"INSERT INTO listed VALUES {row}", staging.execute(f"{corpus_format.ROWS} ORDER BY n"))
    file.executemany(f"INSERT INTO matches VALUES {row}", staging.execute("SELECT * FROM matches ORDER BY n"))
    file.execute("COMMIT")


def _link_name(temporary: Path, target: Path) -> None:
    """Give a file its name unless it is taken. Raises FileExistsError."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links: reserve the name first
        target.open("xb").close()
        temporary.replace(target)


def _gather(db: sqlite3.Connection, name: str, old: Corpus | None, matches: Iterable[tuple[str, States]]) -> None:
    game, known, total = old.game if old is not None else "", set[str](), sha256()
    for row, data in _rows(name, old, matches):
        game = game or row.game
        if row.game != game:
            raise errors.mixed(name, row.match, row.game, game)
        if row.match in known:
            raise errors.duplicate_match(name, row.match)
        known.add(row.match)
        total.update(msgspec.msgpack.encode(row))
        values = (*msgspec.structs.astuple(row)[:-1], data)
        db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(values))})", values)
    if len(known) == (len(old) if old is not None else 0):
        raise CorpusError("missing", Text("corpus.nothing", {"file": name}))
    db.execute("INSERT INTO corpus VALUES (?, ?, ?)", (game, len(known), total.digest()))


def _rows(name: str, old: Corpus | None, matches: Iterable[tuple[str, States]]) -> Iterator[tuple[CorpusRow, bytes]]:
    rows = old.rows if old is not None else ()
    for row in rows:
        assert old is not None
        yield row, old.data(row)
    for n, (match, entries) in enumerate(matches, start=len(rows) + 1):
        yield corpus_format.pack(n, match, entries, _read_opening_entry(name, match, entries))


def _read_opening_entry(name: str, match: str, entries: States) -> Opened:
    if codec.MATCH_ID.fullmatch(match) is None:
        raise CorpusError("match", codec.invalid_id_text(match), match=match)
    try:
        first = entries[0] if len(entries) else None
        opened = codec.decode(first) if isinstance(first, bytes) else first
    except codec.CodecError as error:
        raise errors.invalid_match(name, match, 0, error.text) from None
    if not isinstance(opened, Opened):
        raise errors.invalid_match(name, match, 0, Text("match.not_opened"))
    return opened


@contextmanager
def _lock_file(target: Path) -> Iterator[Path]:
    """Lock a file against appends by other programs, where the system can."""
    with target.open("r+b") as file:
        # Another program may have replaced the file before it was locked.
        if not (lock(file) and os.path.samestat(os.fstat(file.fileno()), target.stat())):
            raise CorpusError("busy", Text("corpus.busy", {"file": str(target)}))
        yield target


@contextmanager
def _convert_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise CorpusError(
            "path", Text("corpus.unwritable", {"file": str(target), "why": explain_system_error(error)})
        ) from error
