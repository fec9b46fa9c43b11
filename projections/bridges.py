"""What may have happened in a gap, as people read it: the actions that lead across, and what they tell besides.

It is made of all that the record knows: for judges, and for everybody where a whole record may be seen.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Literal, assert_never

import msgspec
from msgspec import Struct

from domain.formats.actions import write_action
from domain.formats.facts import write_fact
from domain.judging.audit.bridging import (
    TABLES_MAX,
    Bridge,
    Bridged,
    Bridging,
    Ground,
    Unbridged,
    Unsearched,
    Why,
    bridge,
    start_of,
)
from domain.law.clause import BY_HAND, Clause, Telling, Told
from domain.law.entries import Gap, Played, line
from domain.law.record import Record
from domain.law.unseen import with_faces
from domain.table.draft import Draft
from domain.table.evolve import fold
from domain.table.physics import physics_of
from domain.table.redact import Eyes
from domain.table.table import JUDGE, Table
from domain.words import LANGS, Lang, say
from projections.findings import Sentence, say_entry
from projections.phrases import fact_words
from projections.rows import Cell, Row
from projections.seen import see_fact
from projections.seen_entries import seen_entry


class Said(Struct, frozen=True, omit_defaults=True):
    """An action or a fact as it is written, and in words; `supposed` are faces it takes for granted."""

    text: str
    words: Sentence
    clause: Clause = BY_HAND
    supposed: tuple[str, ...] = ()


class Way(Struct, frozen=True, omit_defaults=True):
    """Actions that lead across, one after the other. `exact`: to nothing else than is told of the gap; else `more` is
    what they tell besides."""

    actions: tuple[Said, ...]
    exact: bool
    more: tuple[Said, ...] = ()


class Across(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What may have happened in a gap, of `most` actions at most (0: nobody knows how many).

    `bridged`: `count` ways of the shortest length, some of them in `ways`; `only`: nothing else can have happened.
    `unbridged`: no allowed actions lead there; `never` are the facts that none leads to. `unsearched`: nothing is
    claimed, and `why`. `tables` were looked at. `entry` is 0 for a gap that is not recorded.
    """

    match: str
    entry: int
    most: int
    answer: Literal["bridged", "unbridged", "unsearched"]
    tables: int
    only: bool = False
    count: int = 0
    ways: tuple[Way, ...] = ()
    never: tuple[Said, ...] = ()
    why: Why | None = None


def last_gap(record: Record) -> int:
    """The number of the last gap on the line that counts, 0 where there is none."""
    return max(list_gaps(record), default=0)


def list_gaps(record: Record) -> tuple[int, ...]:
    """The numbers of all gaps on the line that counts."""
    return tuple(number for number in line(record.entries) if is_gap(record, number))


def is_gap(record: Record, number: int) -> bool:
    """Does this entry say that actions are missing?"""
    return isinstance(record.entries[number - 1], Gap)


def across(record: Record, match: str, number: int) -> Across:
    """What may have happened in a gap of the record."""
    gap = record.entries[number - 1]
    assert isinstance(gap, Gap)
    return look_across(record, match, record.after(number - 1), gap.told, gap.most, number)


def look_across(
    record: Record, match: str, before: Table, told: Told, most: int, number: int = 0, tables: int = TABLES_MAX
) -> Across:
    """What may have happened between a table and what is told behind it, looking at so many tables at most."""
    ground = Ground(record.law, physics_of(record.opened.schema), record.opened)
    return _across(
        _Saying(record, before, told), match, number, most, bridge(ground, before, told, most, tables=tables)
    )


def _across(said: "_Saying", match: str, number: int, most: int, answer: Bridging) -> Across:
    match answer:
        case Bridged(bridges, count, _, only, tables):
            ways = tuple(said.way(each) for each in bridges)
            return Across(
                match=match, entry=number, most=most, answer="bridged", tables=tables, only=only, count=count, ways=ways
            )
        case Unbridged(_, tables, never):
            facts = tuple(said.facts(never))
            return Across(match=match, entry=number, most=most, answer="unbridged", tables=tables, never=facts)
        case Unsearched(tables, why):
            return Across(match=match, entry=number, most=most, answer="unsearched", tables=tables, why=why)
        case unknown:
            assert_never(unknown)


