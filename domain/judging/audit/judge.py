"""Apply the law to an entry on every table that may precede it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from domain.judging.audit.audit_findings import AuditFinding, FindingKind
from domain.judging.audit.comparing import beginning, clocked, differences
from domain.judging.audit.croupier import dealt
from domain.judging.audit.entry_audit import APART, CLOSE, EntryAudit, Verdicts, combine
from domain.judging.audit.entry_decider import EntryDecider, apply_seen_facts, hide_set_up
from domain.law import entries as E
from domain.law.clause import CitedFacts, Refusal
from domain.law.driver import consult_clauses, set_up
from domain.law.game import decks_of
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.rulesets import digest
from domain.law.slots import Action
from domain.law.unseen import seen_faces, with_faces
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import Moved
from domain.table.physics import ACTORS, physics_of
from domain.table.redact import LateFace
from domain.table.table import CHANCE, CardId, Effect, Table, blank, is_same_object
from domain.words import Text
from domain.words.foreign import explain_decode_error

TABLES_MAX = 8
"""Maximum number of tables kept while the record does not decide between them."""

NOTHING_LATE: Final[Mapping[int, Mapping[CardId, LateFace]]] = MappingProxyType({})


def _choose_best(judged: list[EntryAudit]) -> EntryAudit:
    """Merge the audits that fit best. If the entry fits no table, all are merged. Keep at most `TABLES_MAX` tables."""
    if len(judged) == 1:
        return judged[0]
    fit = min(verdict.fit for verdict in judged)
    best = [verdict for verdict in judged if verdict.fit == fit]
    tables: list[Table] = []
    for table in (table for verdict in best for table in verdict.tables):
        if table not in tables:
            tables.append(table)
    return EntryAudit(tuple(tables[:TABLES_MAX]), best[0].finding, fit)


class Judge:
    def __init__(
        self, law: Law, opened: E.Opened, pinned: bool, late: Mapping[int, Mapping[CardId, LateFace]] = NOTHING_LATE
    ) -> None:
        self.law, self.physics, self.pinned = law, physics_of(opened.schema), pinned
        self.decoder = law.game.decoder()
        self.decider = EntryDecider(law, opened, self.physics)
        self.undealt = isinstance(opened, E.Undealt)
        self.late = late
        """Faces first disclosed by a later entry, by the number of the entry before which they were unknown."""

    def entry(self, number: int, entry: E.Entry, tables: tuple[Table, ...]) -> EntryAudit:
        if isinstance(entry, E.AnyRecordEntry):
            return EntryAudit(tables)
        match entry:
            case E.Played():
                if len(tables) == 1:
                    return self.played(number, entry, tables[0])
                return _choose_best([self.played(number, entry, table) for table in tables])
            case E.Opened():
                return self.judge_opening(number, entry)
            case E.Corrected():
                return _choose_best([self.by_hand(number, entry.told, table) for table in tables])
            case E.Gap():
                return _choose_best([self.gap(number, entry.told, table) for table in tables])
            case E.Rewound() | E.Closed():
                return EntryAudit(tables)

    def judge_opening(self, number: int, entry: E.Opened) -> EntryAudit:
        if self.pinned and digest(entry.rules) != entry.rules_hash:
            detail = Text("audit.hash", {"hash": digest(entry.rules), "recorded": entry.rules_hash})
            return self._keep_recorded_facts(blank(entry.seats), entry.told, self._find(number, "unreadable", detail))
        decks = decks_of(entry)
        cards, _ = dealt(entry.told, decks)
        accepted, refused = set_up(self.law, decks, cards)
        if accepted is not None:
            accepted = hide_set_up(self.physics, entry, accepted)
            return self._compare_facts(number, blank(entry.seats), entry.told, accepted, None)
        assert refused is not None
        seat, refusal = refused
        finding = AuditFinding(
            entry=number,
            kind="not_allowed",
            clause=refusal.clause,
            broken=(refusal.trail[-1],),
            detail=Text("audit.deck", {"seat": seat}),
        )
        return self._keep_recorded_facts(blank(entry.seats), entry.told, finding)

    def played(self, number: int, entry: E.Played, table: Table) -> EntryAudit:
        try:
            action = self.decoder.decode(entry.action)
        except msgspec.DecodeError as error:
            detail = Text("audit.unreadable", {"why": explain_decode_error(error)})
            return self._keep_recorded_facts(table, entry.told, self._find(number, "unreadable", detail))
        if entry.actor not in table.seats and entry.actor not in ACTORS:
            detail = Text("wrong.seat", {"seat": repr(entry.actor)})
            return self._keep_recorded_facts(table, entry.told, self._find(number, "unreadable", detail))
        if (why := self.decider.impossible(table, entry)) is not None:
            return self._keep_recorded_facts(table, entry.told, self._find(number, "impossible", why))
        outcome = self.decider.decide(table, entry, action)
        if outcome is None:  # the outcome depends on unseen cards
            finding = self._find_in_worlds(number, entry, table, action) if self.undealt else None
            return EntryAudit((self.fold_possible(table, entry.told)[0],), finding, CLOSE)
        return self._judge_outcome(number, entry, table, action, outcome)

    def _judge_outcome(
        self, number: int, entry: E.Played, table: Table, action: Action, outcome: Outcome
    ) -> EntryAudit:
        """Compare the entry with the law's outcome for its action."""
        if isinstance(outcome, Accepted):
            flag_finding = None
            if entry.violations and self.pinned:
                flag_finding = AuditFinding(entry=number, kind="flag", clause=entry.violations[0], flagged=True)
            return self._compare_facts(number, table, entry.told, outcome, flag_finding)
        finding = self._find_refusal(number, entry, table, action, outcome)
        if not entry.violations:
            return self._keep_recorded_facts(table, entry.told, finding)
        as_played_outcome = self.decider.decide(table, entry, action, as_played=True)
        if as_played_outcome is None or isinstance(as_played_outcome, Refusal):
            return self._keep_recorded_facts(table, entry.told, finding)
        return self._compare_facts(number, table, entry.told, as_played_outcome, finding)

    def _find_in_worlds(self, number: int, entry: E.Played, table: Table, action: Action) -> AuditFinding | None:
        """Return the finding over all possible faces of the unseen cards, if any."""
        verdicts = self._judge_worlds(number, entry, table, action, {})
        seen_now = seen_faces(entry.told)
        late = {
            card: late_face
            for card, late_face in self.late.get(number, {}).items()
            if card in table.pieces and table.pieces[card].face is None and not seen_now.get(card)
        }
        read_cards = self.decider.in_worlds(table, entry, action, {}, by_area=False).cards if late else ()
        told_in = tuple(sorted({late[card].entry for card in read_cards if card in late}))
        if not told_in:
            return combine(self.law.game, number, verdicts)
        later_verdicts = self._judge_worlds(
            number, entry, table, action, {card: late_face.face for card, late_face in late.items()}
        )
        return combine(self.law.game, number, later_verdicts, verdicts, told_in)

    def _judge_worlds(
        self, number: int, entry: E.Played, table: Table, action: Action, known: Mapping[CardId, str]
    ) -> Verdicts:
        worlds = self.decider.in_worlds(table, entry, action, known)
        tables = (with_faces(table, world.faces) for world in worlds.worlds)
        judged = [
            self._judge_outcome(number, entry, supposed, action, world.outcome)
            for supposed, world in zip(tables, worlds.worlds, strict=True)
        ]
        return Verdicts(tuple(verdict.finding for verdict in judged), worlds, tuple(known))

    def by_hand(self, number: int, told: CitedFacts, table: Table) -> EntryAudit:
        after, wrong = self.fold_possible(table, told)
        if wrong is not None:
            return EntryAudit((after,), self._find(number, "impossible", wrong), APART)
        odd = find_stale_effect(table, told, after)
        return EntryAudit((after,), None if odd is None else self._find(number, "consequences", odd))

    def gap(self, number: int, told: CitedFacts, table: Table) -> EntryAudit:
        """Check that the facts after missing actions are possible; the actions themselves are not judged."""
        after, wrong = self.fold_possible(table, told)
        return EntryAudit((after,), None if wrong is None else self._find(number, "impossible", wrong))

    def rewound(
        self, number: int, entry: E.Rewound, back: tuple[Table, ...] | None, now: tuple[Table, ...]
    ) -> EntryAudit:
        if back is not None:
            return EntryAudit(back)
        return EntryAudit(now, self._find(number, "unreadable", Text("audit.no_entry", {"to": entry.to})), APART)

    def _keep_recorded_facts(self, table: Table, told: CitedFacts, finding: AuditFinding) -> EntryAudit:
        """Return an audit that keeps the recorded facts, because the law has no table for the entry."""
        return EntryAudit((self.fold_possible(table, told)[0],), finding, APART)

    def _find_refusal(
        self, number: int, entry: E.Played, table: Table, action: Action, refusal: Refusal
    ) -> AuditFinding:
        known = apply_seen_facts(table, entry)
        broken = tuple(step for step in consult_clauses(self.law, known, entry.actor, action) if not step.holds)
        return AuditFinding(
            entry=number,
            kind="chance" if entry.actor == CHANCE else "not_allowed",
            clause=refusal.clause,
            broken=broken,
            flagged=bool(entry.violations),
        )

    def _find(self, number: int, kind: FindingKind, detail: Text) -> AuditFinding:
        return AuditFinding(entry=number, kind=kind, clause=self.law.game.by_hand, detail=detail)

    def _compare_facts(
        self, number: int, table: Table, told: CitedFacts, outcome: Accepted, finding: AuditFinding | None
    ) -> EntryAudit:
        if told == outcome.told:
            return EntryAudit((outcome.table,), finding)
        after, wrong = self.fold_possible(table, told)
        missing, extra = differences(table, outcome.told, told)
        clock_missing, clock_extra = clocked(outcome.table, outcome.told, after, told)
        missing, extra = missing + clock_missing, extra + clock_extra
        if wrong is not None or (finding is None and (missing or extra)):
            finding = AuditFinding(
                entry=number,
                kind="consequences" if wrong is None else "impossible",
                clause=next((clause for clause, _ in (*missing, *extra) if clause), self.law.game.by_hand),
                missing=missing,
                extra=extra,
                detail=beginning(outcome.table, after) if wrong is None else wrong,
            )
        elif finding is not None:
            finding = msgspec.structs.replace(finding, missing=missing, extra=extra)
        if wrong is not None:
            return EntryAudit((outcome.table,), finding, APART)
        fit = APART if missing or extra else CLOSE
        return EntryAudit((after, outcome.table) if after != outcome.table else (after,), finding, fit)

    def fold_possible(self, table: Table, told: CitedFacts) -> tuple[Table, Text | None]:
        """Return the table after the possible facts, and the reason why the first other one is impossible."""
        draft, first_impossible = Draft(table), None
        for _, fact in told:
            why = self.physics.explain_impossible(draft, fact)
            if why is None:
                EVOLVE[type(fact)](draft, fact)
            else:
                first_impossible = first_impossible or why
        return draft.freeze(), first_impossible


