"""Holds a record against the law: per entry the recorded action is decided again on the table of recorded facts.

One error is one finding. Where record and law part, both tables are kept: if what follows fits the law's table and not
the record's, the record was wrong at that one entry, and nothing more is found.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.law.clause import Clause, Consulted, Refusal, Told
from domain.law.driver import Accepted, decide, decide_as_played, set_up, trail
from domain.law.entries import Closed, Corrected, Entry, Noted, Opened, Played, Rewound
from domain.law.game import Game
from domain.law.rulesets import digest
from domain.law.slots import Action
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import Altered, AnyFact, Clocked, Created, Popped, Pushed
from domain.table.physics import Physics
from domain.table.table import CHANCE, CardId, Seat, Table, blank

FindingKind = Literal["not_allowed", "consequences", "chance", "impossible", "unreadable"]
"""an action that the rules do not allow · facts that do not follow from it · an outcome that cannot happen · facts that
cannot happen on a table · an entry that is no action of this game."""


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
    detail: str = ""
    flagged: bool = False


class Audit(Struct, frozen=True):
    """What an audit found, over how many actions and facts."""

    findings: tuple[Finding, ...]
    entries: int
    actions: int
    facts: int


class _Judged(Struct, frozen=True):
    """One entry looked at on one table: the table by its recorded facts, the law's own, and what is wrong."""

    table: Table
    law: Table | None
    finding: Finding | None


def audit(game: Game, entries: Sequence[Entry], rules: Any = None) -> Audit:
    """Audit a record under the rules pinned in it, or under another reading of them."""
    opened = entries[0]
    assert isinstance(opened, Opened)
    pinned = rules is None
    if rules is None:
        rules = msgspec.convert(opened.rules, game.rules_type)
    judge = _Judge(game, rules, Physics(opened.schema))
    findings: list[Finding] = []
    kept: dict[int, Table] = {}
    rewinds = {entry.to for entry in entries if isinstance(entry, Rewound)}
    table, other = blank(opened.seats), None
    actions = facts = 0
    for number, entry in enumerate(entries, start=1):
        match entry:
            case Opened():
                judged = judge.opened(number, entry, pinned)
                facts += len(entry.told)
            case Played():
                judged = judge.played(number, entry, table)
                actions, facts = actions + 1, facts + len(entry.told)
                if other is not None:
                    judged = _fitting(judged, judge.played(number, entry, other))
            case Corrected():
                judged = judge.by_hand(number, entry.told, table)
                facts += len(entry.told)
            case Rewound():
                judged = _Judged(kept[entry.to], None, None)
            case Noted() | Closed():
                continue
        table, other = judged.table, judged.law
        if judged.finding is not None:
            findings.append(judged.finding)
        if number in rewinds:
            kept[number] = table
    return Audit(tuple(findings), len(entries), actions, facts)


def _fitting(on_record: _Judged, on_law: _Judged) -> _Judged:
    """Which of two tables an entry fits: the record's if it can, else the law's, and if neither, it is a finding."""
    if on_record.finding is not None and on_law.finding is None:
        return on_law
    if on_record.finding is None and on_law.finding is None and on_record.law is None:
        return _Judged(on_record.table, on_law.table, None)
    return on_record


