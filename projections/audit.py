"""Holds a record against the law: per entry the recorded action is decided again on the table of recorded facts.

One error is one finding. Where record and law part, both tables are kept, and whatever follows is judged on each: the
tables that it fits best go on. If that is the law's table, the record was wrong at that one entry, and nothing more is
found.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.law.clause import Clause, Consulted, Refusal, Told
from domain.law.driver import Accepted, decide, decide_as_played, set_up, trail
from domain.law.entries import Closed, Corrected, Described, Entry, Noted, Opened, Played, Rewound, went_back
from domain.law.entries import told as told_of
from domain.law.game import Decks, Game, decks_of
from domain.law.rulesets import digest
from domain.law.slots import Action
from domain.law.wayback import WayBack
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import Altered, AnyFact, Clocked, Created, Popped, Pushed
from domain.table.physics import Physics
from domain.table.table import CHANCE, CardId, Columns, Seat, Table, blank
from domain.words import Text
from domain.words.foreign import misfit

FindingKind = Literal["not_allowed", "flag", "consequences", "chance", "impossible", "unreadable"]
"""an action that the rules do not allow · one they allow, though it is flagged as played · facts that do not follow
from it · an outcome that cannot happen · facts that cannot happen on a table · an entry that is no action of this
game."""


class Finding(Struct, frozen=True, kw_only=True):
    """One divergence between record and law, at one entry, with the clause that says so.

    `missing` are facts the law tells and the record does not hold, `extra` the other way round. `broken` are all
    clauses that did not hold. `flagged` says that the record itself calls it as played.
    """

    entry: int
    kind: FindingKind
    clause: Clause
    broken: tuple[Consulted, ...] = ()
    missing: Told = ()
    extra: Told = ()
    detail: Text | None = None
    flagged: bool = False


class Audit(Struct, frozen=True):
    """What an audit found, over how many actions and facts."""

    findings: tuple[Finding, ...]
    entries: int
    actions: int
    facts: int


TABLES_MAX = 8
"""How many tables are kept while the record does not say which of them it goes on from."""

EXACT, CLOSE, APART = 0, 1, 2
"""How well an entry fits a table: to the letter · in all that is compared · not."""


class _Judged(Struct, frozen=True):
    """One entry looked at: the tables it may have led to, the record's own first; how well it fits; what is wrong."""

    tables: tuple[Table, ...]
    finding: Finding | None = None
    fit: int = EXACT


def audit(game: Game, entries: Iterable[Entry], rules: Any = None) -> Audit:
    """Audit a record under the rules pinned in it, or under another reading of them.

    The entries are gone through once. A rewind may need some of them again: a sequence is asked for them, so it may
    lie in a file; of what can be gone through only once the bytes are kept.
    """
    held = entries if isinstance(entries, Sequence) else Passing(entries)
    opened = held[0]
    assert isinstance(opened, Opened)
    pinned = rules is None
    if rules is None:
        rules = msgspec.convert(opened.rules, game.rules_type)
    judge = _Judge(game, rules, Physics(opened.schema), pinned)
    way: WayBack[tuple[Table, ...]] = WayBack(lambda now, at: judge.entry(at, held[at - 1], now).tables)
    findings: list[Finding] = []
    tables: tuple[Table, ...] = (blank(opened.seats),)
    number = actions = facts = 0
    for number, entry in enumerate(held, start=1):
        if isinstance(entry, Rewound):
            judged = judge.rewound(number, entry, went_back(way, entry), tables)
        else:
            judged = judge.entry(number, entry, tables)
            actions, facts = actions + (type(entry) is Played), facts + len(told_of(entry))
        tables = judged.tables
        if judged.finding is not None:
            findings.append(judged.finding)
        way.add(tables)
    return Audit(tuple(findings), number, actions, facts)


def _best(judged: list[_Judged]) -> _Judged:
    """Of one entry looked at on several tables: those it fits best. If it fits none, all of them may be right yet."""
    if len(judged) == 1:
        return judged[0]
    fit = min(one.fit for one in judged)
    best = [one for one in judged if one.fit == fit]
    tables: list[Table] = []
    for table in (table for one in best for table in one.tables):
        if table not in tables:
            tables.append(table)
    return _Judged(tuple(tables[:TABLES_MAX]), best[0].finding, fit)


