"""Ruled disputes with all data for comparisons, so that each match is read once."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

from msgspec import Struct

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import Dispute, Standing, docket_of
from domain.law.law import Law
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.penalties import SeenPenalty, see_penalties
from projections.seen_entries import SeenEntry, seen_entry

Name = TypeVar("Name", bound=str)


class Likeness(Struct, frozen=True, omit_defaults=True):
    """The features of a dispute, or common features of two: clauses, kinds (verdicts), and faces of cards. For a judge,
    clauses and kinds include those of the law's opinion."""

    clauses: tuple[Clause, ...] = ()
    kinds: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()


class Ruling(Struct, frozen=True, kw_only=True):
    """A dispute with the ruling in force, or the last one, as a spectator or a judge may know it. `at` is the time of
    opening. `verb` is the disputed action, or '' if the dispute is not about one."""

    match: str
    dispute: int
    at: int
    viewer: Seat
    law: Law
    version: str
    rules_hash: str
    standing: Standing
    stands: bool
    ruled: D.AnyRuling
    penalties: tuple[SeenPenalty, ...]
    outcome: D.Outcome | None
    like: Likeness
    verb: str


def rulings_in(stream: Iterable[tuple[str, Record]], viewer: Seat) -> Iterator[Ruling]:
    """Yield the rulings of (id, record) pairs, for a judge or a spectator."""
    for match, record in stream:
        yield from rulings_of(record, match, viewer)


def rulings_of(record: Record, match: str, viewer: Seat) -> tuple[Ruling, ...]:
    """Return the rulings of one match. A seat gets a spectator's view: in another match it is a different player."""
    viewer = JUDGE if viewer == JUDGE else SPECTATOR
    return tuple(_rulings(record, match, viewer))


def _rulings(record: Record, match: str, viewer: Seat) -> Iterator[Ruling]:
    opened = record.opening
    for dispute in docket_of(record.entries).disputes.values():
        last = record.entries[dispute.rulings[-1] - 1] if dispute.rulings else None
        ruled = dispute.in_force or last
        if not isinstance(ruled, D.AnyRuling):
            continue
        decided = record.entries[dispute.decision - 1] if dispute.decision else None
        seen = _see_subject(record, viewer, dispute)
        yield Ruling(
            match=match,
            dispute=dispute.number,
            at=record.entries[dispute.number - 1].at,
            viewer=viewer,
            law=record.law,
            version=opened.version,
            rules_hash=opened.rules_hash,
            standing=dispute.standing,
            stands=dispute.in_force is not None,
            ruled=ruled,
            penalties=see_penalties(opened.policy, ruled.penalties),
            outcome=decided.outcome if isinstance(decided, D.Decided) else None,
            like=_make_likeness(record, viewer, dispute, seen),
            verb=seen.action.verb if seen is not None and seen.action is not None else "",
        )


def likeness(record: Record, viewer: Seat, dispute: Dispute) -> Likeness:
    return _make_likeness(record, viewer, dispute, _see_subject(record, viewer, dispute))


def _see_subject(record: Record, viewer: Seat, dispute: Dispute) -> SeenEntry | None:
    about = dispute.matter.entry
    if not about:
        return None
    return seen_entry(record.game, record.eyes(viewer), about, record.entries[about - 1], record.after(about - 1))


def _make_likeness(record: Record, viewer: Seat, dispute: Dispute, seen: SeenEntry | None) -> Likeness:
    clauses, kinds, faces = [dispute.matter.clause], [], []
    for number in (*dispute.rulings, dispute.decision):
        entry = record.entries[number - 1] if number else None
        if isinstance(entry, D.Ruled) or (isinstance(entry, D.Decided) and entry.outcome == "overturned"):
            kinds.append(f"{entry.verdict}")
            clauses += entry.clauses
            if viewer == JUDGE:
                kinds.append(entry.opinion.finding)
                clauses += entry.opinion.clauses
    if seen is not None:
        clauses += seen.violations
        slots = seen.action.slots if seen.action is not None else ()
        faces += [card.face for slot in slots for card in (*slot.cards, *chain.from_iterable(slot.pairs))]
    return Likeness(_once(clauses), _once(kinds), _once(faces))


def _once(named: Iterable[Name | None]) -> tuple[Name, ...]:
    return tuple(dict.fromkeys(name for name in named if name))