class _Judge:
    """The law applied to the entries of one record."""

    def __init__(self, game: Game, rules: Any, physics: Physics) -> None:
        self.game, self.rules, self.physics = game, rules, physics
        self.decoder = game.decoder()

    def opened(self, number: int, entry: Opened, pinned: bool) -> _Judged:
        if pinned and digest(entry.rules) != entry.rules_hash:
            detail = f"the ruleset's values have the hash {digest(entry.rules)}, the record says {entry.rules_hash}"
            finding = Finding(entry=number, kind="unreadable", clause=self.game.by_hand, detail=detail)
            return _Judged(self._folded(blank(entry.seats), entry.told)[0], None, finding)
        cards = _dealt(entry.told)
        decks = {seat: tuple(entry.decks.get(seat, ())) for seat in entry.seats}
        if any(len(cards.get(seat, ())) != len(faces) for seat, faces in decks.items()):
            cards = {seat: tuple(CardId(0) for _ in faces) for seat, faces in decks.items()}
        accepted, refused = set_up(self.game, self.rules, decks, {seat: cards[seat] for seat in decks})
        if accepted is not None:
            return self._compared(number, blank(entry.seats), entry.told, accepted, None)
        assert refused is not None
        table, _ = self._folded(blank(entry.seats), entry.told)
        seat, refusal = refused
        broken = (refusal.trail[-1],)
        return _Judged(
            table, None, Finding(entry=number, kind="not_allowed", clause=refusal.clause, broken=broken, detail=seat)
        )

    def played(self, number: int, entry: Played, table: Table) -> _Judged:
        try:
            action = self.decoder.decode(entry.action)
        except msgspec.DecodeError as error:
            return self._unreadable(number, entry, table, str(error))
        if entry.actor not in table.seats and entry.actor not in (CHANCE, "judge"):
            return self._unreadable(number, entry, table, f"there is no seat {entry.actor!r}")
        outcome = decide(self.game, self.rules, table, entry.actor, action)
        if isinstance(outcome, Accepted):
            return self._compared(number, table, entry.told, outcome, None)
        finding = self._not_allowed(number, entry, table, action, outcome)
        if not entry.violations:
            return _Judged(self._folded(table, entry.told)[0], None, finding)
        all_the_same = decide_as_played(self.game, self.rules, table, entry.actor, action)
        if isinstance(all_the_same, Refusal):
            return _Judged(self._folded(table, entry.told)[0], None, finding)
        return self._compared(number, table, entry.told, all_the_same, finding)

    def by_hand(self, number: int, told: Told, table: Table) -> _Judged:
        after, wrong = self._folded(table, told)
        finding = None
        if wrong:
            finding = Finding(entry=number, kind="impossible", clause=self.game.by_hand, detail=wrong)
        return _Judged(after, None, finding)

    def _not_allowed(self, number: int, entry: Played, table: Table, action: Action, refusal: Refusal) -> Finding:
        broken = tuple(step for step in trail(self.game, self.rules, table, entry.actor, action) if not step.holds)
        return Finding(
            entry=number,
            kind="chance" if entry.actor == CHANCE else "not_allowed",
            clause=refusal.clause,
            broken=broken,
            flagged=bool(entry.violations),
        )

    def _unreadable(self, number: int, entry: Played, table: Table, detail: str) -> _Judged:
        after, _ = self._folded(table, entry.told)
        finding = Finding(entry=number, kind="unreadable", clause=self.game.by_hand, detail=detail)
        return _Judged(after, None, finding)

    def _compared(self, number: int, table: Table, told: Told, outcome: Accepted, finding: Finding | None) -> _Judged:
        """The recorded facts against those the law tells."""
        if told == outcome.told:
            return _Judged(outcome.table, None, finding)
        after, wrong = self._folded(table, told)
        missing, extra = _differences(table, outcome.told, told)
        if wrong:
            found = Finding(
                entry=number,
                kind="impossible",
                clause=_first(missing, extra, self.game.by_hand),
                missing=missing,
                extra=extra,
                detail=wrong,
            )
            return _Judged(outcome.table, None, found)
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
        return _Judged(after, outcome.table if after != outcome.table else None, finding)

    def _folded(self, table: Table, told: Told) -> tuple[Table, str]:
        """The table by recorded facts, the impossible ones left out, and the first thing that was impossible."""
        draft, first = Draft(table), ""
        for _, fact in told:
            wrong = self.physics.wrong(draft, fact)
            if wrong is None:
                EVOLVE[type(fact)](draft, fact)
            else:
                first = first or wrong
        return draft.freeze(), first


def _dealt(told: Told) -> dict[Seat, tuple[CardId, ...]]:
    """The cards of each seat's deck, as the record created them."""
    cards: dict[Seat, tuple[CardId, ...]] = {}
    for _, fact in told:
        if isinstance(fact, Created):
            cards[fact.owner] = cards.get(fact.owner, ()) + fact.cards
    return cards


def _first(missing: Told, extra: Told, otherwise: Clause) -> Clause:
    """The clause that speaks first where facts differ: the law's own, if it tells one."""
    return next((clause for clause, _ in (*missing, *extra) if clause), otherwise)


def _differences(table: Table, law: Told, record: Told) -> tuple[Told, Told]:
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

    All table facts; of flow facts those that put something on the stack, take it off, or name its next step.
    """
    staged = {frame.id for frame in table.stack}
    for clause, fact in told:
        match fact:
            case Pushed(frame):
                if frame.lane == "stack":
                    staged.add(frame.id)
                    yield clause, fact
            case Altered(wanted, step, lane):
                if lane == "stack":
                    staged.add(wanted)
                if lane == "stack" or (step is not None and wanted in staged):
                    yield clause, fact
            case Popped(wanted):
                if wanted in staged:
                    yield clause, fact
            case Clocked():
                continue
            case _:
                yield clause, fact


def same_finding(one: Finding, other: Finding) -> bool:
    """Do two audits say the same of one entry?"""
    return (one.entry, one.kind, one.clause) == (other.entry, other.kind, other.clause)


def changed(before: Audit, after: Audit) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings that appear, and those that vanish, from one audit to another."""
    appear = tuple(f for f in after.findings if not any(same_finding(f, g) for g in before.findings))
    vanish = tuple(f for f in before.findings if not any(same_finding(f, g) for g in after.findings))
    return appear, vanish
