"""A verdict for one viewer: both sides with facts and clauses, and the differences of the tables.

The rejudged side never happened, so its open cards may be hidden in the match. A viewer sees only faces that the record
showed to that viewer. Entry and clause are public; the subject of a refusal is for the actor and the judge.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.verdict import AlignedHow, EntryDifference, Verdict, VerdictKind
from domain.law.clause import CitedFact, CitedFacts, Clause
from domain.law.entries import Entry, Played, entry_facts as told_of, line, tables
from domain.law.law import Law
from domain.law.pools import face_of
from domain.law.record import Record
from domain.law.slots import verb
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, LANES, CardId, Effect, Frame, Piece, Result, Seat, Table, lane
from projections.corrections import list_gaps
from projections.differences import Differences, differences as differing
from projections.findings import Sentence, say_entry, sentence
from projections.seen_entries import seen_entry
from projections.seen_facts import SeenFact, see_fact
from projections.why import Reason, reasons

Label = Literal["recorded", "rejudged"]
Faces = Mapping[CardId, str | None]
"""Printed faces of the cards that a viewer knows."""

STOPPED: tuple[VerdictKind, ...] = ("illegal", "undecided")
"""Classes in which the rejudged match stops, so that its end is unknown."""


class Cited(Struct, frozen=True):
    """A clause of one side, with the numbers in force there."""

    clause: Clause
    en: str
    ja: str


class Side(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The facts of one side only at the first difference, with their clauses, and the end of that side."""

    label: Label
    facts: tuple[SeenFact, ...] = ()
    clauses: tuple[Cited, ...] = ()
    result: Result | None = None
    at: int = 0
    """The recorded entry at the end of this side."""


class Alignment(Struct, frozen=True):
    """An alignment of both sides. The values of its action are omitted, because only some viewers may see them."""

    entry: int
    how: AlignedHow
    actor: Seat
    verb: str


