"""A whole record held against the law, entry by entry."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from domain.judging.audit.audit_findings import Audit, AuditFinding, Fairness
from domain.judging.audit.croupier import Croupier
from domain.judging.audit.entry_audit import EXACT, AuditPosition, EntryAudit
from domain.judging.audit.judge import Judge
from domain.law import entries as E
from domain.law.driver import accepts, carry_out
from domain.law.entries import Entry, Played, apply_told
from domain.law.game import Game
from domain.law.late_faces import list_later_faces
from domain.law.law import Law
from domain.law.live import Live
from domain.law.schemas import differing_parts, is_published
from domain.law.state_history import StateHistory
from domain.table.draft import Draft
from domain.table.physics import ACTORS
from domain.table.table import CHANCE, Table, blank
from domain.words import Text


def audit(game: Game, entries: Iterable[E.Entry], rules: object = None, secret: bytes | None = None) -> Audit:
    """Audit a record under the rules pinned in it, or under another reading of them.

    `secret` is the croupier's seed as long as the record does not hold it; nothing that is found gives it away.

    The entries are gone through once. A rewind may need some of them again: a sequence is asked for them, so it may
    lie in a file; of what can be gone through only once the bytes are kept.
    """
    return _audit_entries(game, entries, rules, secret)[0]


def fairness(game: Game, entries: Iterable[E.Entry], secret: bytes | None = None) -> Fairness:
    """What can be said of a record's chance, on the tables that an audit keeps; `secret` as there."""
    return _audit_entries(game, entries, None, secret)[1]


def _audit_entries(
    game: Game, entries: Iterable[E.Entry], rules: object, secret: bytes | None
) -> tuple[Audit, Fairness]:
    held = entries if isinstance(entries, Sequence) else EntryBuffer(entries)
    opened = E.opened_of(held)
    own = msgspec.convert(opened.rules, game.rules_type)
    late = list_later_faces(list(held)) if isinstance(opened, E.Undealt) else {}
    judge = Judge(Law(game, own if rules is None else rules), opened, rules is None, late)
    croupier = Croupier(Law(game, own), opened, held.last() if isinstance(held, EntryBuffer) else held[-1], secret)

    def again(before: AuditPosition, at: int) -> AuditPosition:
        return _next_position(judge, before, held[at - 1], judge.entry(at, held[at - 1], before.tables))

    way: StateHistory[AuditPosition] = StateHistory(again)
    start = blank(opened.seats)
    now = AuditPosition(start, (start,))
    findings = [replace(finding, before=start) for finding in _hiding(Law(game, own), opened)]
    number = actions = facts = 0
    in_memory = isinstance(entries, list | tuple)
    goes_back = not in_memory or any(issubclass(kind, E.Rewound) for kind in set(map(type, held)))
    running: LiveAudit | None = None
    for number, entry in enumerate(held, start=1):
        unfair = None
        if type(entry) is E.Played:
            actions, facts = actions + 1, facts + len(entry.told)
        else:
            facts += len(E.entry_facts(entry))
        if type(entry) is not E.Played or entry.actor == CHANCE:
            unfair = croupier.look(number, entry, now.tables if running is None else (running.live,))
        if running is not None:
            if unfair is None and type(entry) is E.Played and running.fits(entry):
                continue
            table = running.stop()
            now, running = AuditPosition(table, (table,)), None
        if isinstance(entry, E.Rewound):
            back = E.go_back(way, entry)
            judged = judge.rewound(number, entry, None if back is None else back.tables, now.tables)
            behind = back or now
        else:
            judged = judge.entry(number, entry, now.tables)
            behind = _next_position(judge, now, entry, judged)
        if judged.finding is not None:
            findings.append(replace(judged.finding, before=now.record))
        if unfair is not None and (judged.finding is None or croupier.proof == "broken"):
            findings.append(replace(unfair, before=now.record))
        now = behind
        if goes_back:
            way.add(now)
        elif now.tables == (now.record,) and not judge.eyes.real:
            running = LiveAudit(judge, now.record)
    return Audit(tuple(findings), number, actions, facts), croupier.fairness


def _next_position(judge: Judge, before: AuditPosition, entry: E.Entry, judged: EntryAudit) -> AuditPosition:
    """What stands behind an entry. Where it fits to the letter, the law's table is the recorded one."""
    if judged.fit == EXACT and len(before.tables) == 1 and before.tables[0] is before.record:
        return AuditPosition(judged.tables[0], judged.tables)
    return AuditPosition(judge.fold_possible(before.record, E.entry_facts(entry))[0], judged.tables)


def _hiding(law: Law, opened: E.Opened) -> Iterator[AuditFinding]:
    """A record that says itself what is hidden from whom."""
    if not is_published(law.game, law.rules, opened):
        detail = Text("audit.schema", {"parts": differing_parts(law.game, law.rules, opened)})
        yield AuditFinding(entry=1, kind="schema", clause=law.game.by_hand, detail=detail)


class EntryBuffer:
    """Entries that pass only once. Their bytes are kept, a small part of what the entries themselves would take."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._coming = iter(entries)
        self._passed: list[bytes] = []

    def __getitem__(self, at: int) -> Entry:
        while len(self._passed) <= at:
            self._pass(next(self._coming))
        entry: Entry = _ENTRY.decode(self._passed[at])
        return entry

    def last(self) -> Entry:
        """The last of them: all pass."""
        for _ in self:
            pass
        return self[len(self._passed) - 1]

    def __iter__(self) -> Iterator[Entry]:
        yield from (self[at] for at in range(len(self._passed)))
        yield from map(self._pass, self._coming)

    def _pass(self, entry: Entry) -> Entry:
        self._passed.append(msgspec.msgpack.encode(entry))
        return entry


_ENTRY = msgspec.msgpack.Decoder(Entry)


class LiveAudit:
    """A live table that goes on from one that was frozen. Where an entry does not fit, the table before it is found
    again by the facts told since then. Only for a match that was dealt: of real cards what was seen comes first."""

    def __init__(self, judge: Judge, start: Table) -> None:
        self._law, self._eyes, self._decode = judge.law, judge.eyes, judge.decoder.decode
        self._start = start
        self._passed: list[Played] = []
        self.live = Live(start)
        self._spoilt = False

    def fits(self, entry: Played) -> bool:
        """Carry out an entry. True if it is allowed and leads to exactly the recorded facts."""
        law, live, actor = self._law, self.live, entry.actor
        if entry.violations or (actor not in live.seats and actor not in ACTORS):
            return False
        try:
            action = self._decode(entry.action)
        except msgspec.DecodeError:
            return False
        if actor == CHANCE and self._eyes.of_real_cards(live, entry, action):
            return False
        if not accepts(law, live, actor, action):
            return False
        self._spoilt = True
        carry_out(law, live, actor, action)
        if live.take() != entry.told:
            return False
        self._spoilt = False
        self._passed.append(entry)
        return True

    def stop(self) -> Table:
        """Return the table after the last entry that fits."""
        if not self._spoilt:
            return self.live.freeze()
        draft = Draft(self._start)
        for entry in self._passed:
            apply_told(draft, entry.told)
        return draft.freeze()
