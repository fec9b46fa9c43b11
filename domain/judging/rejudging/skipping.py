"""Find matches and entries that a change of values cannot affect, because they never read the changed fields.

Law is deterministic: its outcome depends on the record, the code and the fields that it reads. A field that was never
read could have had any value. A match reads the text of the cards that it names and of no others. A change of code or
of a clause is different: a clause that was never consulted may now apply. Everything is then decided again.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from inspect import getattr_static
from typing import Any

import msgspec
from msgspec import Struct

from domain.judging.rejudging.causes import Spares, spare_none
from domain.judging.rejudging.path import Path
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.clause import Clause
from domain.law.driver import consult_clauses
from domain.law.entries import (
    AnyByHand,
    Entry,
    Played,
    Undealt,
    begins_with_faces,
    entry_facts,
    faces,
    opened_of,
    tables,
)
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import PoolId, face_of, key_of
from domain.law.rulesets import values

SOURCES = ("domain.table", "domain.law", "domain.parts")
"""Packages of law shared by all games."""
SUFFIXES = (".py", ".toml")


SETS_MAX = 256
"""Maximum number of distinct sets of fields, so that an index fits a byte. The last stands for the union of all."""


class ByEntry(Struct, frozen=True):
    """Fields that deciding each entry of a record read: the distinct sets of keys, and per entry the index of its set.

    All cards in force count as one field. `steps` is empty if the record is not identical under its own rules or uses
    real cards.
    """

    sets: tuple[frozenset[str], ...] = ()
    steps: bytes = b""

    def spared(self, changed: Iterable[str]) -> bytes:
        """Return a 1 for each entry that a change of these fields cannot affect on the recorded table."""
        return self.steps.translate(unread(self.sets, changed)) if self.steps else b""


def unread(sets: Iterable[frozenset[str]], changed: Iterable[str]) -> bytes:
    """Return a translation table from the index of a set to 1 if the set contains none of these fields."""
    keys = frozenset(changed)
    return bytes(keys.isdisjoint(some) for some in sets).ljust(SETS_MAX, b"\0")


class Reads(Struct, frozen=True):
    """Keys of the fields that deciding a match read, and the clauses consulted or cited.

    The cards in force are listed individually, if the match names them. `own` is True if the record is identical under
    its own rules. If it is False, nothing is skipped.
    """

    fields: tuple[str, ...]
    clauses: tuple[Clause, ...]
    own: bool
    by_entry: ByEntry = ByEntry()


class _WatchedRules:
    """A ruleset proxy that records the fields read."""

    def __init__(self, rules: Struct, read: set[str]) -> None:
        self._rules, self._read = rules, read
        self._keys = {field.name: field.encode_name for field in msgspec.structs.fields(type(rules))}

    def __getattr__(self, name: str) -> Any:
        key = self._keys.get(name)
        if key is not None:
            self._read.add(key)
            return getattr(self._rules, name)
        own = getattr_static(type(self._rules), name)
        if isinstance(own, property):
            return own.__get__(self, type(self._rules))
        if isinstance(own, cached_property):  # computed again, because the cached computation was not watched
            return own.func(self)
        return getattr(self._rules, name)


def watch(rules: Any, read: set[str]) -> Any:
    """Return a proxy of the ruleset that adds the key of each field read to `read`."""
    return _WatchedRules(rules, read)


def reads(game: Game, entries: Sequence[Entry]) -> Reads:
    """Return what deciding this record under its own rules reads."""
    collector = _ReadCollector(entries)
    rules = watch(msgspec.convert(opened_of(entries).rules, game.rules_type), collector.read)
    own = rejudge(game, entries, rules, after_entry=collector.record_reads).kind == "identical"
    fields = collector.all()
    if game.pools is not None and game.pools.field in fields:
        fields = fields - {game.pools.field} | {key_of(face) for face in faces(entries)}
    clauses = {clause for entry in entries for clause, _ in entry_facts(entry)} | _find_consulted(
        Law(game, rules), entries
    )
    by_entry = collector.by_entry() if own else ByEntry()
    return Reads(tuple(sorted(fields)), tuple(sorted(clauses - {Clause("")})), own, by_entry)


def entries_read(game: Game, entries: Sequence[Entry], own: Struct) -> tuple[VerdictKind, ByEntry]:
    """Return the verdict on a record under its own rules, and the reads of each entry. Raises Unreadable."""
    collector = _ReadCollector(entries)
    kind = rejudge(game, entries, watch(own, collector.read), after_entry=collector.record_reads).kind
    return kind, collector.by_entry() if kind == "identical" else ByEntry()


def _has_real_cards(entries: Sequence[Entry]) -> bool:
    """True if there may be unseen cards. Decisions then depend on more than the table and the entry."""
    return isinstance(opened_of(entries), Undealt) or any(begins_with_faces(entry_facts(entry)) for entry in entries)


class _ReadCollector:
    """Collector of the reads of each entry while a record is decided under its own rules."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self.read: set[str] = set()
        self._sets: dict[int, frozenset[str]] = {}
        self._follows_record = True

    def record_reads(self, number: int, path: Path) -> None:
        read = frozenset(self.read)
        self.read.clear()
        if isinstance(self._entries[number - 1], AnyByHand):  # checked against the schema, which the set-up read
            read |= self._sets[1]
        self._sets[number] = read
        self._follows_record = self._follows_record and path.table is path.recorded

    def all(self) -> frozenset[str]:
        return frozenset(self.read).union(*self._sets.values())

    def by_entry(self) -> ByEntry:
        """Return the reads by entry. Entries after the end are not decided, so they get all fields."""
        if not self._follows_record or _has_real_cards(self._entries):
            return ByEntry()
        whole, sets = self.all(), Sets()
        steps = bytes(sets.number(self._sets.get(number, whole)) for number in range(1, len(self._entries) + 1))
        return ByEntry(sets.list_sets(), steps)


