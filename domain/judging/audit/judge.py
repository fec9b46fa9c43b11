"""The law applied to one entry after the other, on every table that may stand before it."""

import msgspec
from msgspec import Struct

from domain.judging.audit.by_hand import left_at_odds
from domain.judging.audit.comparing import beginning, clocked, differences
from domain.judging.audit.dealing import dealt
from domain.judging.audit.eyes import Eyes, laid_out, seen
from domain.judging.audit.finding import Finding
from domain.law import entries as E
from domain.law.clause import Clause, Refusal, Told
from domain.law.driver import accepts, carry_out, set_up, trail
from domain.law.game import decks_of
from domain.law.law import Law
from domain.law.live import Live
from domain.law.outcome import Accepted
from domain.law.rulesets import digest
from domain.law.slots import Action
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.physics import Physics
from domain.table.table import CHANCE, JUDGE, Table, blank
from domain.words import Text
from domain.words.foreign import misfit

TABLES_MAX = 8
"""How many tables are kept while the record does not say which of them it goes on from."""

EXACT, CLOSE, APART = 0, 1, 2
"""How well an entry fits a table: to the letter · in all that is compared · not."""


class Judged(Struct, frozen=True):
    """One entry looked at: the tables it may have led to, the record's own first; how well it fits; what is wrong."""

    tables: tuple[Table, ...]
    finding: Finding | None = None
    fit: int = EXACT


def _best(judged: list[Judged]) -> Judged:
    """Of one entry looked at on several tables: those it fits best. If it fits none, all of them may be right yet."""
    if len(judged) == 1:
        return judged[0]
    fit = min(one.fit for one in judged)
    best = [one for one in judged if one.fit == fit]
    tables: list[Table] = []
    for table in (table for one in best for table in one.tables):
        if table not in tables:
            tables.append(table)
    return Judged(tuple(tables[:TABLES_MAX]), best[0].finding, fit)


