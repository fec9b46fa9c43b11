"""Which matches a change of values cannot touch: those that never read the fields whose values change.

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

from domain.judging.rejudging.rejudge import rejudge
from domain.law.clause import Clause
from domain.law.driver import trail
from domain.law.entries import Entry, Played, faces, opened_of, tables, told
from domain.law.game import Game, Says
from domain.law.law import Law
from domain.law.pools import PoolId, key_of
from domain.law.rulesets import values

SOURCES = ("domain.table", "domain.law", "domain.parts")
"""What every game's law is made of besides its own folder."""
SUFFIXES = (".py", ".toml")


class Reads(Struct, frozen=True):
    """What deciding a match looked at: fields of the rules by their keys, in place of the cards in force each card that
    the match names, and clauses consulted or told.

    `own` says whether the record is identical under its own rules; if not, nothing is skipped.
    """

    fields: tuple[str, ...]
    clauses: tuple[Clause, ...]
    own: bool


class _Watched:
    """A ruleset that remembers which of its fields were read. Law asks it as it asks the ruleset itself."""

    def __init__(self, rules: Any, read: set[str]) -> None:
        self._rules, self._read = rules, read
        self._keys = {field.name: field.encode_name for field in msgspec.structs.fields(type(rules))}

    def __getattr__(self, name: str) -> Any:
        key = self._keys.get(name)
        if key is not None:
            self._read.add(key)
            return getattr(self._rules, name)
        own = getattr_static(type(self._rules), name)
        if isinstance(own, property | Says):
            return own.__get__(self, type(self._rules))
        if isinstance(own, cached_property):  # worked out again: what it once read was not watched
            return own.func(self)
        return getattr(self._rules, name)


def watch(rules: Any, read: set[str]) -> Any:
    """The ruleset, which adds the key of every field that is read to `read`."""
    return _Watched(rules, read)


def reads(game: Game, entries: Sequence[Entry]) -> Reads:
    """What deciding this record again looks at under its own rules."""
    opened = opened_of(entries)
    fields: set[str] = set()
    rules = watch(msgspec.convert(opened.rules, game.rules_type), fields)
    verdict = rejudge(game, entries, rules)
    if game.pools is not None and game.pools.field in fields:
        fields = fields - {game.pools.field} | {key_of(face) for face in faces(entries)}
    clauses = {clause for entry in entries for clause, _ in told(entry)} | _consulted(Law(game, rules), entries)
    return Reads(tuple(sorted(fields)), tuple(sorted(clauses - {Clause("")})), verdict.kind == "identical")


def _consulted(law: Law, entries: Sequence[Entry]) -> set[Clause]:
    decode = law.game.decoder().decode
    return {
        step.clause
        for _, entry, before, _ in tables(entries)
        if isinstance(entry, Played)
        for step in trail(law, before, entry.actor, decode(entry.action))
    }


def changed_fields(game: Game, recorded: Mapping[str, Any], rules: Any) -> frozenset[str]:
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


def _plain(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def may_skip(looked_at: Reads, changed: Iterable[str]) -> bool:
    """Can a change of the values of these fields not touch the match?"""
    return looked_at.own and not set(looked_at.fields) & set(changed)


@cache
def code_digest(key: str) -> str:
    """The hash of all that decides a match of this game besides values: law, physics, what games share, its folder.

    Of a game that stands elsewhere only what it shares with all others is known here.
    """
    total = sha256()
    own = f"domain.games.{key}"
    for package in (*SOURCES, *((own,) if find_spec(own) is not None else ())):
        for name, text in sorted(_texts(files(package), package)):
            total.update(f"{name}\0{len(text)}\0".encode())
            total.update(text)
    return total.hexdigest()[:16]


def _texts(folder: Traversable, name: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from _texts(entry, f"{name}.{entry.name}")
        elif entry.name.endswith(SUFFIXES):
            yield f"{name}/{entry.name}", entry.read_bytes()