class Sets:
    """Distinct sets of fields in order of appearance; indexes fit one byte."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[str], int] = {}

    def number(self, fields: frozenset[str]) -> int:
        """Return the index of a set. Sets beyond the limit share the last index."""
        return min(self._numbers.setdefault(fields, len(self._numbers)), SETS_MAX - 1)

    def list_sets(self) -> tuple[frozenset[str], ...]:
        sets = tuple(self._numbers)
        return sets if len(sets) <= SETS_MAX else (*sets[: SETS_MAX - 1], frozenset[str]().union(*sets))


def _find_consulted(law: Law, entries: Sequence[Entry]) -> set[Clause]:
    decode = law.game.decoder().decode
    return {
        step.clause
        for _, entry, before, _ in tables(entries)
        if isinstance(entry, Played)
        for step in consult_clauses(law, before, entry.actor, decode(entry.action))
    }


def changed_fields(game: Game, recorded: Mapping[str, object], rules: Struct) -> frozenset[str]:
    """Return the keys whose values differ, including those of one side only. Cards in force are listed individually,
    where their text differs."""
    new = values(rules)
    defaults = values(type(rules)())
    was = {**defaults, **recorded}
    changed = {key for key in {*was, *new} if _plain(was.get(key)) != _plain(new.get(key))}
    pools = game.pools
    if pools is not None and pools.field in changed:
        cards = pools.changed_faces(PoolId(was[pools.field]), PoolId(new[pools.field]))
        changed = changed - {pools.field} | {key_of(face) for face in cards}
    return frozenset(changed)


def _plain(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def may_skip(looked_at: Reads, changed: Iterable[str]) -> bool:
    """True if a change of these fields cannot affect the match."""
    return looked_at.own and not set(looked_at.fields) & set(changed)


def spared(game: Game, looked_at: Reads, changed: Iterable[str]) -> bytes:
    """Return a 1 for each entry that a change of these fields cannot affect on the recorded table."""
    return looked_at.by_entry.spared(changed_keys(game, looked_at.fields, changed))


def spares_of(game: Game, own: Struct, known: Iterable[str], looked_at: Reads | None) -> Spares:
    """Return the function that gives the entries to skip under other rules. It skips only if all differing fields are
    in `known`, and nothing if there are no reads (`looked_at` is None)."""
    if looked_at is None:
        return spare_none
    was, keys = values(own), frozenset(known)

    def spares(rules: Struct) -> bytes:
        changed = changed_fields(game, was, rules)
        return spared(game, looked_at, changed) if changed <= keys else b""

    return spares


def changed_keys(game: Game, read: Iterable[str], changed: Iterable[str]) -> frozenset[str]:
    """Return the changed fields that a match read. Individual cards become the field of the cards in force."""
    both = frozenset(changed).intersection(read)
    cards = frozenset(key for key in both if face_of(key) is not None)
    if game.pools is None or not cards:
        return both
    return both - cards | {game.pools.field}


@cache
def code_digest(key: str) -> str:
    """Return the hash of all code that decides a match of this game. It covers law, physics, shared parts and the
    game's folder. For a game outside the product it covers only the shared code."""
    total = sha256()
    own = f"domain.games.{key}"
    for package in (*SOURCES, *((own,) if find_spec(own) is not None else ())):
        for name, text in sorted(sources_of(files(package), package)):
            total.update(f"{name}\0{len(text)}\0".encode())
            total.update(text)
    return total.hexdigest()[:16]


def sources_of(folder: Traversable, name: str) -> Iterable[tuple[str, bytes]]:
    """Yield the source files of a package, recursively, each with its name."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from sources_of(entry, f"{name}.{entry.name}")
        elif entry.name.endswith(SUFFIXES):
            yield f"{name}/{entry.name}", entry.read_bytes()
