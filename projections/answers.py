"""Answers about one match, shared by all interfaces: each combines a projection with its match and viewer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.judging.allowed import AllowedActions
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
from projections.log_knowledge import LogKnowledgeReport, read_log_knowledge
from projections.seen_entries import SeenEntry
from projections.thing_history import ThingHistory
from projections.why import Reason, ShapingClause, Why, WhyNot


class Legal(Struct, frozen=True):
    """Legal actions after an entry by verb, as far as a viewer may know."""

    match: str
    viewer: Seat
    at: int
    allowed: tuple[AllowedActions, ...]


class AuditedRecord(Struct, frozen=True):
    """Findings of a record under its own rules, or under the changes in `reading`. `appear` and `vanish` are the
    differences that these changes make. `cards` are the cards with changed text. `gaps` are entries of missing actions,
    which are not judged."""

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
    """An entry with its checks, facts and notes, and the sentence of every clause involved."""

    match: str
    viewer: Seat
    entry: SeenEntry
    trail: tuple[Reason, ...]
    recomputed: bool
    clauses: dict[Clause, Sentence]
    shaped: tuple[ShapingClause, ...] = ()


class WhyNotAnswer(Struct, frozen=True):
    """An action checked against the law as far as the viewer may know, with the sentences of the clauses."""

    match: str
    viewer: Seat
    action: str
    answer: WhyNot
    clauses: dict[Clause, Sentence]


class KnowledgeAnswer(Struct, frozen=True):
    """The viewers of each face up to an entry. For real cards a judge also gets the knowledge of the log."""

    match: str
    viewer: Seat
    at: int
    knowledge: tuple[Ledger, ...]
    log: LogKnowledgeReport | UnsetType = UNSET


def make_knowledge_answer(record: Record, match: str, eyes: TableViewer, at: int) -> KnowledgeAnswer:
    """Return the viewers of each face up to an entry, as far as the viewer may know."""
    return KnowledgeAnswer(
        match, eyes.viewer, at, knowledge(record, eyes, at), read_log_knowledge(record, eyes, at) or UNSET
    )


def list_known_cards(answer: KnowledgeAnswer) -> list[Sequence[Any]]:
    """Return the lists of an answer: the cards of each viewer, and those that the log knew and learned later."""
    return [
        *(ledger.cards for ledger in answer.knowledge),
        *((answer.log.known, answer.log.later) if answer.log else ()),
    ]


def with_known_cards(answer: KnowledgeAnswer, lists: Sequence[tuple[Any, ...]]) -> KnowledgeAnswer:
    """Return the answer with other lists, in the order of `list_known_cards`."""
    own, of_log = lists[: len(answer.knowledge)], lists[len(answer.knowledge) :]
    knowledge = tuple(replace(ledger, cards=cards) for ledger, cards in zip(answer.knowledge, own, strict=True))
    log = replace(answer.log, known=of_log[0], later=of_log[1]) if answer.log else UNSET
    return replace(answer, knowledge=knowledge, log=log)


class TableDiff(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    match: str
    before: int
    after: int
    differences: Differences


class KnowledgeDiff(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    match: str
    viewer: Seat
    before: int
    after: int
    learned: tuple[Learning, ...]


class TraceAnswer(Struct, frozen=True):
    match: str
    name: str
    answer: ThingHistory


def make_explanation(match: str, viewer: Seat, law: Law, seen: SeenEntry, reason: Why) -> Explained:
    """Return an explained entry with the sentences of all cited clauses."""
    cited = [step.clause for step in reason.trail] + [fact.clause for fact in seen.facts] + list(seen.violations)
    clauses = _sentences(law, (*cited, *_list_noted_clauses(reason.shaped)))
    return Explained(match, viewer, seen, reason.trail, reason.recomputed, clauses, reason.shaped)


def make_why_not_answer(match: str, viewer: Seat, law: Law, action: str, answer: WhyNot) -> WhyNotAnswer:
    """Return an action checked against the law with the sentences of all cited clauses."""
    cited = [step.clause for step in answer.consulted]
    return WhyNotAnswer(match, viewer, action, answer, _sentences(law, (*cited, *_list_noted_clauses(answer.shaped))))


def _sentences(law: Law, cited: Iterable[Clause]) -> dict[Clause, Sentence]:
    return {clause: sentence(law, clause) for clause in dict.fromkeys(cited) if clause}


def _list_noted_clauses(noted: tuple[ShapingClause, ...]) -> Iterator[Clause]:
    for shaped in noted:
        yield shaped.clause
        yield from (layer.clause for layer in shaped.layers)
