"""Earlier rulings nearest to a dispute, each with its outcome and with what has changed since in what they cite.

How near they are is told by what the one who asks may know, and in which order they come too.
"""

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import Final, get_args

from msgspec import Struct

from domain.judging.rejudging.causes import changes
from domain.judging.rejudging.skipping import code_digest
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import Standing, docket_of
from domain.law.law import Law
from domain.law.pools import face_of
from domain.law.record import Record
from domain.law.rulebook import value_text
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE
from projections.findings import Sentence, sentence
from projections.penalties import SeenPenalty
from projections.rulings import Likeness, Ruling, likeness

PRECEDENTS_MAX: Final = 8
"""How many are told: the nearest."""


class OldText(Struct, frozen=True):
    """A clause that had another text under the rules of the earlier match, the numbers in force put in."""

    clause: Clause
    was: Sentence


class OldValue(Struct, frozen=True):
    """An option or number that stood at another value in the earlier match."""

    key: str
    was: str
    now: str


class Precedent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An earlier dispute with the ruling in force, or the last one, and what has changed since."""

    match: str
    dispute: int
    at: int
    standing: Standing
    outcome: D.Outcome | None = None
    """How the appeal ended, where there was one and it was decided."""
    verdict: D.Verdict
    clauses: tuple[Clause, ...] = ()
    penalties: tuple[SeenPenalty, ...] = ()
    repair: D.Repair = D.LEAVE
    reason: str = ""
    shared: Likeness
    texts: tuple[OldText, ...] = ()
    """The cited clauses that both share and that read otherwise now."""
    options: tuple[OldValue, ...] = ()
    law_changed: bool = False
    """Another program says today what the law is than when it was ruled; told to judges."""


def precedents(
    record: Record, match: str, eyes: TableViewer, number: int, rulings: Iterable[Ruling]
) -> tuple[Precedent, ...]:
    """Those of the rulings nearest to dispute `number` of a match that are on disputes opened before it.

    Rulings of other games are passed by. A seat's eyes are a spectator's here: in another match it is somebody else.
    """
    viewer = JUDGE if eyes.viewer == JUDGE else SPECTATOR
    mine = likeness(record, viewer, docket_of(record.entries).disputes[number])
    since = (record.entries[number - 1].at, match, number)
    earlier = (
        (shared, ruling)
        for ruling in rulings
        if ruling.law.game.key == record.game.key and (ruling.at, ruling.match, ruling.dispute) < since
        if (shared := _share(mine, ruling.like)) is not None
    )
    law = code_digest(record.game.key) if viewer == JUDGE else ""
    return tuple(_precedent(record, *each, law) for each in nsmallest(PRECEDENTS_MAX, earlier, key=_distance))


def _share(mine: Likeness, theirs: Likeness) -> Likeness | None:
    """What both have in common; None where that is neither clause nor card nor, for a judge, what the law found."""
    shared = Likeness(
        clauses=tuple(clause for clause in mine.clauses if clause in theirs.clauses),
        kinds=tuple(kind for kind in mine.kinds if kind in theirs.kinds),
        faces=tuple(face for face in mine.faces if face in theirs.faces),
    )
    alike = shared.clauses or shared.faces or set(shared.kinds) - set(get_args(D.Verdict))
    return shared if alike else None


def _distance(earlier: tuple[Likeness, Ruling]) -> tuple[int, int, int, int]:
    """The nearest first; among those equally near the latest."""
    shared, ruling = earlier
    return -len(shared.clauses), -len(shared.kinds), -len(shared.faces), -ruling.at


def _precedent(record: Record, shared: Likeness, ruling: Ruling, law: str) -> Precedent:
    ruled = ruling.ruled
    return Precedent(
        match=ruling.match,
        dispute=ruling.dispute,
        at=ruling.at,
        standing=ruling.standing,
        outcome=ruling.outcome,
        verdict=ruled.verdict,
        clauses=ruled.clauses,
        penalties=ruling.penalties,
        repair=ruled.repair,
        reason=ruled.reason,
        shared=shared,
        texts=tuple(_old_texts(record, ruling.law, dict.fromkeys((*shared.clauses, *ruled.clauses)))),
        options=tuple(
            OldValue(change.key, value_text(change.recorded), value_text(change.rejudged))
            for change in changes(record.game, ruling.law.rules, record.rules)
            if face_of(change.key) is None
        ),
        law_changed=bool(law) and ruling.viewer == JUDGE and ruled.opinion.law not in ("", law),
    )


def _old_texts(record: Record, law: Law, cited: Iterable[Clause]) -> Iterator[OldText]:
    for clause in cited:
        was = sentence(law, clause)
        if was != sentence(record.law, clause):
            yield OldText(clause, was)
