"""Case files: one dispute of a match with all relevant material, for players or for officials. Players see different
hidden cards, so their file uses the view of a spectator. Officials get the view of a judge."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from msgspec import MsgspecError, Struct

from domain.judging.opinions import audit_entry, form_opinion
from domain.judging.readings import OtherReading, find_other_readings
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import RECORD_ENTRIES, Corrected, Rewound, last_described, line
from domain.law.occasion import NO_OCCASION, Occasion
from domain.law.record import Record
from domain.table.redact import SPECTATOR, TableViewer, View
from domain.table.table import JUDGE, Seat
from domain.words import Text, TextError
from projections.board import board
from projections.disputes import SeenDispute, seen_disputes
from projections.findings import SeenFinding, Sentence, seen_findings, sentence
from projections.knowledge import CardSighting, sights
from projections.precedents import Precedent, precedents
from projections.rulings import Ruling
from projections.seen_entries import SeenEntry, seen_entries
from projections.why import Reason, list_consulted_clauses

Audience = Literal["players", "officials"]
EYES: Final[dict[Audience, Seat]] = {"players": SPECTATOR, "officials": JUDGE}
"""The viewer for each audience."""
BEFORE, AFTER = 6, 4
"""Numbers of entries to include before and after the disputed one."""
EVENTS_MAX: Final = 200
"""Maximum number of entries in the timeline: the last ones."""
REPAIRS = (Rewound, Corrected)


class NoDispute(TextError):
    """The match has no such dispute."""


class CaseFileEvent(Struct, frozen=True, omit_defaults=True):
    """An entry of the timeline, with the cards that viewers first saw in it."""

    entry: SeenEntry
    sights: tuple[CardSighting, ...] = ()


class CaseFile(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A dispute with the tables before and after its subject, and all findings, rulings and sightings.

    `entry` is the disputed entry. If it is 0, `before` is the table on which the dispute was opened. `left` are the
    entries shown that a rewind undid. Findings, opinion and readings are for officials only, because hidden cards
    affect them.
    """

    audience: Audience
    viewer: Seat
    match: str
    upto: int
    """The last entry of the match when the file was made."""
    names: dict[Seat, str] = {}
    occasion: Occasion = NO_OCCASION
    dispute: SeenDispute
    entry: int = 0
    around: tuple[SeenEntry, ...] = ()
    left: tuple[int, ...] = ()
    before: View | None = None
    after: View | None = None
    trail: tuple[Reason, ...] = ()
    clauses: dict[Clause, Sentence] = {}
    """Sentences of all clauses named, with the match's numbers."""
    findings: tuple[SeenFinding, ...] = ()
    opinion: D.Opinion | None = None
    """The law's opinion on the entry today."""
    mended: tuple[SeenEntry, ...] = ()
    """Entries that carried out rulings."""
    readings: tuple[OtherReading, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    timeline: tuple[CaseFileEvent, ...] = ()
    untold: int = 0
    """Number of timeline entries left out."""


def case_file(record: Record, match: str, audience: Audience, number: int, rulings: Iterable[Ruling]) -> CaseFile:
    """Return the file of dispute `number` for an audience, with precedents from `rulings`. Raises NoDispute."""
    eyes = record.eyes(EYES[audience])
    dispute = next((seen for seen in seen_disputes(record, match, eyes) if seen.dispute == number), None)
    if dispute is None:
        raise NoDispute(Text("docket.no_dispute", {"entry": number}))
    about, every = dispute.matter.entry, tuple(seen_entries(record, eyes))
    start = (about or number) - 1
    official, standing = audience == "officials", frozenset(line(record.entries))
    around = every[max(0, about - 1 - BEFORE) : about + AFTER] if about else ()
    trail = _trail(record, eyes, about) if about else ()
    findings = audit_entry(record, about) if official and about else ()
    opinion = form_opinion(record, findings) if official and about else None
    timeline = tuple(_events(record, eyes, dispute, every))
    latest = timeline[-EVENTS_MAX:]
    mended = tuple(_list_repairs(record, dispute, every))
    shown_entries = (*around, *mended, *(event.entry for event in latest))
    played = {
        entry.number for entry in shown_entries if not isinstance(record.entries[entry.number - 1], RECORD_ENTRIES)
    }
    return CaseFile(
        audience=audience,
        viewer=eyes.viewer,
        match=match,
        upto=len(record.entries),
        names=record.opening.names,
        occasion=last_described(record.entries).occasion,
        dispute=dispute,
        entry=about,
        around=around,
        left=tuple(sorted(played - standing)),
        before=board(record, eyes, start) if start else None,
        after=board(record, eyes, about) if about else None,
        trail=trail,
        clauses=_texts(record, dispute, trail, every[about - 1] if about else None, opinion),
        findings=seen_findings(record, eyes, record.law, findings),
        opinion=opinion,
        mended=mended,
        readings=find_other_readings(record, about) if official and about else (),
        precedents=precedents(record, match, eyes, number, rulings),
        timeline=latest,
        untold=len(timeline) - len(latest),
    )


def _trail(record: Record, eyes: TableViewer, number: int) -> tuple[Reason, ...]:
    """Return the clauses that the law consults for an entry; () if it does not know the action."""
    try:
        return list_consulted_clauses(record, eyes, number)
    except MsgspecError:
        return ()


def _texts(
    record: Record, dispute: SeenDispute, trail: Sequence[Reason], about: SeenEntry | None, opinion: D.Opinion | None
) -> dict[Clause, Sentence]:
    named = [dispute.matter.clause]
    for entry in dispute.entries:
        named += (*entry.clauses, *(entry.opinion.clauses if entry.opinion is not None else ()))
    named += [step.clause for step in trail]
    named += (*about.violations, *(fact.clause for fact in about.facts)) if about is not None else ()
    named += opinion.clauses if opinion is not None else ()
    texts = {clause: sentence(record.law, clause) for clause in dict.fromkeys(named)}
    return {clause: text for clause, text in texts.items() if text.en}


def _list_repairs(record: Record, dispute: SeenDispute, every: Sequence[SeenEntry]) -> Iterator[SeenEntry]:
    for ruled in dispute.entries:
        is_repaired = ruled.repair is not None and ruled.repair.kind != "leave"
        if is_repaired and ruled.number < len(every) and isinstance(record.entries[ruled.number], REPAIRS):
            yield every[ruled.number]


def _events(
    record: Record, eyes: TableViewer, dispute: SeenDispute, every: Sequence[SeenEntry]
) -> Iterator[CaseFileEvent]:
    """Yield the events of a dispute: its own entries, broken and restored seals, and sightings of cards. Sightings
    count from the disputed entry to the last entry of the dispute; in an open dispute, of the match."""
    own = {entry.number for entry in dispute.entries}
    end = len(every) if dispute.standing == "open" else max(own)
    numbers = range(dispute.matter.entry or dispute.dispute, end + 1)
    saw: dict[int, list[CardSighting]] = {}
    for sight in sights(record, eyes, numbers):
        saw.setdefault(sight.entry, []).append(sight)
    for entry in every:
        is_relevant = entry.number in own or isinstance(record.entries[entry.number - 1], D.Unsealed | D.Sealed)
        if is_relevant or entry.number in saw or entry.number == dispute.matter.entry:
            yield CaseFileEvent(entry, tuple(saw.get(entry.number, ())))
