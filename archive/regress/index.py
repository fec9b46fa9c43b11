"""The index of a corpus: the fields that each match read, so that changes of other fields can skip it.
`docs/skipping.md` says exactly when that is sound."""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.corpus.errors import CorpusError
from archive.corpus.reader import open_corpus
from archive.corpus.sources import CorpusLocation, Source, UnreadableMatch, load, sources
from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.skipping import SETS_MAX, ByEntry, Reads, Sets, code_digest, reads
from domain.law.clause import Clause
from domain.law.entries import entry_facts
from domain.law.rulesets import stored_values
from domain.words import Text
from domain.words.foreign import quoted
from recorder.files import write_whole
from recorder.pool import Lost, Work, results

FORMAT = 3
READABLE_FORMATS = (2, FORMAT)
"""Format 2 has the fields read by each match, but not by each entry."""
SUFFIX = ".index"
CHECKSUM_BYTES = sha256().digest_size
CHECKED_OF = 50
"""One in this many skippable matches is decided anyway, to verify the index."""


class IndexRow(Struct, frozen=True, array_like=True):
    """The index row of a match: the numbers of its rules, fields and clauses.

    `own` is True if it is identical under its own rules. `clauses` were consulted; `told` are cited by its facts.
    `steps` has, for each entry, the number of the field set that deciding it read.
    """

    rules: int
    own: bool
    fields: tuple[int, ...]
    clauses: tuple[int, ...]
    told: tuple[int, ...]
    steps: bytes = b""


class Index(Struct, frozen=True, kw_only=True):
    """The index of a corpus, with rows by the SHA-256 of a match's entries."""

    form: int
    game: str
    code: str
    fields: tuple[str, ...]
    clauses: tuple[str, ...]
    rules: tuple[dict[str, object], ...]
    rows: dict[str, IndexRow]
    sets: tuple[tuple[int, ...], ...] = ()
    """Field sets read by entries, as field numbers."""

    def reads(self, row: IndexRow) -> Reads:
        by_entry = ByEntry(tuple(frozenset(self.named(numbers)) for numbers in self.sets), row.steps)
        return Reads(self.named(row.fields), self._decode_clauses(row.clauses), row.own, by_entry)

    def named(self, fields: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.fields[at] for at in fields)

    def decode_fact_clauses(self, row: IndexRow) -> tuple[Clause, ...]:
        return self._decode_clauses(row.told)

    def _decode_clauses(self, clauses: tuple[int, ...]) -> tuple[Clause, ...]:
        return tuple(Clause(self.clauses[at]) for at in clauses)


class MatchReads(Struct, frozen=True):
    """Reads of deciding a match, with its digest, its rules, and the clauses that it cites."""

    digest: str
    rules: dict[str, object]
    reads: Reads
    told: tuple[Clause, ...]


def path_of(corpus: str | Path) -> Path:
    return Path(f"{corpus}{SUFFIX}")


def build(
    corpus: str | Path, jobs: int, lost: Lost = lambda names: None, seen: Callable[[], object] = lambda: None
) -> tuple[Index, tuple[UnreadableMatch, ...]]:
    """Build the index of a corpus, and return it with the unreadable matches. `seen` is called after each match. Raises
    CorpusError, also for an unknown game."""
    with open_corpus(corpus) as opened:
        game = opened.game
    if game not in GAMES:
        why = explain_unknown("game", game, GAMES)
        raise CorpusError("foreign", Text("target.in_file", {"file": str(corpus), "why": why}))
    fields, clauses, rules, sets = _Numbers(), _Numbers(), _Numbers(), Sets()
    rule_sets: list[dict[str, object]] = []
    rows: dict[str, IndexRow] = {}
    bad: list[UnreadableMatch] = []
    work: Work[Source, MatchReads | UnreadableMatch] = Work(
        _read_match, lambda source: UnreadableMatch(source.name, Text("regress.killed")), attrgetter("name")
    )
    for read in results(work, sources([corpus]), jobs, lost):
        seen()
        if isinstance(read, UnreadableMatch):
            bad.append(read)
            continue
        number = rules[msgspec.json.encode(read.rules, order="sorted").decode()]
        if number == len(rule_sets):
            rule_sets.append(read.rules)
        by_entry = read.reads.by_entry
        rows[read.digest] = IndexRow(
            number,
            read.reads.own,
            tuple(fields[name] for name in read.reads.fields),
            tuple(clauses[name] for name in read.reads.clauses),
            tuple(clauses[name] for name in read.told),
            by_entry.steps.translate(bytes(map(sets.number, by_entry.sets)).ljust(SETS_MAX, b"\0")),
        )
    numbered = tuple(tuple(sorted(fields[name] for name in some)) for some in sets.list_sets())
    index = Index(
        form=FORMAT,
        game=game,
        code=code_digest(game),
        fields=tuple(fields),
        clauses=tuple(clauses),
        rules=tuple(rule_sets),
        rows=rows,
        sets=numbered,
    )
    return index, tuple(bad)


