"""One dispute of a match with all that bears on it, for players or for officials.

What players get is drawn with a spectator's eyes: they see different hidden cards, and one file is for all of them.
What officials get is drawn with a judge's.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from msgspec import MsgspecError, Struct

from domain.judging.opinions import find_against, opine
from domain.judging.readings import OtherReading, read_otherwise
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import BESIDE, Corrected, Rewound, last_described, line
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
from projections.why import Reason, looked_at

Audience = Literal["players", "officials"]
EYES: Final[dict[Audience, Seat]] = {"players": SPECTATOR, "officials": JUDGE}
"""With whose eyes the file of an audience is drawn."""
BEFORE, BEHIND = 6, 4
"""How many entries are told before the one a dispute is about, and behind it."""
EVENTS_MAX: Final = 200
"""How many entries the timeline has: the last ones."""
MENDING = (Rewound, Corrected)


class NoDispute(TextError):
    """A match has no such dispute."""


class CaseFileEvent(Struct, frozen=True, omit_defaults=True):
    """An entry of the timeline, and what somebody saw in it that they had not seen before."""

    entry: SeenEntry
    sights: tuple[CardSighting, ...] = ()


class CaseFile(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A dispute with the tables before and after what it is about, and all that was found, ruled and seen.

    `entry`: the one it is about, 0 where it is about none; then the table is that on which it was opened, as `before`.
    `left` are the entries told here that a rewind has left. Findings, opinion and other readings are for officials:
    they are told from hidden cards.
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
    """The text of every clause that is named, with the numbers in force in the match."""
    findings: tuple[SeenFinding, ...] = ()
    opinion: D.Opinion | None = None
    """What the law says of the entry today."""
    mended: tuple[SeenEntry, ...] = ()
    """The entries by which rulings were carried out."""
    readings: tuple[OtherReading, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    timeline: tuple[CaseFileEvent, ...] = ()
    untold: int = 0
    """How many entries of the timeline are left out."""


def case_file(record: Record, match: str, audience: Audience, number: int, rulings: Iterable[Ruling]) -> CaseFile:
    """The file of dispute `number` for an audience; precedents are looked for among the rulings. Raises NoDispute."""
    eyes = record.eyes(EYES[audience])
    dispute = next((seen for seen in seen_disputes(record, match, eyes) if seen.dispute == number), None)
    if dispute is None:
        raise NoDispute(Text("docket.no_dispute", {"entry": number}))
    about, every = dispute.matter.entry, tuple(seen_entries(record, eyes))
    start = (about or number) - 1
    official, standing = audience == "officials", frozenset(line(record.entries))
    around = every[max(0, about - 1 - BEFORE) : about + BEHIND] if about else ()
    trail = _trail(record, eyes, about) if about else ()
    findings = find_against(record, about) if official and about else ()
    opinion = opine(record, findings) if official and about else None
    timeline = tuple(_events(record, eyes, dispute, every))
    told = timeline[-EVENTS_MAX:]
    mended = tuple(_mended(record, dispute, every))
    shown = (*around, *mended, *(event.entry for event in told))
    played = {entry.number for entry in shown if not isinstance(record.entries[entry.number - 1], BESIDE)}
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
        readings=read_otherwise(record, about) if official and about else (),
        precedents=precedents(record, match, eyes, number, rulings),
        timeline=told,
        untold=len(timeline) - len(told),
    )


def _trail(record: Record, eyes: TableViewer, number: int) -> tuple[Reason, ...]:
    """What the law looks at for an entry, as far as it knows the action at all."""
    try:
        return looked_at(record, eyes, number)
    except MsgspecError:
        return ()


def _texts(
    record: Record, dispute: SeenDispute, trail: Sequence[Reason], about: SeenEntry | None, opinion: D.Opinion | None
) -> dict[Clause, Sentence]:
    """The clauses that are named, each once: disputed, ruled by, looked at, told by, found."""
    named = [dispute.matter.clause]
    for entry in dispute.entries:
        named += (*entry.clauses, *(entry.opinion.clauses if entry.opinion is not None else ()))
    named += [step.clause for step in trail]
    named += (*about.violations, *(fact.clause for fact in about.facts)) if about is not None else ()
    named += opinion.clauses if opinion is not None else ()
    texts = {clause: sentence(record.law, clause) for clause in dict.fromkeys(named)}
    return {clause: text for clause, text in texts.items() if text.en}


def _mended(record: Record, dispute: SeenDispute, every: Sequence[SeenEntry]) -> Iterator[SeenEntry]:
    """The entries right behind rulings that mend something."""
    for ruled in dispute.entries:
        mends = ruled.repair is not None and ruled.repair.kind != "leave"
        if mends and ruled.number < len(every) and isinstance(record.entries[ruled.number], MENDING):
            yield every[ruled.number]


def _events(
    record: Record, eyes: TableViewer, dispute: SeenDispute, every: Sequence[SeenEntry]
) -> Iterator[CaseFileEvent]:
    """What was said and decided in a dispute, who looked with whose eyes at any time, and who saw which cards from the
    disputed entry to the last ruling: of a dispute that is open, to now."""
    own = {entry.number for entry in dispute.entries}
    end = len(every) if dispute.standing == "open" else max(own)
    numbers = range(dispute.matter.entry or dispute.dispute, end + 1)
    saw: dict[int, list[CardSighting]] = {}
    for sight in sights(record, eyes, numbers):
        saw.setdefault(sight.entry, []).append(sight)
    for entry in every:
        beside = entry.number in own or isinstance(record.entries[entry.number - 1], D.Unsealed | D.Sealed)
        if beside or entry.number in saw or entry.number == dispute.matter.entry:
            yield CaseFileEvent(entry, tuple(saw.get(entry.number, ())))
