"""Writing a corpus: a new file whole or not at all, an old one only behind what stands in it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EISDIR
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from corpus import form, reading, troubles
from corpus.form import Row
from corpus.troubles import CorpusError
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import system
from recorder import codec

States = Sequence[Entry] | Sequence[bytes]
"""A match to be written: its entries, or their bytes as the store has them (then fields nobody knows are kept)."""
OPENED = Path("/proc/self/fd")
"""Where a file that has no name yet can be found."""


def pack(path: str | Path, matches: Iterable[tuple[str, States]]) -> reading.Info:
    """Write a new corpus of matches under their ids, all or nothing. Raises CorpusError.

    The matches are gone through once and none is kept in memory. The file gets its name when it is whole on the disk;
    if another program has taken the name meanwhile, that one's file stays and this is refused.
    """
    where = Path(path)
    with _in_words(where):
        if where.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        try:
            if where.exists():
                raise FileExistsError(where)
            with _new(where) as file:
                _pack(file, where, matches)
        except FileExistsError:
            raise CorpusError("path", Text("corpus.exists", {"file": str(where)})) from None
    return reading.info(where)


@contextmanager
def _new(where: Path) -> Iterator[BinaryIO]:
    """A file to be written, which gets its name at the end and nobody else's. Raises FileExistsError.

    Where the system can, it has no name before, so that nothing is left of it however the writing ends.
    """
    number = _nameless(where.parent)
    if number is not None:
        with os.fdopen(number, "wb", buffering=0) as file:
            yield file
            os.link(OPENED / str(number), where, src_dir_fd=number)  # the folder makes it follow the link
        return
    half = where.with_name(f".{where.name}.{os.getpid()}")
    try:
        with half.open("wb", buffering=0) as file:
            yield file
        try:
            os.link(half, where)
        except FileExistsError:
            raise
        except OSError:  # no file has two names there: the name is taken first
            where.open("xb").close()
            half.replace(where)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _nameless(folder: Path) -> int | None:
    """A file without a name on the disk of a folder; None where there is no such thing, or no way to name it."""
    kind = getattr(os, "O_TMPFILE", 0)
    if not kind or not OPENED.is_dir():
        return None
    try:
        return os.open(folder, kind | os.O_WRONLY, 0o666)
    except OSError:
        return None


def _pack(file: BinaryIO, where: Path, matches: Iterable[tuple[str, States]]) -> None:
    coming = iter(matches)
    first = next(coming, None)
    if first is None:
        raise CorpusError("missing", Text("corpus.nothing", {"file": str(where)}))
    game = _opened(where, *first).game
    _write(file, form.prelude() + form.section(form.HEAD, msgspec.msgpack.encode(form.Head(game))))
    _save(file, where, game, (), chain((first,), coming))


def append(path: str | Path, matches: Iterable[tuple[str, States]]) -> reading.Info:
    """Write matches behind those of a corpus, all or nothing. Raises CorpusError.

    No byte that stands in the file changes: the matches come behind it, new contents behind them, and only when these
    are on the disk the trailer that makes them count. If anything goes wrong the file is cut to what it was; if the
    machine stops, what the last trailer says still counts.
    """
    where = Path(path)
    with _in_words(where), where.open("r+b", buffering=0) as file, _alone(file, where):
        with reading.open_corpus(where) as corpus:
            if corpus.torn:
                raise reading.torn(corpus)
            game, rows = corpus.game, corpus.rows
        before = file.seek(0, os.SEEK_END)
        try:
            _save(file, where, game, rows, matches)
        except BaseException:
            os.ftruncate(file.fileno(), before)
            raise
    return reading.info(where)


def _save(file: BinaryIO, where: Path, game: str, rows: tuple[Row, ...], matches: Iterable[tuple[str, States]]) -> None:
    """Sections of matches, the contents, and behind these, once they are on the disk, the trailer."""
    at = file.tell()
    known = {row.match for row in rows}
    added: list[Row] = []
    for match, entries in matches:
        opened = _opened(where, match, entries)
        if opened.game != game:
            raise troubles.mixed(str(where), match, opened.game, game)
        if match in known:
            raise troubles.twice(str(where), match)
        known.add(match)
        body = form.match_body(match, entries, opened)
        written = form.section(form.MATCH, msgspec.msgpack.encode(body))
        _write(file, written)
        added.append(form.row_of(body, at, len(written)))
        at += len(written)
    if not added:
        raise CorpusError("missing", Text("corpus.nothing", {"file": str(where)}))
    contents, trailer = form.closing((*rows, *added), at)
    _write(file, contents)
    os.fsync(file.fileno())
    _write(file, trailer)
    os.fsync(file.fileno())


def _write(file: BinaryIO, data: bytes) -> None:
    """All of it: a file without a buffer may take less than it is given, and keeps nothing back to write later."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _opened(where: Path, match: str, entries: States) -> Opened:
    """The first entry of a match to be written; the id must be one."""
    if codec.MATCH_ID.fullmatch(match) is None:
        raise CorpusError("match", codec.no_id(match), match=match)
    try:
        first = entries[0] if len(entries) else None
        opened = codec.decode(first) if isinstance(first, bytes) else first
    except codec.CodecError as error:
        raise troubles.wrong(str(where), match, 0, error.text) from None
    if not isinstance(opened, Opened):
        raise troubles.wrong(str(where), match, 0, Text("match.not_opened"))
    return opened


@contextmanager
def _alone(file: BinaryIO, where: Path) -> Iterator[None]:
    """Keep other programs from writing on the same file meanwhile, where the system can."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CorpusError("busy", Text("corpus.busy", {"file": str(where)})) from None
    yield


@contextmanager
def _in_words(where: Path) -> Iterator[None]:
    """What the system says against a file, as something a person can act on."""
    try:
        yield
    except OSError as error:
        raise CorpusError("path", Text("corpus.unwritable", {"file": str(where), "why": system(error)})) from error