class SeenVerdict(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A verdict for one viewer. `trail`, the clauses consulted by the refusal, is for the actor and the judge."""

    viewer: Seat
    kind: VerdictKind
    entry: int = 0
    clause: Clause = Clause("")
    sentence: Sentence = Sentence("", "")
    why: str = ""
    what: Sentence | None = None
    """The action of that entry in words."""
    trail: tuple[Reason, ...] = ()
    first: int = 0
    """The first entry that differs; 0 if none does."""
    first_what: Sentence | None = None
    recorded: Side
    rejudged: Side
    differences: Differences | None = None
    outcome_changes: bool = False
    aligned: tuple[Alignment, ...] = ()
    causes: tuple[Cause, ...] = ()
    gaps: tuple[int, ...] = ()
    """Entries on the way with missing actions, which are not judged."""


def deciding_clause(entries: Sequence[Entry], verdict: Verdict) -> Clause:
    """Return the clause that a verdict is counted under, or '' if none applies. It is the refusing clause, or the first
    clause of a differing fact, or that of a dropped choice."""
    first = () if verdict.first is None else (*verdict.first.rejudged, *verdict.first.recorded)
    dropped_facts = (telling for aligned in verdict.aligned for telling in told_of(entries[aligned.entry - 1]))
    return verdict.clause or next((clause for clause, _ in chain(first, dropped_facts) if clause), Clause(""))


def seen_verdict(
    record: Record, eyes: TableViewer, law: Law, verdict: Verdict, causes: tuple[Cause, ...] = ()
) -> SeenVerdict:
    """Return a verdict as one viewer may know it. `law` is the one that the record was rejudged under."""
    entries, viewer = record.entries, eyes.viewer
    clause = deciding_clause(entries, verdict)
    first, last = verdict.first, line(entries)[-1]
    upto = verdict.entry or last
    before = first.before if first is not None and first.entry == verdict.entry else _before(record, verdict.entry)
    recorded_facts = () if first is None else _list_recorded_facts(eyes, entries[first.entry - 1], first)
    rejudged_facts = () if first is None else _list_rejudged_facts(eyes, first)
    return SeenVerdict(
        viewer=viewer,
        kind=verdict.kind,
        entry=verdict.entry,
        clause=clause,
        sentence=sentence(law if sentence(law, clause).en else record.law, clause),
        why=verdict.why,
        what=_describe_entry(record, eyes, verdict.entry, before) if verdict.entry else None,
        trail=_trail(record, eyes, before, verdict),
        first=first.entry if first is not None else 0,
        first_what=_describe_entry(record, eyes, first.entry, first.before) if first is not None else None,
        recorded=_side(record.law, "recorded", recorded_facts, verdict.recorded_result, last),
        rejudged=_side(law, "rejudged", rejudged_facts, verdict.rejudged_result, verdict.rejudged_at),
        differences=None
        if first is None
        else differing(
            eyes, hide_unknown_faces(eyes, first.recorded_table, first.rejudged_table), first.recorded_table
        ),
        outcome_changes=verdict.outcome_changes and verdict.kind not in STOPPED,
        aligned=tuple(Alignment(note.entry, note.how, note.actor, verb(note.action)) for note in verdict.aligned),
        causes=_causes(record, eyes, causes),
        gaps=tuple(number for number in list_gaps(entries) if number <= upto),
    )


def _side(law: Law, label: Label, facts: tuple[SeenFact, ...], result: Result | None, at: int) -> Side:
    cited = dict.fromkeys(fact.clause for fact in facts if fact.clause)
    clauses = tuple(Cited(clause, both.en, both.ja) for clause in cited if (both := sentence(law, clause)).en)
    return Side(label=label, facts=facts, clauses=clauses, result=result, at=at)


def _causes(record: Record, eyes: TableViewer, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, without the names of cards that the viewer never saw in the match."""
    if eyes.viewer == JUDGE or not any(face_of(cause.key) for cause in causes):
        return causes
    faces = {
        table.pieces[card].face for _, _, _, table in tables(record.entries) for card in _list_known_cards(eyes, table)
    }
    hidden = Cause("card", "card")
    return tuple(
        dict.fromkeys(hidden if (face := face_of(cause.key)) and face not in faces else cause for cause in causes)
    )


def _describe_entry(record: Record, eyes: TableViewer, number: int, before: Table) -> Sentence:
    seen = seen_entry(record.game, eyes, number, record.entries[number - 1], before)
    return say_entry(record.game, seen, record.names)


def _before(record: Record, number: int) -> Table:
    return record.after(number - 1)


def _trail(record: Record, eyes: TableViewer, before: Table, verdict: Verdict) -> tuple[Reason, ...]:
    if not verdict.entry or not verdict.trail:
        return ()
    entry = record.entries[verdict.entry - 1]
    if eyes.viewer != JUDGE and not (isinstance(entry, Played) and entry.actor == eyes.viewer):
        return ()
    return reasons(
        eyes, hide_unknown_faces(eyes, before, verdict.table), (step for step in verdict.trail if not step.holds)
    )


# -- what a viewer may know -------------------------------------------------------------------------------------------


def hide_unknown_faces(eyes: TableViewer, recorded: Table, rejudged: Table) -> Table:
    """Return the rejudged table without faces that this viewer does not know on the recorded one."""
    if eyes.viewer == JUDGE:
        return rejudged
    known = _list_known_cards(eyes, recorded)
    faces = {card: recorded.pieces[card].face for card in known}
    frames = {
        name: tuple(
            frame if frame in lane(recorded, name) else _hide_frame_face(frame, faces) for frame in lane(rejudged, name)
        )
        for name in LANES
    }
    effects = tuple(
        effect if effect in recorded.effects else _hide_effect_face(effect, faces) for effect in rejudged.effects
    )
    return rejudged.with_changes(pieces=_hide_faces(rejudged, known), effects=effects, **frames)


def _list_known_cards(eyes: TableViewer, table: Table) -> frozenset[CardId]:
    return frozenset(card for card in table.pieces if eyes.knows(table, card))


def _hide_frame_face(frame: Frame, faces: Faces) -> Frame:
    """Return a frame without its card, unless that very card is known."""
    named = (*(obj.card for obj in frame.objs), *frame.cards)
    known = faces.get(named[0]) == frame.face if named else frame.face in faces.values()
    return frame if known or not frame.face else replace(frame, face="", todo=())


def _hide_effect_face(effect: Effect, faces: Faces) -> Effect:
    known = faces.get(effect.source.card) == effect.face
    return effect if known or not effect.face else replace(effect, face="", path=())


def _list_recorded_facts(eyes: TableViewer, entry: Entry, first: EntryDifference) -> tuple[SeenFact, ...]:
    return _pick_facts(eyes, Draft(first.before), told_of(entry), first.recorded)


def _list_rejudged_facts(eyes: TableViewer, first: EntryDifference) -> tuple[SeenFact, ...]:
    """Return the facts of the new rules only, on the recorded table, without faces that the record hides."""
    before = first.before
    if eyes.viewer == JUDGE:
        return _pick_facts(eyes, Draft(before), first.told, first.rejudged)
    known = _list_known_cards(eyes, first.recorded_table) | _list_known_cards(eyes, before)
    faces = {
        card: table.pieces[card].face for table in (before, first.recorded_table) for card in known & {*table.pieces}
    }

    def hide_unknown(told: CitedFacts) -> CitedFacts:
        return tuple((clause, _hide_fact_faces(fact, known, faces)) for clause, fact in told)

    bare = before.with_changes(pieces=_hide_faces(before, known))
    return _pick_facts(eyes, Draft(bare), hide_unknown(first.told), hide_unknown(first.rejudged))


def _hide_faces(table: Table, known: frozenset[CardId]) -> dict[CardId, Piece]:
    return {card: piece if card in known else replace(piece, face=None) for card, piece in table.pieces.items()}


def _hide_fact_faces(fact: F.AnyFact, known: frozenset[CardId], faces: Faces) -> F.AnyFact:
    """Return a fact without unknown cards; `faces` are those of known cards."""
    match fact:
        case F.Created(cards=cards, faces=printed) | F.Identified(cards=cards, faces=printed):
            shown = (face if card in known else None for card, face in zip(cards, printed, strict=True))
            return replace(fact, faces=tuple(shown))
        case F.Learned(card=card) if card not in known:
            return F.Learned(card, "")
        case F.Pushed(frame=frame):
            return F.Pushed(_hide_frame_face(frame, faces))
        case F.Began(effect=effect):
            return F.Began(_hide_effect_face(effect, faces))
        case _:
            return fact


def _pick_facts(eyes: TableViewer, draft: Draft, told: CitedFacts, only: CitedFacts) -> tuple[SeenFact, ...]:
    """Apply facts in order, and return what the viewer sees of those in `only`."""
    remaining = Counter(map(_key, only))
    seen: list[SeenFact] = []
    for clause, fact in told:
        try:
            sight = see_fact(eyes, draft, clause, fact)
        except (LookupError, ValueError, AssertionError):
            continue  # the fact is impossible on this table
        if remaining[key := _key((clause, fact))] > 0:
            remaining[key] -= 1
            seen += [sight] if sight is not None else []
    return tuple(seen)


def _key(telling: CitedFact) -> bytes:
    return msgspec.msgpack.encode(telling)
