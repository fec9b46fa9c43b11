"""Which matches, and which entries of the others, a change of values cannot touch: those that never read what changes.

Law is deterministic: what it tells of a match depends on the record, on the code and on the fields of the rules that it
reads on the way. A field that was never read could have had any value. Of the cards a match reads those that it names:
what is printed on any other is never looked at. A change of code or clause is no change of a value: a clause that a
match never consulted may be the new trigger in it, so then everything is decided again.
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
from domain.law.driver import trail
from domain.law.entries import AnyByHand, Entry, Played, Undealt, begins_seen, entry_facts, faces, opened_of, tables
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import PoolId, face_of, key_of
from domain.law.rulesets import values

SOURCES = ("domain.table", "domain.law", "domain.parts")
"""What every game's law is made of besides its own folder."""
SUFFIXES = (".py", ".toml")


SETS_MAX = 256
"""So many sets of fields are told apart, a byte for each entry; the last stands for all fields that were read."""


class ByEntry(Struct, frozen=True):
    """What deciding each entry of a record looked at: sets of fields by their keys, and for each entry which of them.

    The cards in force are one field here. There are no `steps` of a record that is not to the letter what its own rules
    say, and none of one with real cards.
    """

    sets: tuple[frozenset[str], ...] = ()
    steps: bytes = b""

    def spared(self, changed: Iterable[str]) -> bytes:
        """A 1 for each entry that a change of the values of these fields cannot touch, on the table recorded."""
        return self.steps.translate(unread(self.sets, changed)) if self.steps else b""


def unread(sets: Iterable[frozenset[str]], changed: Iterable[str]) -> bytes:
    """What turns the number of a set into a 1 where none of these fields is in it."""
    keys = frozenset(changed)
    return bytes(keys.isdisjoint(some) for some in sets).ljust(SETS_MAX, b"\0")


class Reads(Struct, frozen=True):
    """What deciding a match looked at: fields of the rules by their keys, in place of the cards in force each card that
    the match names, and clauses consulted or told.

    `own` says whether the record is identical under its own rules; if not, nothing is skipped.
    """

    fields: tuple[str, ...]
    clauses: tuple[Clause, ...]
    own: bool
    by_entry: ByEntry = ByEntry()


class _Watched:
    """A ruleset that remembers which of its fields were read. Law asks it as it asks the ruleset itself."""

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
        if isinstance(own, cached_property):  # worked out again: what it once read was not watched
            return own.func(self)
        return getattr(self._rules, name)


def watch(rules: Any, read: set[str]) -> Any:
    """The ruleset, which adds the key of every field that is read to `read`."""
    return _Watched(rules, read)


def reads(game: Game, entries: Sequence[Entry]) -> Reads:
    """What deciding this record again looks at under its own rules."""
    noting = _Noting(entries)
    rules = watch(msgspec.convert(opened_of(entries).rules, game.rules_type), noting.read)
    own = rejudge(game, entries, rules, seen=noting.record_reads).kind == "identical"
    fields = noting.all()
    if game.pools is not None and game.pools.field in fields:
        fields = fields - {game.pools.field} | {key_of(face) for face in faces(entries)}
    clauses = {clause for entry in entries for clause, _ in entry_facts(entry)} | _consulted(Law(game, rules), entries)
    by_entry = noting.by_entry() if own else ByEntry()
    return Reads(tuple(sorted(fields)), tuple(sorted(clauses - {Clause("")})), own, by_entry)


def entries_read(game: Game, entries: Sequence[Entry], own: Struct) -> tuple[VerdictKind, ByEntry]:
    """What becomes of a record under its own rules, and what deciding each of its entries looks at. Raises
    Unreadable."""
    noting = _Noting(entries)
    kind = rejudge(game, entries, watch(own, noting.read), seen=noting.record_reads).kind
    return kind, noting.by_entry() if kind == "identical" else ByEntry()


def _real_cards(entries: Sequence[Entry]) -> bool:
    """May there be cards that nobody saw? What is decided of them hangs on more than the table and the entry."""
    return isinstance(opened_of(entries), Undealt) or any(begins_seen(entry_facts(entry)) for entry in entries)