class _Numbers(dict[str, int]):
    """Numbers names in order of first use; looking up a new name adds it."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def _read_match(source: Source) -> MatchReads | UnreadableMatch:
    """Return what deciding a match reads. Its errors become part of its result."""
    try:
        match = load(source, checked=True)
        if isinstance(match, UnreadableMatch):
            return match
        assert isinstance(source.place, CorpusLocation)
        clauses = {clause for entry in match.entries for clause, _ in entry_facts(entry)} - {Clause("")}
        read = reads(GAMES[match.game.key], match.entries)
        return MatchReads(source.place.row.digest.hex(), stored_values(match.rules), read, tuple(sorted(clauses)))
    except Unreadable as error:
        return UnreadableMatch(source.name, error.text)
    except Exception as error:  # a law that fails on a match must not stop the others
        return UnreadableMatch(
            source.name, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        )


def save(index: Index, corpus: str | Path) -> Path:
    """Write an index next to its corpus, atomically. Raises OSError."""
    path = path_of(corpus)
    write_whole(path, encode(index))
    return path


def encode(index: Index) -> bytes:
    """Encode an index, after its checksum."""
    data = msgspec.msgpack.encode(index)
    return sha256(data).digest() + data


def decode(data: bytes) -> Index | None:
    """Decode an index, or return None if it is invalid or its checksum wrong."""
    if sha256(data[CHECKSUM_BYTES:]).digest() != data[:CHECKSUM_BYTES]:
        return None
    try:
        return msgspec.msgpack.decode(data[CHECKSUM_BYTES:], type=Index)
    except (msgspec.MsgspecError, UnicodeError):
        return None


class LoadedIndex:
    def __init__(self, index: Index) -> None:
        self.index = index
        self.numbers = {name: number for number, name in enumerate(index.fields)}
        self.rules = tuple(msgspec.json.encode(rules) for rules in index.rules)
        self._narrowed: dict[frozenset[str], tuple[tuple[frozenset[str], ...], bytes]] = {}

    def narrow_sets(self, keys: frozenset[str]) -> tuple[tuple[frozenset[str], ...], bytes]:
        """Return the field sets restricted to these fields, and a translation table from full sets to them."""
        if keys not in self._narrowed:
            sets = Sets()
            numbers = bytes(sets.number(keys.intersection(self.index.named(some))) for some in self.index.sets)
            self._narrowed[keys] = sets.list_sets(), numbers.ljust(SETS_MAX, b"\0")
        return self._narrowed[keys]


@lru_cache(8)
def _loaded(path: str, stamp: int) -> LoadedIndex | None:
    try:
        index = decode(Path(path).read_bytes())
    except OSError:
        return None
    if index is None or index.form not in READABLE_FORMATS or index.game not in GAMES or not _has_valid_numbers(index):
        return None
    return LoadedIndex(index) if index.code == code_digest(index.game) else None


def _has_valid_numbers(index: Index) -> bool:
    fields, clauses, sets = len(index.fields), len(index.clauses), len(index.sets)
    return all(max(numbers, default=0) < fields for numbers in index.sets) and all(
        row.rules < len(index.rules)
        and max(row.fields, default=-1) < fields
        and max((*row.clauses, *row.told), default=-1) < clauses
        and max(row.steps, default=-1) < sets
        for row in index.rows.values()
    )


def find_fresh_index(corpus: str) -> LoadedIndex | None:
    """Return the index of a corpus if this code made it, or None."""
    path = path_of(corpus)
    try:
        return _loaded(str(path), path.stat().st_mtime_ns)
    except OSError:
        return None


def has_stale_index(corpus: str) -> bool:
    """True if a corpus has an index that cannot be used: another format, other code, or damaged."""
    return path_of(corpus).is_file() and find_fresh_index(corpus) is None


class IndexedMatch(Struct, frozen=True):
    """The index entry of a match: game, rules, length, fields read, and clauses cited."""

    held: LoadedIndex
    row: IndexRow
    entries: int
    checked: bool
    """True if it is decided again even when it could be skipped."""

    @property
    def game(self) -> str:
        return self.held.index.game

    @property
    def rules(self) -> bytes:
        """The rules as JSON."""
        return self.held.rules[self.row.rules]

    @property
    def fact_clauses(self) -> tuple[Clause, ...]:
        return self.held.index.decode_fact_clauses(self.row)

    def may_skip(self, changed: frozenset[str]) -> bool:
        """True if a change of these fields cannot affect the match."""
        return self.row.own and not self.list_read_fields(changed)

    def list_read_fields(self, changed: frozenset[str]) -> list[str]:
        """Return the fields among these that deciding the match reads."""
        numbers, fields = self.held.numbers, self.row.fields
        return [key for key in changed if numbers.get(key, -1) in fields]

    def reads_of(self, changed: frozenset[str]) -> Reads:
        """Return its reads restricted to these fields, by entry."""
        read, pools = self.list_read_fields(changed), GAMES[self.game].pools
        keys = changed if pools is None else changed | {pools.field}
        sets, numbers = self.held.narrow_sets(keys)
        known = self.row.own and len(self.row.steps) == self.entries
        by_entry = ByEntry(sets, self.row.steps.translate(numbers)) if known else ByEntry()
        return Reads(tuple(read), (), self.row.own, by_entry)


def find_indexed_match(source: Source) -> IndexedMatch | None:
    """Return the index entry of a match, or None without an index made by this code."""
    if not isinstance(source.place, CorpusLocation):
        return None
    loaded, listed = find_fresh_index(source.place.file), source.place.row
    row = None if loaded is None else loaded.index.rows.get(listed.digest.hex())
    if loaded is None or row is None:
        return None
    return IndexedMatch(loaded, row, listed.entries, listed.digest[0] % CHECKED_OF == 0)
