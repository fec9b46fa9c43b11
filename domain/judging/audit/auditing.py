"""Audit a whole record, entry by entry."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from domain.judging.audit.audit_findings import Audit, AuditFinding, Fairness
from domain.judging.audit.croupier import Croupier
from domain.judging.audit.entry_audit import EXACT, AuditPosition, EntryAudit
from domain.judging.audit.judge import Judge
from domain.law import entries as E
from domain.law.driver import accepts, carry_out
from domain.law.entries import Entry, Played, apply_facts
from domain.law.game import Game
from domain.law.late_faces import collect_faces_named_later
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.law.schemas import differing_parts, is_published
from domain.law.state_history import StateHistory
from domain.table.draft import Draft
from domain.table.physics import ACTORS
from domain.table.table import CHANCE, Table, blank
from domain.words import Text


def audit(game: Game, entries: Iterable[E.Entry], rules: object = None, secret: bytes | None = None) -> Audit:
    """Audit a record under its pinned rules, or under `rules` if given.

    `secret` is the croupier's seed while the record lacks it. No finding discloses it.

    An iterator is consumed once and its entries are kept as bytes, because a rewind needs earlier ones again. A
    sequence is read in place and may be backed by a file.
    """
    return AuditRun(game, entries, rules, secret).audit


def fairness(game: Game, entries: Iterable[E.Entry], secret: bytes | None = None) -> Fairness:
    """Return the fairness of a record's chance; `secret` is the croupier's seed while the record lacks it."""
    return AuditRun(game, entries, None, secret).croupier.fairness


class AuditRun:
    """An audit of a record that can be continued when the record has grown. Not thread-safe."""

    def __init__(
        self, game: Game, entries: Iterable[E.Entry], rules: object = None, secret: bytes | None = None
    ) -> None:
        buffer = entries if isinstance(entries, Sequence) else EntryBuffer(entries)
        self.opened, self._secret = E.opened_of(buffer), secret
        self._last = buffer.last() if isinstance(buffer, EntryBuffer) else buffer[-1]
        recorded_rules = msgspec.convert(self.opened.rules, game.rules_type)
        late = collect_faces_named_later(list(buffer)) if isinstance(self.opened, E.Undealt) else {}
        self._judge = Judge(Law(game, recorded_rules if rules is None else rules), self.opened, rules is None, late)
        self.croupier = Croupier(Law(game, recorded_rules), self.opened, self._last, secret)
        self._entries: Sequence[E.Entry] | EntryBuffer = buffer
        self._history: StateHistory[AuditPosition] = StateHistory(self._replay)
        start = blank(self.opened.seats)
        self._position = AuditPosition(start, (start,))
        findings = _check_schema(Law(game, recorded_rules), self.opened)
        self._findings = [replace(finding, before=start) for finding in findings]
        self._actions = self._facts = self.entry_count = 0
        in_memory = isinstance(entries, list | tuple)
        self._keeps_history = not in_memory or _has_rewind(buffer)
        self._walk(buffer)

    @property
    def audit(self) -> Audit:
        return Audit(tuple(self._findings), self.entry_count, self._actions, self._facts)

    def extend(self, entries: Sequence[E.Entry], secret: bytes | None) -> bool:
        """Continue the audit to the end of `entries`. False if this audit cannot be continued: the entries do not
        begin with the audited ones, or a new one can change findings before it, such as a published seed. Nothing has
        changed then."""
        number, last = self.entry_count, entries[-1]
        can_extend = (
            not isinstance(self.opened, E.Undealt)  # later entries disclose faces of earlier ones
            and secret == self._secret
            and not self.croupier.published
            and not (isinstance(last, E.Closed) and last.seed)
            and number <= len(entries)
            and (entries[0], entries[number - 1]) == (self.opened, self._last)
            and (self._keeps_history or not _has_rewind(entries[number:]))
        )
        if can_extend:
            self._entries, self._last = entries, last
            self._walk(entries[number:])
        return can_extend

    def _replay(self, before: AuditPosition, at: int) -> AuditPosition:
        entry = self._entries[at - 1]
        return _next_position(self._judge, before, entry, self._judge.entry(at, entry, before.tables))

    def _walk(self, entries: Iterable[E.Entry]) -> None:
        """Audit the entries that follow those audited."""
        judge, croupier, position, findings = self._judge, self.croupier, self._position, self._findings
        number = before = self.entry_count
        actions = facts = 0
        live_audit: LiveAudit | None = None
        for number, entry in enumerate(entries, start=before + 1):
            unfair = None
            if type(entry) is E.Played:
                actions, facts = actions + 1, facts + len(entry.told)
            else:
                facts += len(E.entry_facts(entry))
            if type(entry) is not E.Played or entry.actor == CHANCE:
                unfair = croupier.look(number, entry, position.tables if live_audit is None else (live_audit.live,))
            if live_audit is not None:
                if unfair is None and type(entry) is E.Played and live_audit.fits(entry):
                    continue
                table = live_audit.stop()
                position, live_audit = AuditPosition(table, (table,)), None
            following, finding = self._step(number, entry, position)
            if finding is not None:
                findings.append(replace(finding, before=position.record))
            if unfair is not None and (finding is None or croupier.proof == "broken"):
                findings.append(replace(unfair, before=position.record))
            position = following
            if self._keeps_history:
                self._history.add(position)
            elif position.tables == (position.record,) and not judge.decider.real:
                live_audit = LiveAudit(judge, position.record)
        if live_audit is not None:
            table = live_audit.stop()
            position = AuditPosition(table, (table,))
        self._position, self.entry_count = position, number
        self._actions, self._facts = self._actions + actions, self._facts + facts

    def _step(self, number: int, entry: E.Entry, position: AuditPosition) -> tuple[AuditPosition, AuditFinding | None]:
        """Return the position after an entry, and its finding."""
        judge = self._judge
        if not isinstance(entry, E.Rewound):
            judged = judge.entry(number, entry, position.tables)
            return _next_position(judge, position, entry, judged), judged.finding
        target = E.go_back(self._history, entry)
        judged = judge.rewound(number, entry, None if target is None else target.tables, position.tables)
        return target or position, judged.finding


def _has_rewind(entries: Iterable[E.Entry]) -> bool:
    return any(issubclass(kind, E.Rewound) for kind in set(map(type, entries)))


def _next_position(judge: Judge, before: AuditPosition, entry: E.Entry, judged: EntryAudit) -> AuditPosition:
    """Return the position after an entry. If the entry fits exactly, the law's table is also the recorded table."""
    if judged.fit == EXACT and len(before.tables) == 1 and before.tables[0] is before.record:
        return AuditPosition(judged.tables[0], judged.tables)
    return AuditPosition(judge.fold_possible(before.record, E.entry_facts(entry))[0], judged.tables)