class _Noting:
    """What was read for each entry, while a record is decided under its own rules."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self.read: set[str] = set()
        self._sets: dict[int, frozenset[str]] = {}
        self._literal = True

    def record_reads(self, number: int, path: Path) -> None:
        """What was read since the entry before this one."""
        read = frozenset(self.read)
        self.read.clear()
        if isinstance(self._entries[number - 1], AnyByHand):  # held against the schema, which the set-up read
            read |= self._sets[1]
        self._sets[number] = read
        self._literal = self._literal and path.table is path.recorded

    def all(self) -> frozenset[str]:
        """Whatever was read."""
        return frozenset(self.read).union(*self._sets.values())

    def by_entry(self) -> ByEntry:
        """What each entry read; of those behind the end, which are not decided on the way, whatever was read."""
        if not self._literal or _real_cards(self._entries):
            return ByEntry()
        whole, sets = self.all(), Sets()
        steps = bytes(sets.number(self._sets.get(number, whole)) for number in range(1, len(self._entries) + 1))
        return ByEntry(sets.list_sets(), steps)


class Sets:
    """Sets of fields by the order in which they first come, no more than a byte tells apart."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[str], int] = {}

    def number(self, fields: frozenset[str]) -> int:
        """The number of a set; of one that comes too late that of all fields."""
        return min(self._numbers.setdefault(fields, len(self._numbers)), SETS_MAX - 1)

    def list_sets(self) -> tuple[frozenset[str], ...]:
        """The sets by their numbers."""
        sets = tuple(self._numbers)
        return sets if len(sets) <= SETS_MAX else (*sets[: SETS_MAX - 1], frozenset[str]().union(*sets))


def _consulted(law: Law, entries: Sequence[Entry]) -> set[Clause]:
    decode = law.game.decoder().decode
    return {
        step.clause
        for _, entry, before, _ in tables(entries)
        if isinstance(entry, Played)
        for step in trail(law, before, entry.actor, decode(entry.action))
    }


def changed_fields(game: Game, recorded: Mapping[str, object], rules: Struct) -> frozenset[str]:
    """The keys whose values differ between the rules of a record and others; a key that only one side has counts.

    Of the cards in force it is each on which something else is printed.
    """
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
    """Can a change of the values of these fields not touch the match?"""
    return looked_at.own and not set(looked_at.fields) & set(changed)


def spared(game: Game, looked_at: Reads, changed: Iterable[str]) -> bytes:
    """A 1 for each entry that a change of the values of these fields cannot touch, on the table recorded."""
    return looked_at.by_entry.spared(changed_keys(game, looked_at.fields, changed))


def spares_of(game: Game, own: Struct, known: Iterable[str], looked_at: Reads | None) -> Spares:
    """What need not be decided of a match of these rules under any others between which and its own only fields differ
    of which it is known whether its entries read them; without notes all of it is."""
    if looked_at is None:
        return spare_none
    was, keys = values(own), frozenset(known)

    def spares(rules: Struct) -> bytes:
        changed = changed_fields(game, was, rules)
        return spared(game, looked_at, changed) if changed <= keys else b""

    return spares


def changed_keys(game: Game, read: Iterable[str], changed: Iterable[str]) -> frozenset[str]:
    """Which of the fields that a match read are changed; for cards that it names the field of the cards in force."""
    both = frozenset(changed).intersection(read)
    cards = frozenset(key for key in both if face_of(key) is not None)
    if game.pools is None or not cards:
        return both
    return both - cards | {game.pools.field}


@cache
def code_digest(key: str) -> str:
    """The hash of all that decides a match of this game besides values: law, physics, what games share, its folder.

    Of a game that stands elsewhere only what it shares with all others is known here.
    """
    total = sha256()
    own = f"domain.games.{key}"
    for package in (*SOURCES, *((own,) if find_spec(own) is not None else ())):
        for name, text in sorted(sources_of(files(package), package)):
            total.update(f"{name}\0{len(text)}\0".encode())
            total.update(text)
    return total.hexdigest()[:16]


def sources_of(folder: Traversable, name: str) -> Iterable[tuple[str, bytes]]:
    """The files of a package that decide what it does, each by its name."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from sources_of(entry, f"{name}.{entry.name}")
        elif entry.name.endswith(SUFFIXES):
            yield f"{name}/{entry.name}", entry.read_bytes()
