"""Earlier rulings most similar to a dispute, with their outcomes and later changes to the clauses they cite. Similarity
and order use only what the caller may know."""

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
"""Maximum number of precedents."""


class OldText(Struct, frozen=True):
    """The former text of a changed clause, under the rules of the earlier match."""

    clause: Clause
    was: Sentence


class OldValue(Struct, frozen=True):
    """An option or number with another value in the earlier match."""

    key: str
    was: str
    now: str


class Precedent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An earlier dispute with the ruling in force, or the last one, and the changes since."""

    match: str
    dispute: int
    at: int
    standing: Standing
    outcome: D.Outcome | None = None
    """The outcome of a decided appeal."""
    verdict: D.Verdict
    clauses: tuple[Clause, ...] = ()
    penalties: tuple[SeenPenalty, ...] = ()
    repair: D.Repair = D.LEAVE
    reason: str = ""
    shared: Likeness
    texts: tuple[OldText, ...] = ()
    """Shared or cited clauses with another text now."""
    options: tuple[OldValue, ...] = ()
    law_changed: bool = False
    """True if the law's code has changed since the ruling. Only judges are told."""


def precedents(
    record: Record, match: str, eyes: TableViewer, number: int, rulings: Iterable[Ruling]
) -> tuple[Precedent, ...]:
    """Return the rulings most similar to dispute `number`, among disputes opened before it. Rulings of other games are
    ignored. A seat gets a spectator's view, because in another match it is a different player."""
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
    """Return the common features; None without a common clause, card or, for a judge, finding."""
    shared = Likeness(
        clauses=tuple(clause for clause in mine.clauses if clause in theirs.clauses),
        kinds=tuple(kind for kind in mine.kinds if kind in theirs.kinds),
        faces=tuple(face for face in mine.faces if face in theirs.faces),
    )
    alike = shared.clauses or shared.faces or set(shared.kinds) - set(get_args(D.Verdict))
    return shared if alike else None


def _distance(earlier: tuple[Likeness, Ruling]) -> tuple[int, int, int, int]:
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