class _Saying:
    """Puts what may have happened into words, on the table before it."""

    def __init__(self, record: Record, before: Table, told: Told) -> None:
        self._record, self._before, self._game = record, before, record.game
        self._physics = physics_of(record.opened.schema)
        self._eyes = Eyes(self._physics, JUDGE)
        self._start = start_of(self._physics, before, told)
        self._after = fold(before, (fact for _, fact in told))

    def way(self, each: Bridge) -> Way:
        """A bridge, action by action, each on the table that the ones before it lead to."""
        table, actions, schema = self._start, list[Said](), self._record.opened.schema
        for step in each.steps:
            table = with_faces(table, {card: face for card, face in step.supposed.items() if card in table.pieces})
            raw = msgspec.Raw(msgspec.msgpack.encode(step.action))
            seen = seen_entry(self._game, self._eyes, 0, Played(actor=step.actor, action=raw), table)
            text = write_action(self._game, table, step.actor, step.action, schema=schema)
            faces = tuple(f"u{table.pieces[card].thing}={face}" for card, face in step.supposed.items())
            actions.append(Said(text, say_entry(self._game, seen), supposed=faces))
            table = fold(table, (fact for _, fact in step.told))
        return Way(tuple(actions), each.exact, tuple(self.facts(each.more)))

    def facts(self, told: Told) -> Iterator[Said]:
        """Facts as they are written below a gap, and in words where they can be said on the table behind it."""
        for clause, fact in told:
            text = write_fact((BY_HAND, fact), self._before, self._record.opened.schema, self._game.display)
            yield Said(text.removeprefix("- "), self._words((clause, fact)), clause)

    def _words(self, telling: Telling) -> Sentence:
        for table in (self._after, self._before):
            with suppress(LookupError, ValueError, AssertionError):
                seen = see_fact(self._eyes, Draft(table), *telling)
                if seen is not None:
                    return Sentence(*(fact_words(self._game, seen, lang) for lang in LANGS))
        return Sentence("", "")


def render_across(value: Across, lang: Lang) -> list[Row]:
    """What may have happened, a way a block; below it how sure that is."""
    rows: list[Row] = []
    for number, way in enumerate(value.ways, start=1):
        rows.append(Row("bridge", (Cell(str(number), "number"), Cell(way_words(way, lang)))))
        rows += [Row("action", (Cell(said_words(action, lang)),), 1) for action in way.actions]
        rows += [] if way.actions else [Row("action", (Cell(say("bridge.nothing", lang)),), 1)]
        if way.more:
            rows.append(Row("more", (Cell(say("bridge.more", lang)),), 1))
            rows += [_fact(fact, lang) for fact in way.more]
    rows.append(Row("certainty", (Cell(verdict_words(value, lang)),)))
    return rows + [_fact(fact, lang) for fact in value.never]


def way_words(way: Way, lang: Lang) -> str:
    """Where a way leads, held against what is told of the gap."""
    return say("bridge.exact" if way.exact else "bridge.tells_more" if way.more else "bridge.otherwise", lang)


def verdict_words(value: Across, lang: Lang) -> str:
    """How sure it is what happened."""
    counts = {"most": value.most, "tables": value.tables}
    match value.answer:
        case "bridged" if value.only:
            return say("bridge.certain", lang)
        case "bridged":
            form = "bridge.possible_one" if value.count == 1 else "bridge.possible"
            return say(form, lang, n=value.count, shown=len(value.ways))
        case "unbridged":
            return say("audit.unbridged" if value.most else "audit.unbridged_ever", lang, **counts)
        case "unsearched":
            return say("bridge.unsearched", lang, why=say(f"bridge.why_{value.why}", lang), **counts)


def said_words(said: Said, lang: Lang) -> str:
    """An action or a fact as it is written, with its words behind it, and what it supposes."""
    words = said.words.say(lang)
    text = say("bridge.said", lang, text=said.text, words=words) if words else said.text
    return (
        say("bridge.supposed", lang, text=text, faces=say("list.comma", lang).join(said.supposed))
        if said.supposed
        else text
    )


def _fact(said: Said, lang: Lang) -> Row:
    return Row("fact", (Cell(f"+ {said_words(said, lang)}"), Cell(said.clause, "clause", clause=said.clause)), 2)
