"""What is answered about one match, whoever asks and by whatever way: a projection with whose it is, and of what."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct, UnsetType

from domain.judging.allowed import Doable
from domain.judging.rejudging.causes import Cause
from domain.law.clause import Clause
from domain.law.law import Law
from domain.law.record import Record
from domain.table.redact import TableViewer
from domain.table.table import Seat
from projections.corrections import Correction
from projections.differences import Differences
from projections.findings import SeenFinding, Sentence, sentence
from projections.knowledge import Learning, Ledger, knowledge
from projections.log_knowledge import LogKnew, log_knew
from projections.seen_entries import SeenEntry
from projections.when import Traced
from projections.why import Reason, Shaped, Why, WhyNot


class Legal(Struct, frozen=True):
    """What may be done after an entry, as far as a viewer may know, verb by verb."""

    match: str
    viewer: Seat
    at: int
    allowed: tuple[Doable, ...]


class AuditedRecord(Struct, frozen=True):
    """What a record's rules have against it. Under another reading, or other cards, also what that makes appear and
    vanish; with other cards, those that are printed otherwise. `gaps` are the entries where actions are missing: those
    actions are not judged."""

    match: str
    viewer: Seat
    findings: tuple[SeenFinding, ...]
    entries: int
    actions: int
    facts: int
    reading: tuple[str, ...] | UnsetType = UNSET
    appear: tuple[SeenFinding, ...] | UnsetType = UNSET
    vanish: tuple[SeenFinding, ...] | UnsetType = UNSET
    cards: tuple[Cause, ...] | UnsetType = UNSET
    undone: int = 0
    corrections: tuple[Correction, ...] = ()
    entered: tuple[int, ...] = ()
    gaps: tuple[int, ...] = ()


class Explained(Struct, frozen=True):
    """An entry: what was checked, what followed, what shaped it and told nothing, and every clause of it in words."""

    match: str
    viewer: Seat
    entry: SeenEntry
    trail: tuple[Reason, ...]
    recomputed: bool
    clauses: dict[Clause, Sentence]
    shaped: tuple[Shaped, ...] = ()


class WhyNotAnswer(Struct, frozen=True):
    """An action held against the law, as far as the one who asks may know, and every clause looked at in words."""

    match: str
    viewer: Seat
    action: str
    answer: WhyNot
    clauses: dict[Clause, Sentence]


class KnowledgeAnswer(Struct, frozen=True):
    """Who has seen which face by then; of real cards a judge is also told what the log itself knew."""

    match: str
    viewer: Seat
    at: int
    knowledge: tuple[Ledger, ...]
    log: LogKnew | UnsetType = UNSET


def tell_known(record: Record, match: str, eyes: TableViewer, at: int) -> KnowledgeAnswer:
    """Who has seen which face by an entry of a match, as far as whoever asks may know."""
    return KnowledgeAnswer(match, eyes.viewer, at, knowledge(record, eyes, at), log_knew(record, eyes, at) or UNSET)


class TableDiff(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """What is otherwise after one entry than after another."""

    match: str
    before: int
    after: int
    differences: Differences


class KnowledgeDiff(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """Who has seen which face between two entries."""

    match: str
    viewer: Seat
    before: int
    after: int
    learned: tuple[Learning, ...]


class TraceAnswer(Struct, frozen=True):
    """Which entries last touched a thing."""

    match: str
    name: str
    answer: Traced


def tell_why(match: str, viewer: Seat, law: Law, seen: SeenEntry, reason: Why) -> Explained:
    """An entry explained, with the sentences of all that is cited in it."""
    cited = [step.clause for step in reason.trail] + [fact.clause for fact in seen.facts] + list(seen.violations)
    clauses = _sentences(law, (*cited, *_noted(reason.shaped)))
    return Explained(match, viewer, seen, reason.trail, reason.recomputed, clauses, reason.shaped)


def tell_why_not(match: str, viewer: Seat, law: Law, action: str, answer: WhyNot) -> WhyNotAnswer:
    """An action held against the law, with the sentences of all that is cited."""
    cited = [step.clause for step in answer.consulted]
    return WhyNotAnswer(match, viewer, action, answer, _sentences(law, (*cited, *_noted(answer.shaped))))


def _sentences(law: Law, cited: Iterable[Clause]) -> dict[Clause, Sentence]:
    return {clause: sentence(law, clause) for clause in dict.fromkeys(cited) if clause}


def _noted(noted: tuple[Shaped, ...]) -> Iterator[Clause]:
    """The clauses noted, and those of their layers."""
    for shaped in noted:
        yield shaped.clause
        yield from (layer.clause for layer in shaped.layers)
