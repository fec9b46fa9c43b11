"""The index beside a corpus: what deciding each match read, so that a change of other values may pass it by.

`docs/skipping.md` says exactly when that is sound.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from corpus.reading import open_corpus
from corpus.sources import Bad, Packed, Source, load, sources
from corpus.troubles import CorpusError
from domain.formats.errors import unknown
from domain.games import GAMES
from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.skipping import Reads, code_digest, reads
from domain.law.clause import Clause
from domain.law.entries import told
from domain.law.rulesets import stored_values
from domain.words import Text
from domain.words.foreign import quoted
from recorder.files import write_whole
from recorder.pool import Lost, Work, results

FORMAT = 2
SUFFIX = ".index"
DIGEST = sha256().digest_size
"""How many bytes of a checksum stand before the rest."""
CHECKED_OF = 50
"""One in so many matches that could be skipped is decided again all the same."""


class Row(Struct, frozen=True, array_like=True):
    """One match: the number of its rules, whether it is identical under them, and numbers of fields and clauses.

    `clauses` are all that were looked at, `told` those that facts of the match were told by.
    """

    rules: int
    own: bool
    fields: tuple[int, ...]
    clauses: tuple[int, ...]
    told: tuple[int, ...]


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
        return Reads(tuple(self.fields[at] for at in row.fields), self._named(row.clauses), row.own)

    def told(self, row: Row) -> tuple[Clause, ...]:
        """The clauses that facts of a match were told by."""
        return self._named(row.told)

    def _named(self, clauses: tuple[int, ...]) -> tuple[Clause, ...]:
        return tuple(Clause(self.clauses[at]) for at in clauses)


class Read(Struct, frozen=True):
    """A match looked at: the hash of its entries, its rules, what deciding it reads, and the clauses it tells."""

    digest: str
    rules: dict[str, Any]
    reads: Reads
    told: tuple[Clause, ...]


def path_of(corpus: str | Path) -> Path:
    """Where the index of a corpus lies."""
    return Path(f"{corpus}{SUFFIX}")


def build(
    corpus: str | Path, jobs: int, lost: Lost = lambda names: None, seen: Callable[[], object] = lambda: None
) -> tuple[Index, tuple[Bad, ...]]:
    """Read every match of a corpus and note what deciding it looks at; and the matches that cannot be read.

    `seen` is called behind each. Raises CorpusError, also for a corpus of a game that nobody here knows.
    """
    with open_corpus(corpus) as opened:
        game = opened.game
    if game not in GAMES:
        why = unknown("game", game, GAMES)
        raise CorpusError("foreign", Text("target.in_file", {"file": str(corpus), "why": why}))
    fields, clauses, rules = _Numbers(), _Numbers(), _Numbers()
    held: list[dict[str, Any]] = []
    rows: dict[str, Row] = {}
    bad: list[Bad] = []
    work: Work[Source, Read | Bad] = Work(
        _look, lambda source: Bad(source.name, Text("regress.killed")), attrgetter("name")
    )
    for read in results(work, sources([corpus]), jobs, lost):
        seen()
        if isinstance(read, Bad):
            bad.append(read)
            continue
        number = rules[msgspec.json.encode(read.rules, order="sorted").decode()]
        if number == len(held):
            held.append(read.rules)
        rows[read.digest] = Row(
            number,
            read.reads.own,
            tuple(fields[name] for name in read.reads.fields),
            tuple(clauses[name] for name in read.reads.clauses),
            tuple(clauses[name] for name in read.told),
        )
    index = Index(
        form=FORMAT,
        game=game,
        code=code_digest(game),
        fields=tuple(fields),
        clauses=tuple(clauses),
        rules=tuple(held),
        rows=rows,
    )
    return index, tuple(bad)


class _Numbers(dict[str, int]):
    """Names by the order in which they first came: one that is looked up and not there gets the next number."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def _look(source: Source) -> Read | Bad:
    """What deciding a match reads. Whatever is wrong with it is said of it, and of it alone."""
    try:
        match = load(source, checked=True)
        if isinstance(match, Bad):
            return match
        assert isinstance(source.place, Packed)
        clauses = {clause for entry in match.entries for clause, _ in told(entry)} - {Clause("")}
        read = reads(GAMES[match.game.key], match.entries)
        return Read(source.place.row.digest.hex(), stored_values(match.rules), read, tuple(sorted(clauses)))
    except Unreadable as error:
        return Bad(source.name, error.text)
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        return Bad(source.name, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)}))


def save(index: Index, corpus: str | Path) -> Path:
    """Write an index beside its corpus: whole, or not at all. Raises OSError."""
    path = path_of(corpus)
    write_whole(path, encode(index))
    return path


def encode(index: Index) -> bytes:
    """An index as it is written: its checksum, and itself."""
    held = msgspec.msgpack.encode(index)
    return sha256(held).digest() + held


def decode(data: bytes) -> Index | None:
    """The index that these bytes are; None if they are none, or not what their checksum says."""
    if sha256(data[DIGEST:]).digest() != data[:DIGEST]:
        return None
    try:
        return msgspec.msgpack.decode(data[DIGEST:], type=Index)
    except (msgspec.MsgspecError, UnicodeError):
        return None


@lru_cache(8)
def _loaded(path: str, stamp: int) -> Index | None:
    try:
        index = decode(Path(path).read_bytes())
    except OSError:
        return None
    if index is None or index.form != FORMAT or index.game not in GAMES:
        return None
    return index if index.code == code_digest(index.game) else None


def fresh(corpus: str) -> Index | None:
    """The index of a corpus, if there is one and it was made by this very code."""
    path = path_of(corpus)
    try:
        return _loaded(str(path), path.stat().st_mtime_ns)
    except OSError:
        return None


def stale(corpus: str) -> bool:
    """Is there an index of it that is not used: of another form, of other code, or damaged?"""
    return path_of(corpus).is_file() and fresh(corpus) is None


class Known(Struct, frozen=True):
    """What the index beside its corpus says of a match: its game, its rules, its length, what it read and told."""

    game: str
    rules: bytes
    """As JSON: the same few in a whole corpus."""
    entries: int
    reads: Reads
    told: tuple[Clause, ...]
    checked: bool
    """Is it one of those that are decided again even where a change cannot touch them?"""


def known(source: Source) -> Known | None:
    """What is known of a match before it is read; None if there is no index of it made by this very code."""
    if not isinstance(source.place, Packed):
        return None
    index, held = fresh(source.place.file), source.place.row
    row = None if index is None else index.rows.get(held.digest.hex())
    if index is None or row is None:
        return None
    rules, checked = msgspec.json.encode(index.rules[row.rules]), held.digest[0] % CHECKED_OF == 0
    return Known(index.game, rules, held.entries, index.reads(row), index.told(row), checked)
