"""Find recorded matches in stores, folders, files and corpora, without reading them. A source is plain data, so another
process can load it. An unreadable one is a value with the reason, and does not stop the others."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from archive.corpus import reader, texts
from archive.corpus.corpus_format import HEADER, SQLITE, CorpusRow, encode_entries
from archive.corpus.errors import CorpusError
from domain.law.entries import Entry
from domain.law.record import Record
from domain.words import Text
from domain.words.foreign import escape_undecodable, explain_system_error
from recorder.files import SUFFIXES, open_regular
from recorder.imports import find_fault
from recorder.laws import law_of
from recorder.store import DamagedMatch, MatchListItem, Store, StoreError
from recorder.store_location import name_of, on_server

SUFFIX = ".corpus"
STORES = (".sqlite", ".sqlite3")
WANTED = (SUFFIX, *STORES, *SUFFIXES)
PAGE = 500
"""Matches of a store in one query."""
FIRST_PAGE = 50
"""Matches in one query if a user waits for the first."""
OPEN_MAX = 4


class CorpusLocation(Struct, frozen=True, tag=True):
    file: str
    row: CorpusRow


class StoreLocation(Struct, frozen=True, tag=True):
    store: str
    match: str


class FileLocation(Struct, frozen=True, tag=True):
    file: str


class UnreadableLocation(Struct, frozen=True, tag=True):
    """An unreadable place that should hold matches."""

    why: Text


Place = CorpusLocation | StoreLocation | FileLocation | UnreadableLocation


class Source(Struct, frozen=True):
    """A match to load, with its display name, game and id if they are known."""

    name: str
    game: str
    place: Place
    match: str = ""


class UnreadableMatch(Struct, frozen=True):
    name: str
    why: Text


def sources(paths: Iterable[str | Path]) -> Iterator[Source]:
    """Yield every match of these stores, folders, files and corpora in order; folders are sorted by file name. A file
    reached twice is read once."""
    visited: set[Path] = set()
    for path in paths:
        if on_server(str(path)):
            yield from _list_server_store(str(path))
            continue
        where = Path(path)
        try:
            files, errors = _find_files(where) if where.is_dir() else ([where], [])
        except OSError as error:
            yield _unreadable_path(str(path), error)
            continue
        yield from (_unreadable_path(str(error.filename), error) for error in errors)
        if not files and not errors:
            yield _unreadable(str(path), Text("corpus.no_matches", {"folder": str(path)}))
        for file in files:
            real = Path(os.path.realpath(file))
            if real not in visited:
                visited.add(real)
                yield from _list_file(file)


def make_store_source(store: str, match: str, game: str = "") -> Source:
    return Source(match, game, StoreLocation(store, match), match)


def list_newest(store: str) -> Iterator[Source]:
    """Yield the matches of a store, newest first, a page at a time."""
    before = ""
    try:
        with Store.open(store, read_only=True) as opened:
            while page := opened.newest(FIRST_PAGE, before):
                yield from (make_store_source(opened.name, listed.match, _game(listed)) for listed in reversed(page))
                before = page[0].match
    except StoreError as error:
        yield _unreadable(store, error.text)


def count(paths: Iterable[str | Path]) -> int:
    return sum(1 for _ in sources(paths))


def load(source: Source, checked: bool = False) -> Record | UnreadableMatch:
    """Load a match under its game and rules, or return why it is unreadable.

    Matches in a store or a corpus were checked by physics when recorded. `checked` checks them again, for callers that
    cannot handle a failure to fold. A match in a file of its own is always checked.
    """
    try:
        entries = _load_entries(source.place)
    except (CorpusError, StoreError) as error:
        return UnreadableMatch(source.name, error.text)
    except OSError as error:
        return UnreadableMatch(
            source.name, Text("corpus.unreadable", {"file": source.name, "why": explain_system_error(error)})
        )
    if isinstance(entries, Text):
        return UnreadableMatch(source.name, entries)
    law = law_of(entries[0])
    if isinstance(law, Text):
        return UnreadableMatch(source.name, Text("corpus.no_law", {"match": source.name, "why": law}))
    bad = find_fault(entries) if checked and not isinstance(source.place, FileLocation) else None
    if bad is not None:
        return UnreadableMatch(
            source.name, Text("corpus.bad_entry", {"file": source.name, "entry": bad.entry, "why": bad.what})
        )
    return Record(law, entries)


def id_of(source: Source, match: Record) -> str:
    """Return the id of a loaded match, from its place, its opening or its file name."""
    return source.match or match.opening.match or Path(source.name).stem


def _load_entries(place: Place) -> tuple[Entry, ...] | Text:
    match place:
        case CorpusLocation(file, row):
            return _open_corpus(file).entries_at(row)
        case StoreLocation(store, match):
            entries = _open_store(store).read(match)
            return entries or Text("match.none", {"match": repr(match), "store": store})
        case FileLocation(file):
            read = texts.read(Path(file))
            return read if isinstance(read, Text) else tuple(read)
        case UnreadableLocation(why):
            return why
        case _:
            assert_never(place)


def states(source: Source) -> list[bytes] | None:
    """Return the stored entries with unknown fields, or None for a text file. Load the match first."""
    match source.place:
        case CorpusLocation(file, row):
            return _open_corpus(file).states_at(row)
        case StoreLocation(store, match):
            return _open_store(store).read_record(match)
        case FileLocation() | UnreadableLocation():
            return None
        case _:
            assert_never(source.place)


def secret(source: Source) -> bytes | None:
    """Return the croupier's seed of a match in a store, for verification only; it must not be displayed."""
    return (
        _open_store(source.place.store).secret(source.place.match) if isinstance(source.place, StoreLocation) else None
    )