def find_stale_effect(before: Table, told: CitedFacts, after: Table) -> Text | None:
    """Describe an effect whose source is no longer the card at that place; None if there is none. An effect that the
    same correction adjusts or ends is not stale."""
    numbers_after = {effect.id: effect.numbers for effect in after.effects}
    for effect in before.effects:
        if effect.numbers and numbers_after.get(effect.id) == effect.numbers and is_same_object(before, effect.source):
            successor = _find_replacement(before, told, after, effect)
            if successor is not None:
                old_face = before.pieces[effect.source.card].face
                new_face = after.pieces[successor].face
                numbers = ", ".join(f"{number:+d}" for number in effect.numbers)
                return Text("audit.at_odds", {"numbers": numbers, "was": old_face or "?", "now": new_face or "?"})
    return None


def _find_replacement(before: Table, told: CitedFacts, after: Table, effect: Effect) -> CardId | None:
    """Return the card that the correction put in place of the effect's source."""
    card = effect.source.card
    place, face = before.pieces[card].place, before.pieces[card].face
    if is_same_object(after, effect.source):
        return card if face is not None and after.pieces[card].face != face else None
    moved = (other for _, fact in told if isinstance(fact, Moved) and fact.to == place for other in fact.cards)
    return next((other for other in moved if other != card and other in after.pieces), None)