def _check_schema(law: Law, opened: E.Opened) -> Iterator[AuditFinding]:
    """Yield a finding if the record declares its own visibility schema."""
    if not is_published(law.game, law.rules, opened):
        detail = Text("audit.schema", {"parts": differing_parts(law.game, law.rules, opened)})
        yield AuditFinding(entry=1, kind="schema", clause=law.game.by_hand, detail=detail)


class EntryBuffer:
    """Buffer of entries from an iterator, kept as bytes to save memory."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._source = iter(entries)
        self._encoded: list[bytes] = []

    def __getitem__(self, at: int) -> Entry:
        while len(self._encoded) <= at:
            self._keep(next(self._source))
        entry: Entry = _ENTRY.decode(self._encoded[at])
        return entry

    def last(self) -> Entry:
        """Consume the iterator and return its last entry."""
        for _ in self:
            pass
        return self[len(self._encoded) - 1]

    def __iter__(self) -> Iterator[Entry]:
        yield from (self[at] for at in range(len(self._encoded)))
        yield from map(self._keep, self._source)

    def _keep(self, entry: Entry) -> Entry:
        self._encoded.append(msgspec.msgpack.encode(entry))
        return entry


_ENTRY = msgspec.msgpack.Decoder(Entry)


class LiveAudit:
    """A live table that checks entries without freezing in between. Use it only for dealt matches. If an entry does not
    fit, the table before it is rebuilt from the facts since the start."""

    def __init__(self, judge: Judge, start: Table) -> None:
        self._law, self._decider, self._decode = judge.law, judge.decider, judge.decoder.decode
        self._start = start
        self._fitting: list[Played] = []
        self.live = LiveTable(start)
        self._is_dirty = False

    def fits(self, entry: Played) -> bool:
        """Carry out an entry. True if it is allowed and leads to exactly the recorded facts."""
        law, live, actor = self._law, self.live, entry.actor
        if entry.violations or (actor not in live.seats and actor not in ACTORS):
            return False
        try:
            action = self._decode(entry.action)
        except msgspec.DecodeError:
            return False
        if actor == CHANCE and self._decider.of_real_cards(live, entry, action):
            return False
        if not accepts(law, live, actor, action):
            return False
        self._is_dirty = True
        carry_out(law, live, actor, action)
        if live.take_facts() != entry.told:
            return False
        self._is_dirty = False
        self._fitting.append(entry)
        return True

    def stop(self) -> Table:
        """Return the table after the last entry that fits."""
        if not self._is_dirty:
            return self.live.freeze()
        draft = Draft(self._start)
        for entry in self._fitting:
            apply_facts(draft, entry.told)
        return draft.freeze()