class Passing:
    """Entries that pass only once. Their bytes are kept, a small part of what the entries themselves would take."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._coming = iter(entries)
        self._passed: list[bytes] = []

    def __getitem__(self, at: int) -> Entry:
        while len(self._passed) <= at:
            self._pass(next(self._coming))
        entry: Entry = _ENTRY.decode(self._passed[at])
        return entry

    def __iter__(self) -> Iterator[Entry]:
        yield from (self[at] for at in range(len(self._passed)))
        yield from map(self._pass, self._coming)

    def _pass(self, entry: Entry) -> Entry:
        self._passed.append(msgspec.msgpack.encode(entry))
        return entry


_ENTRY = msgspec.msgpack.Decoder(Entry)


class _Judge:
    """The law applied to the entries of one record."""

    def __init__(self, game: Game, rules: Any, physics: Physics, pinned: bool) -> None:
        self.game, self.rules, self.physics, self.pinned = game, rules, physics, pinned
        self.decoder = game.decoder()

    def entry(self, number: int, entry: Entry, tables: tuple[Table, ...]) -> _Judged:
        """One entry on the tables that may stand before it."""
        match entry:
            case Played():
                if len(tables) == 1:
                    return self.played(number, entry, tables[0])
                return _best([self.played(number, entry, table) for table in tables])
            case Opened():
                return self.opened(number, entry)
            case Corrected():
                return _best([self.by_hand(number, entry.told, table) for table in tables])
            case Rewound() | Noted() | Closed() | Described():
                return _Judged(tables)

    def opened(self, number: int, entry: Opened) -> _Judged:
        if self.pinned and digest(entry.rules) != entry.rules_hash:
            detail = Text("audit.hash", {"hash": digest(entry.rules), "recorded": entry.rules_hash})
            finding = Finding(entry=number, kind="unreadable", clause=self.game.by_hand, detail=detail)
            return self._apart(blank(entry.seats), entry.told, finding)
        decks = decks_of(entry)
        cards, _ = dealt(entry.told, decks)
        accepted, refused = set_up(self.game, self.rules, decks, cards)
        if accepted is not None:
            return self._compared(number, blank(entry.seats), entry.told, accepted, None)
        assert refused is not None
        seat, refusal = refused
        broken = (refusal.trail[-1],)
        finding = Finding(
            entry=number,
            kind="not_allowed",
            clause=refusal.clause,
            broken=broken,
            detail=Text("audit.deck", {"seat": seat}),
        )
        return self._apart(blank(entry.seats), entry.told, finding)

    def played(self, number: int, entry: Played, table: Table) -> _Judged:
        try:
            action = self.decoder.decode(entry.action)
        except msgspec.DecodeError as error:
            return self._unreadable(number, entry, table, Text("audit.unreadable", {"why": misfit(error)}))
        if entry.actor not in table.seats and entry.actor not in (CHANCE, "judge"):
            return self._unreadable(number, entry, table, Text("wrong.seat", {"seat": repr(entry.actor)}))
        outcome = decide(self.game, self.rules, table, entry.actor, action)
        if isinstance(outcome, Accepted):
            wrongly = None
            if entry.violations and self.pinned:
                wrongly = Finding(entry=number, kind="flag", clause=entry.violations[0], flagged=True)
            return self._compared(number, table, entry.told, outcome, wrongly)
        finding = self._not_allowed(number, entry, table, action, outcome)
        if not entry.violations:
            return self._apart(table, entry.told, finding)
        all_the_same = decide_as_played(self.game, self.rules, table, entry.actor, action)
        if isinstance(all_the_same, Refusal):
            return self._apart(table, entry.told, finding)
        return self._compared(number, table, entry.told, all_the_same, finding)

    def by_hand(self, number: int, told: Told, table: Table) -> _Judged:
        after, wrong = self._folded(table, told)
        if wrong is None:
            return _Judged((after,))
        finding = Finding(entry=number, kind="impossible", clause=self.game.by_hand, detail=wrong)
        return _Judged((after,), finding, APART)

    def rewound(self, number: int, entry: Rewound, back: tuple[Table, ...] | None, now: tuple[Table, ...]) -> _Judged:
        if back is not None:
            return _Judged(back)
        detail = Text("audit.no_entry", {"to": entry.to})
        return _Judged(now, Finding(entry=number, kind="unreadable", clause=self.game.by_hand, detail=detail), APART)

    def _apart(self, table: Table, told: Told, finding: Finding) -> _Judged:
        """What the law has no table for: the recorded facts are all there is."""
        return _Judged((self._folded(table, told)[0],), finding, APART)

    def _not_allowed(self, number: int, entry: Played, table: Table, action: Action, refusal: Refusal) -> Finding:
        broken = tuple(step for step in trail(self.game, self.rules, table, entry.actor, action) if not step.holds)
        return Finding(
            entry=number,
            kind="chance" if entry.actor == CHANCE else "not_allowed",
            clause=refusal.clause,
            broken=broken,
            flagged=bool(entry.violations),
        )

    def _unreadable(self, number: int, entry: Played, table: Table, detail: Text) -> _Judged:
        finding = Finding(entry=number, kind="unreadable", clause=self.game.by_hand, detail=detail)
        return self._apart(table, entry.told, finding)

    def _compared(self, number: int, table: Table, told: Told, outcome: Accepted, finding: Finding | None) -> _Judged:
        """The recorded facts against those the law tells."""
        if told == outcome.told:
            return _Judged((outcome.table,), finding)
        after, wrong = self._folded(table, told)
        missing, extra = differences(table, outcome.told, told)
        if wrong is not None:
            found = Finding(
                entry=number,
                kind="impossible",
                clause=_first(missing, extra, self.game.by_hand),
                missing=missing,
                extra=extra,
                detail=wrong,
            )
            return _Judged((outcome.table,), found, APART)
        fit = APART if missing or extra else CLOSE
        if finding is None and (missing or extra):
            finding = Finding(
                entry=number,
                kind="consequences",
                clause=_first(missing, extra, self.game.by_hand),
                missing=missing,
                extra=extra,
            )
        elif finding is not None:
            finding = msgspec.structs.replace(finding, missing=missing, extra=extra)
        return _Judged((after, outcome.table) if after != outcome.table else (after,), finding, fit)

    def _folded(self, table: Table, told: Told) -> tuple[Table, Text | None]:
        """The table by recorded facts, the impossible ones left out, and the first thing that was impossible."""
        draft, first = Draft(table), None
        for _, fact in told:
            wrong = self.physics.wrong(draft, fact)
            if wrong is None:
                EVOLVE[type(fact)](draft, fact)
            else:
                first = first or wrong
        return draft.freeze(), first


def dealt(told: Told, decks: Decks) -> tuple[dict[Seat, tuple[CardId, ...]], Seat | None]:
    """The cards of each seat's deck, as the record created them.

    If there are more or fewer of them than the deck holds, also the seat where that is; then none has a number.
    """
    cards: dict[Seat, tuple[CardId, ...]] = dict.fromkeys(decks, ())
    for _, fact in told:
        if isinstance(fact, Created):
            cards[fact.owner] = cards.get(fact.owner, ()) + fact.cards
    odd = next((seat for seat, deck in decks.items() if len(cards[seat]) != len(deck.faces)), None)
    if odd is None:
        return cards, None
    return {seat: tuple(CardId(0) for _ in deck.faces) for seat, deck in decks.items()}, odd


def _first(missing: Told, extra: Told, otherwise: Clause) -> Clause:
    """The clause that speaks first where facts differ: the law's own, if it tells one."""
    return next((clause for clause, _ in (*missing, *extra) if clause), otherwise)