def is_intact(source: Source) -> bool:
    """True unless the match is packed and does not fit its checksum. It is neither decompressed nor decoded."""
    if not isinstance(source.place, CorpusLocation):
        return True
    name, row = source.place.file, source.place.row
    try:
        return bool(_open_corpus(name).data(row))
    except (OSError, CorpusError):
        return False


def digest(source: Source, entries: Sequence[Entry]) -> str:
    """Return the SHA-256 of a loaded match's entries as in a corpus, independent of its place."""
    if isinstance(source.place, CorpusLocation):
        return source.place.row.digest.hex()
    return sha256(encode_entries(states(source) or entries)).hexdigest()


def fingerprint(source: Source) -> str:
    """Return a string that changes with the content of a match, without reading it."""
    try:
        match source.place:
            case CorpusLocation(row=row):
                return row.digest.hex()
            case StoreLocation(store, match):
                return f"version {_open_store(store).version(match)}"
            case FileLocation(file):
                status = Path(file).stat()
                return f"{status.st_size} bytes of {status.st_mtime_ns}"
            case UnreadableLocation(why):
                return escape_undecodable(str(why))
            case _:
                assert_never(source.place)
    except (OSError, StoreError) as error:
        return escape_undecodable(str(error))


# -- contents of a file -----------------------------------------------------------------------------------------------


def _find_files(folder: Path) -> tuple[list[Path], list[OSError]]:
    """Return the files of a folder that should hold matches, and errors of its subfolders. A dangling link is included,
    so that opening it reports it."""
    closed: list[OSError] = []
    names = (Path(at, name) for at, _, files in os.walk(folder, onerror=closed.append) for name in files)
    matching = sorted(path for path in names if path.suffix in WANTED and (path.is_file() or _is_dangling_link(path)))
    return matching, sorted(closed, key=lambda path: str(path.filename))


def can_contain(folder: str, file: str) -> bool:
    """True if `sources` would find this file, existing or not, in a folder. Both are real paths."""
    path = Path(file)
    if path.suffix in WANTED and Path(folder) in path.parents:
        return True
    return any(os.path.realpath(link) == file for link in _find_files(Path(folder))[0] if link.is_symlink())


def _is_dangling_link(file: Path) -> bool:
    return file.is_symlink() and not file.exists()


def _list_file(file: Path) -> Iterator[Source]:
    name = str(file)
    try:
        with open_regular(file) as stream:
            head = stream.read(HEADER.size)
    except (OSError, ValueError) as error:
        yield _unreadable_path(name, error)
        return
    if file.suffix == SUFFIX or reader.begins_corpus(head):
        yield from _list_corpus(name)
    elif head.startswith(SQLITE):
        yield from _list_store(name)
    else:
        yield Source(name, texts.game_of(file), FileLocation(name))


def _list_corpus(name: str) -> Iterator[Source]:
    try:
        with reader.open_corpus(name) as corpus:
            for row in corpus.rows:
                yield Source(f"{name}:{row.match}", row.game, CorpusLocation(name, row), row.match)
    except CorpusError as error:
        yield _unreadable(name, error.text)


def _list_server_store(address: str) -> Iterator[Source]:
    try:
        name = name_of(address)
    except StoreError as error:
        yield _unreadable("postgresql://", error.text)
        return
    yield from _list_store(name)


def _list_store(name: str) -> Iterator[Source]:
    after = ""
    try:
        with Store.open(name, read_only=True) as store:
            while page := store.matches(after, PAGE):
                for match in page:
                    yield Source(f"{name}:{match.match}", _game(match), StoreLocation(name, match.match), match.match)
                after = page[-1].match
    except StoreError as error:
        yield _unreadable(name, error.text)


def _game(listed: MatchListItem | DamagedMatch) -> str:
    """Return the game of a match, or '' for a damaged one, which `load` reports."""
    return "" if isinstance(listed, DamagedMatch) else listed.game


def _unreadable(name: str, why: Text) -> Source:
    return Source(name, "", UnreadableLocation(why))


def _unreadable_path(name: str, error: Exception) -> Source:
    return _unreadable(name, Text("corpus.unreadable", {"file": name, "why": explain_system_error(error)}))


# -- files kept open --------------------------------------------------------------------------------------------------


def _open_corpus(name: str) -> reader.File:
    """Return a cached open corpus, reopened if the file changed."""
    status = Path(name).stat()
    return _open_corpus_at(name, os.getpid(), (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns))


def _open_store(name: str) -> Store:
    """Return a cached open store, reopened if the file was replaced."""
    if on_server(name):
        return _open_store_at(name, os.getpid(), ())
    status = Path(name).stat()
    return _open_store_at(name, os.getpid(), (status.st_dev, status.st_ino))


@lru_cache(OPEN_MAX)
def _open_corpus_at(name: str, process: int, stamp: tuple[int, ...]) -> reader.File:
    """Open a corpus once per process, since SQLite connections must not be shared."""
    return reader.File(name)


@lru_cache(OPEN_MAX)
def _open_store_at(name: str, process: int, stamp: tuple[int, ...]) -> Store:
    return Store.open(name, read_only=True)
