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
    return _audit_entries(game, entries, rules, secret)[0]


def fairness(game: Game, entries: Iterable[E.Entry], secret: bytes | None = None) -> Fairness:
    """Return the fairness of a record's chance; `secret` is the croupier's seed while the record lacks it."""
    return _audit_entries(game, entries, None, secret)[1]


def _audit_entries(
    game: Game, entries: Iterable[E.Entry], rules: object, secret: bytes | None
) -> tuple[Audit, Fairness]:
    buffer = entries if isinstance(entries, Sequence) else EntryBuffer(entries)
    opened = E.opened_of(buffer)
    recorded_rules = msgspec.convert(opened.rules, game.rules_type)
    late = collect_faces_named_later(list(buffer)) if isinstance(opened, E.Undealt) else {}
    judge = Judge(Law(game, recorded_rules if rules is None else rules), opened, rules is None, late)
    croupier = Croupier(
        Law(game, recorded_rules), opened, buffer.last() if isinstance(buffer, EntryBuffer) else buffer[-1], secret
    )

    def replay(before: AuditPosition, at: int) -> AuditPosition:
        return _next_position(judge, before, buffer[at - 1], judge.entry(at, buffer[at - 1], before.tables))

    history: StateHistory[AuditPosition] = StateHistory(replay)
    start = blank(opened.seats)
    position = AuditPosition(start, (start,))
    findings = [replace(finding, before=start) for finding in _check_schema(Law(game, recorded_rules), opened)]
    number = actions = facts = 0
    in_memory = isinstance(entries, list | tuple)
    keeps_history = not in_memory or any(issubclass(kind, E.Rewound) for kind in set(map(type, buffer)))
    live_audit: LiveAudit | None = None
    for number, entry in enumerate(buffer, start=1):
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
        if isinstance(entry, E.Rewound):
            target = E.go_back(history, entry)
            judged = judge.rewound(number, entry, None if target is None else target.tables, position.tables)
            following = target or position
        else:
            judged = judge.entry(number, entry, position.tables)
            following = _next_position(judge, position, entry, judged)
        if judged.finding is not None:
            findings.append(replace(judged.finding, before=position.record))
        if unfair is not None and (judged.finding is None or croupier.proof == "broken"):
            findings.append(replace(unfair, before=position.record))
        position = following
        if keeps_history:
            history.add(position)
        elif position.tables == (position.record,) and not judge.decider.real:
            live_audit = LiveAudit(judge, position.record)
    return Audit(tuple(findings), number, actions, facts), croupier.fairness


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
