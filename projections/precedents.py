"""Earlier rulings nearest to a dispute, each with its outcome and with what has changed since in what they cite.

How near they are is told by what the one who asks may know, and in which order they come too.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from itertools import chain
from typing import Final, TypeVar, get_args

from msgspec import Struct

from domain.judging.rejudging.causes import changes
from domain.judging.rejudging.skipping import code_digest
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import Dispute, Standing, docket_of
from domain.law.pools import face_of
from domain.law.record import Record
from domain.law.rulebook import value_text
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, Seat
from projections.findings import Sentence, sentence
from projections.penalties import SeenPenalty, see_penalties
from projections.seen_entries import seen_entry

Name = TypeVar("Name", bound=str)

PRECEDENTS_MAX: Final = 8
"""How many are told: the nearest."""
Stream = Iterable[tuple[str, Record]]
"""Matches by their ids, as they are read; other games than the one that is asked about are passed by."""
Judged = Callable[[str, Record], bool]
"""May a judge who asks look at a match of a stream with a judge's eyes, too, and not with a spectator's alone?"""


def judge_all(match: str, record: Record) -> bool:
    """Whoever has a store to themselves may."""
    return True


class Likeness(Struct, frozen=True, omit_defaults=True):
    """What a dispute is about, or what two of them have in common: clauses, what was found by judges or, for a judge
    who asks, by the law, and faces of cards."""

    clauses: tuple[Clause, ...] = ()
    kinds: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()


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
    record: Record, match: str, eyes: Eyes, number: int, stream: Stream, judged: Judged = judge_all
) -> tuple[Precedent, ...]:
    """The rulings nearest to dispute `number` of a match among those of disputes that were opened before it.

    A seat's eyes are a spectator's here: in another match that seat is somebody else.
    """
    viewer = JUDGE if eyes.viewer == JUDGE else SPECTATOR
    mine = likeness(record, viewer, docket_of(record.entries).disputes[number])
    since = (record.entries[number - 1].at, match, number)
    law = code_digest(record.game.key) if viewer == JUDGE else ""
    earlier = (
        told
        for name, other in stream
        if other.game.key == record.game.key
        for dispute in docket_of(other.entries).disputes.values()
        if (other.entries[dispute.number - 1].at, name, dispute.number) < since
        if (told := _precedent(record, name, other, eyes_in(viewer, name, other, judged), dispute, mine, law))
        is not None
    )
    return tuple(nsmallest(PRECEDENTS_MAX, earlier, key=_distance))


def eyes_in(viewer: Seat, match: str, record: Record, judged: Judged) -> Seat:
    """With whose eyes a spectator or a judge looks at a match of a stream."""
    return JUDGE if viewer == JUDGE and judged(match, record) else SPECTATOR


def likeness(record: Record, viewer: Seat, dispute: Dispute) -> Likeness:
    """What a dispute is about, as far as a viewer may know."""
    clauses, kinds, faces = [dispute.matter.clause], [], []
    for number in (*dispute.rulings, dispute.decision):
        entry = record.entries[number - 1] if number else None
        if isinstance(entry, D.Ruled) or (isinstance(entry, D.Decided) and entry.outcome == "overturned"):
            kinds.append(f"{entry.verdict}")
            clauses += entry.clauses
            if viewer == JUDGE:
                kinds.append(entry.opinion.finding)
                clauses += entry.opinion.clauses
    about = dispute.matter.entry
    if about:
        eyes = record.eyes(viewer)
        seen = seen_entry(record.game, eyes, about, record.entries[about - 1], record.after(about - 1))
        clauses += seen.violations
        slots = seen.action.slots if seen.action is not None else ()
        faces += [card.face for slot in slots for card in (*slot.cards, *chain.from_iterable(slot.pairs))]
    return Likeness(_once(clauses), _once(kinds), _once(faces))


def _once(named: Iterable[Name | None]) -> tuple[Name, ...]:
    return tuple(dict.fromkeys(name for name in named if name))


def _precedent(
    record: Record, name: str, other: Record, viewer: Seat, dispute: Dispute, mine: Likeness, law: str
) -> Precedent | None:
    """An earlier dispute as a precedent; None where nobody ruled on it or it has neither clause nor card nor, for a
    judge, what the law found in common."""
    ruled = dispute.in_force or next(
        (other.entries[number - 1] for number in reversed(dispute.rulings)),
        None,
    )
    if not isinstance(ruled, D.Ruled | D.Decided):
        return None
    theirs = likeness(other, viewer, dispute)
    shared = Likeness(
        clauses=tuple(clause for clause in mine.clauses if clause in theirs.clauses),
        kinds=tuple(kind for kind in mine.kinds if kind in theirs.kinds),
        faces=tuple(face for face in mine.faces if face in theirs.faces),
    )
    if not (shared.clauses or shared.faces or set(shared.kinds) - set(get_args(D.Verdict))):
        return None
    decided = other.entries[dispute.decision - 1] if dispute.decision else None
    return Precedent(
        match=name,
        dispute=dispute.number,
        at=other.entries[dispute.number - 1].at,
        standing=dispute.standing,
        outcome=decided.outcome if isinstance(decided, D.Decided) else None,
        verdict=ruled.verdict,
        clauses=ruled.clauses,
        penalties=see_penalties(other.opened.policy, ruled.penalties),
        repair=ruled.repair,
        reason=ruled.reason,
        shared=shared,
        texts=tuple(_old_texts(record, other, dict.fromkeys((*shared.clauses, *ruled.clauses)))),
        options=tuple(
            OldValue(change.key, value_text(change.recorded), value_text(change.rejudged))
            for change in changes(record.game, other.rules, record.rules)
            if face_of(change.key) is None
        ),
        law_changed=viewer == JUDGE and ruled.opinion.law not in ("", law),
    )


def _old_texts(record: Record, other: Record, cited: Iterable[Clause]) -> Iterator[OldText]:
    for clause in cited:
        was = sentence(other.law, clause)
        if was != sentence(record.law, clause):
            yield OldText(clause, was)


def _distance(told: Precedent) -> tuple[int, int, int, int]:
    """The nearest first; among those equally near the latest."""
    shared = told.shared
    return -len(shared.clauses), -len(shared.kinds), -len(shared.faces), -told.at