def differences(table: Table, law: Told, record: Told) -> tuple[Told, Told]:
    """What the law tells and the record does not hold, and the other way round."""
    wanted, held = tuple(compared(table, law)), tuple(compared(table, record))
    ours, theirs = [_key(one) for one in wanted], [_key(one) for one in held]
    missing: list[tuple[Clause, AnyFact]] = []
    extra: list[tuple[Clause, AnyFact]] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            missing += wanted[a:b]
            extra += held[c:d]
    return tuple(missing), tuple(extra)


def _key(telling: tuple[Clause, AnyFact]) -> bytes:
    return msgspec.msgpack.encode(telling)


def compared(table: Table, told: Told) -> Iterable[tuple[Clause, AnyFact]]:
    """The facts an audit compares.

    All table facts; of flow facts those that put something on the stack, take it off, or name its next step, and those
    that say who takes part in something that goes on (attackers, blockers).
    """
    staged = {frame.id for frame in table.stack}
    for clause, fact in told:
        match fact:
            case Pushed(frame):
                if frame.lane == "stack":
                    staged.add(frame.id)
                if frame.lane == "stack" or (frame.lane == "running" and _names_things(frame)):
                    yield clause, fact
            case Altered(wanted, step, lane, columns):
                if lane == "stack":
                    staged.add(wanted)
                named = columns is not None and _names_things(columns)
                if named or lane == "stack" or (step is not None and wanted in staged):
                    yield clause, fact
            case Popped(wanted):
                if wanted in staged:
                    yield clause, fact
            case Clocked():
                continue
            case _:
                yield clause, fact


def _names_things(columns: Columns) -> bool:
    return bool(columns.objs or columns.pairs)


def same_finding(one: Finding, other: Finding) -> bool:
    """Do two audits say the same of one entry?"""
    return (one.entry, one.kind, one.clause) == (other.entry, other.kind, other.clause)


def changed(before: Audit, after: Audit) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings that appear, and those that vanish, from one audit to another."""
    appear = tuple(f for f in after.findings if not any(same_finding(f, g) for g in before.findings))
    vanish = tuple(f for f in before.findings if not any(same_finding(f, g) for g in after.findings))
    return appear, vanish
