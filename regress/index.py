"""The index beside a corpus: what deciding each match read, so that a change of other values may pass it by.

`docs/skipping.md` says exactly when that is sound.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from corpus.reading import open_corpus
from corpus.sources import Bad, Packed, Source, load, sources
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.entries import Opened
from domain.law.game import Game
from domain.law.rulesets import stored
from domain.words.foreign import quoted
from projections.rejudging.rejudge import Unreadable
from projections.rejudging.skipping import Reads, changed_fields, code_digest, may_skip, reads

FORMAT = 1
SUFFIX = ".index"
CHUNK = 4
"""How many matches are handed to a process at once."""
CHECKED_OF = 50
"""One in so many matches that could be skipped is decided again all the same."""


class Row(Struct, frozen=True, array_like=True):
    """One match: the number of its rules, whether it is identical under them, and numbers of fields and clauses."""

    rules: int
    own: bool
    fields: tuple[int, ...]
    clauses: tuple[int, ...]


class Index(Struct, frozen=True, kw_only=True):
    """What is held beside a corpus, the matches by the SHA-256 of their entries."""

    form: int
    game: str
    code: str
    fields: tuple[str, ...]
    clauses: tuple[str, ...]
    rules: tuple[dict[str, Any], ...]
    rows: dict[str, Row]

    def reads(self, row: Row) -> Reads:
        """A row in words."""
        return Reads(
            tuple(self.fields[one] for one in row.fields),
            tuple(Clause(self.clauses[one]) for one in row.clauses),
            row.own,
        )


def path_of(corpus: str | Path) -> Path:
    """Where the index of a corpus lies."""
    return Path(f"{corpus}{SUFFIX}")


def build(corpus: str | Path, jobs: int) -> tuple[Index, tuple[Bad, ...]]:
    """Read every match of a corpus and note what deciding it looks at; and the matches that cannot be read."""
    with open_corpus(corpus) as opened:
        game = opened.game
    fields, clauses, rules = _Numbers(), _Numbers(), _Numbers()
    held: list[dict[str, Any]] = []
    rows: dict[str, Row] = {}
    bad: list[Bad] = []
    for source, found in _looked(sources([corpus]), jobs):
        if isinstance(found, Bad):
            bad.append(found)
            continue
        assert isinstance(source.place, Packed)
        own, looked = found
        number = rules.of(msgspec.json.encode(own, order="sorted").decode())
        if number == len(held):
            held.append(own)
        rows[source.place.row.digest.hex()] = Row(
            number,
            looked.own,
            tuple(fields.of(one) for one in looked.fields),
            tuple(clauses.of(one) for one in looked.clauses),
        )
    index = Index(
        form=FORMAT,
        game=game,
        code=code_digest(game),
        fields=fields.names,
        clauses=clauses.names,
        rules=tuple(held),
        rows=rows,
    )
    return index, tuple(bad)


class _Numbers:
    """Names by the order in which they first came."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, name: str) -> int:
        return self._known.setdefault(name, len(self._known))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._known)


Looked = tuple[dict[str, Any], Reads] | Bad


def _looked(matches: Iterable[Source], jobs: int) -> Iterator[tuple[Source, Looked]]:
    if jobs == 1:
        yield from ((one, _look(one)) for one in matches)
        return
    listed = list(matches)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from zip(listed, pool.map(_look, listed, chunksize=CHUNK), strict=True)


def _look(source: Source) -> Looked:
    entries = load(source)
    if isinstance(entries, Bad):
        return entries
    opened = entries[0]
    assert isinstance(opened, Opened)
    game = GAMES[opened.game]
    try:
        found = reads(game, entries)
    except Unreadable as error:
        return Bad(source.name, quoted(error))
    return stored(msgspec.convert(opened.rules, game.rules_type)), found


def save(index: Index, corpus: str | Path) -> Path:
    """Write an index beside its corpus: whole, or not at all. Raises OSError."""
    path = path_of(corpus)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(msgspec.msgpack.encode(index))
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
    return path


@lru_cache(8)
def _loaded(path: str, stamp: int) -> Index | None:
    try:
        index = msgspec.msgpack.decode(Path(path).read_bytes(), type=Index)
    except (OSError, msgspec.MsgspecError):
        return None
    return index if index.form == FORMAT and index.game in GAMES and index.code == code_digest(index.game) else None


def fresh(corpus: str) -> Index | None:
    """The index of a corpus, if there is one and it was made by this very code."""
    path = path_of(corpus)
    try:
        return _loaded(str(path), path.stat().st_mtime_ns)
    except OSError:
        return None


class Passed(Struct, frozen=True):
    """A match that a change cannot touch: its game, its own rules and how many entries it has, and what it read."""

    game: Game
    own: Any
    entries: int
    reads: Reads
    checked: bool
    """Is it one of those that are decided again all the same?"""


def passed_by(source: Source, others: Callable[[Game, Any], Iterable[Any]]) -> Passed | None:
    """A match that none of these other rules can touch; None if it has to be decided. `others` gets game and rules."""
    if not isinstance(source.place, Packed):
        return None
    index, held = fresh(source.place.file), source.place.row
    row = None if index is None else index.rows.get(held.digest.hex())
    if index is None or row is None:
        return None
    looked, game, known = index.reads(row), GAMES[index.game], index.rules[row.rules]
    own = msgspec.convert(known, game.rules_type)
    for rules in others(game, own):
        if not may_skip(looked, _changed(index.game, _plain(known), _plain(stored(rules)))):
            return None
    return Passed(game, own, held.entries, looked, held.digest[0] % CHECKED_OF == 0)


def _plain(found: dict[str, Any]) -> bytes:
    return msgspec.json.encode(found, order="sorted")


@lru_cache(64)
def _changed(key: str, own: bytes, other: bytes) -> frozenset[str]:
    game = GAMES[key]
    rules = msgspec.convert(msgspec.json.decode(other), game.rules_type)
    return changed_fields(msgspec.json.decode(own), rules)