class Judge:
    """The law applied to the entries of one record."""

    def __init__(self, law: Law, opened: E.Opened, pinned: bool) -> None:
        self.law, self.physics, self.pinned = law, Physics(opened.schema), pinned
        self.decoder = law.game.decoder()
        self.eyes = Eyes(law, opened, self.physics)

    def entry(self, number: int, entry: E.Entry, tables: tuple[Table, ...]) -> Judged:
        """One entry on the tables that may stand before it."""
        match entry:
            case E.Played():
                if len(tables) == 1:
                    return self.played(number, entry, tables[0])
                return _best([self.played(number, entry, table) for table in tables])
            case E.Opened():
                return self.opened(number, entry)
            case E.Corrected():
                return _best([self.by_hand(number, entry.told, table) for table in tables])
            case E.Rewound() | E.Noted() | E.Closed() | E.Described():
                return Judged(tables)

    def opened(self, number: int, entry: E.Opened) -> Judged:
        if self.pinned and digest(entry.rules) != entry.rules_hash:
            detail = Text("audit.hash", {"hash": digest(entry.rules), "recorded": entry.rules_hash})
            finding = Finding(entry=number, kind="unreadable", clause=self.law.game.by_hand, detail=detail)
            return self._apart(blank(entry.seats), entry.told, finding)
        decks = decks_of(entry)
        cards, _ = dealt(entry.told, decks)
        accepted, refused = set_up(self.law, decks, cards)
        if accepted is not None:
            accepted = laid_out(self.physics, entry, accepted)
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

    def as_told(self, entry: E.Played, live: Live) -> bool:
        """Carry an action out on a live table, which is of no more use where it is not as recorded to the letter."""
        if entry.violations or (entry.actor not in live.seats and entry.actor not in (CHANCE, JUDGE)):
            return False
        try:
            action = self.decoder.decode(entry.action)
        except msgspec.DecodeError:
            return False
        if self.eyes.of_real_cards(live, entry, action) or not accepts(self.law, live, entry.actor, action):
            return False
        carry_out(self.law, live, entry.actor, action)
        return live.told == entry.told

    def played(self, number: int, entry: E.Played, table: Table) -> Judged:
        try:
            action = self.decoder.decode(entry.action)
        except msgspec.DecodeError as error:
            return self._unreadable(number, entry, table, Text("audit.unreadable", {"why": misfit(error)}))
        if entry.actor not in table.seats and entry.actor not in (CHANCE, JUDGE):
            return self._unreadable(number, entry, table, Text("wrong.seat", {"seat": repr(entry.actor)}))
        if (why := self.eyes.impossible(table, entry)) is not None:
            finding = Finding(entry=number, kind="impossible", clause=self.law.game.by_hand, detail=why)
            return self._apart(table, entry.told, finding)
        outcome = self.eyes.decide(table, entry, action)
        if outcome is None:  # it depends on cards that nobody saw
            return Judged((self.fold_possible(table, entry.told)[0],), None, CLOSE)
        if isinstance(outcome, Accepted):
            wrongly = None
            if entry.violations and self.pinned:
                wrongly = Finding(entry=number, kind="flag", clause=entry.violations[0], flagged=True)
            return self._compared(number, table, entry.told, outcome, wrongly)
        finding = self._not_allowed(number, entry, table, action, outcome)
        if not entry.violations:
            return self._apart(table, entry.told, finding)
        all_the_same = self.eyes.decide(table, entry, action, as_played=True)
        if all_the_same is None or isinstance(all_the_same, Refusal):
            return self._apart(table, entry.told, finding)
        return self._compared(number, table, entry.told, all_the_same, finding)

    def by_hand(self, number: int, told: Told, table: Table) -> Judged:
        after, wrong = self.fold_possible(table, told)
        if wrong is None:
            odd = left_at_odds(table, told, after)
            clause = self.law.game.by_hand
            finding = None if odd is None else Finding(entry=number, kind="consequences", clause=clause, detail=odd)
            return Judged((after,), finding)
        finding = Finding(entry=number, kind="impossible", clause=self.law.game.by_hand, detail=wrong)
        return Judged((after,), finding, APART)

    def rewound(self, number: int, entry: E.Rewound, back: tuple[Table, ...] | None, now: tuple[Table, ...]) -> Judged:
        if back is not None:
            return Judged(back)
        detail = Text("audit.no_entry", {"to": entry.to})
        return Judged(now, Finding(entry=number, kind="unreadable", clause=self.law.game.by_hand, detail=detail), APART)

    def _apart(self, table: Table, told: Told, finding: Finding) -> Judged:
        """What the law has no table for: the recorded facts are all there is."""
        return Judged((self.fold_possible(table, told)[0],), finding, APART)

    def _not_allowed(self, number: int, entry: E.Played, table: Table, action: Action, refusal: Refusal) -> Finding:
        known = seen(table, entry)
        broken = tuple(step for step in trail(self.law, known, entry.actor, action) if not step.holds)
        return Finding(
            entry=number,
            kind="chance" if entry.actor == CHANCE else "not_allowed",
            clause=refusal.clause,
            broken=broken,
            flagged=bool(entry.violations),
        )

    def _unreadable(self, number: int, entry: E.Played, table: Table, detail: Text) -> Judged:
        finding = Finding(entry=number, kind="unreadable", clause=self.law.game.by_hand, detail=detail)
        return self._apart(table, entry.told, finding)

    def _compared(self, number: int, table: Table, told: Told, outcome: Accepted, finding: Finding | None) -> Judged:
        """The recorded facts against those the law tells."""
        if told == outcome.told:
            return Judged((outcome.table,), finding)
        after, wrong = self.fold_possible(table, told)
        missing, extra = differences(table, outcome.told, told)
        due, read = clocked(outcome.table, outcome.told, after, told)
        missing, extra = missing + due, extra + read
        detail = beginning(outcome.table, after)
        if wrong is not None:
            found = Finding(
                entry=number,
                kind="impossible",
                clause=_first(missing, extra, self.law.game.by_hand),
                missing=missing,
                extra=extra,
                detail=wrong,
            )
            return Judged((outcome.table,), found, APART)
        fit = APART if missing or extra else CLOSE
        if finding is None and (missing or extra):
            finding = Finding(
                entry=number,
                kind="consequences",
                clause=_first(missing, extra, self.law.game.by_hand),
                missing=missing,
                extra=extra,
                detail=detail,
            )
        elif finding is not None:
            finding = msgspec.structs.replace(finding, missing=missing, extra=extra)
        return Judged((after, outcome.table) if after != outcome.table else (after,), finding, fit)

    def fold_possible(self, table: Table, told: Told) -> tuple[Table, Text | None]:
        """The table by recorded facts, the impossible ones left out, and the first thing that was impossible."""
        draft, first = Draft(table), None
        for _, fact in told:
            wrong = self.physics.wrong(draft, fact)
            if wrong is None:
                EVOLVE[type(fact)](draft, fact)
            else:
                first = first or wrong
        return draft.freeze(), first


def _first(missing: Told, extra: Told, otherwise: Clause) -> Clause:
    """The clause that speaks first where facts differ: the law's own, if it tells one."""
    return next((clause for clause, _ in (*missing, *extra) if clause), otherwise)
