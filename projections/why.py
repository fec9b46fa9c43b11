"""Explanations of entries and of refused actions, limited to what the viewer may know."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.judging.trails import (
    ActionExplanation,
    explain_recorded_action,
    hypothetical_notes,
    hypothetical_trail,
    known_table,
    recorded_trail,
)
from domain.law.clause import CitedFacts, Clause, ClauseCheck, Count, EffectRef, FrameRef, Missing, Subject
from domain.law.entries import Played, entry_facts, leading_faces
from domain.law.law import Law
from domain.law.noting import Note, NoteSubject, ValueLayer, sum_layers
from domain.law.record import Record
from domain.law.slots import Action, slots
from domain.table.draft import Draft
from domain.table.redact import LateFace, SeenEffect, TableViewer
from domain.table.table import JUDGE, Obj, Seat, Table, is_same_object
from projections import retrospective_view
from projections.seen_facts import look, see_facts
from projections.thing_history import arrivals


class CheckSubject(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The subject of a check, as a viewer may name it.

    `kind` is card, number, frame, effect, missing, seat or word. `name` is its shortest language-independent name, or
    the empty slot. `face` is that of a card, or of the card that an effect comes from. `since` is the entry at which a
    card arrived at its place, if seen. `later` is the face that the log learned later, for judges.
    """

    kind: str
    name: str
    face: str = ""
    thing: int = 0
    effect: int = 0
    since: int = 0
    later: LateFace | None = None


class Reason(Struct, frozen=True):
    """A clause consulted. `about` omits what the viewer may not know."""

    clause: Clause
    holds: bool | None
    about: tuple[CheckSubject, ...] = ()


class SeenLayer(Struct, frozen=True, omit_defaults=True):
    """One step of a computed number. `sets` is True if it replaces all previous ones."""

    clause: Clause
    n: int
    of: CheckSubject
    sets: bool = False


class ShapingClause(Struct, frozen=True, omit_defaults=True):
    """A clause that shaped the consequences without a fact. For a number: its value and its layers in order."""

    clause: Clause
    about: tuple[CheckSubject, ...] = ()
    value: int | None = None
    layers: tuple[SeenLayer, ...] = ()


class Why(Struct, frozen=True):
    """An explained entry. The trail is not recorded: it is what the law consults today under the record's rules.

    `told` are the recorded facts, which the timeline redacts. `shaped` ends before the first face that
    the law reads and the viewer does not know. It is empty if the law decides differently today.
    """

    entry: int
    trail: tuple[Reason, ...]
    told: CitedFacts
    violations: tuple[Clause, ...]
    recomputed: bool = True
    shaped: tuple[ShapingClause, ...] = ()


class WhyNot(Struct, frozen=True):
    """An action checked against a table. It is allowed if no clause is `failing`. Clauses are in order of checking."""

    at: int
    allowed: bool
    failing: tuple[Reason, ...]
    consulted: tuple[Reason, ...]
    shaped: tuple[ShapingClause, ...] = ()


def why(record: Record, eyes: TableViewer, number: int) -> Why:
    """Explain entry `number` for a viewer. The trail is for the actor and the judge."""
    entry = record.entries[number - 1]
    if not isinstance(entry, Played):
        return Why(number, (), entry_facts(entry), ())
    steps: tuple[Reason, ...] = ()
    if eyes.viewer in (entry.actor, JUDGE):
        steps = reasons(retrospective_view.after(eyes, number - 1), *recorded_trail(record, number))
    before, after = record.after(number - 1), record.after(number)
    noted = list_shaping_clauses(record.law, retrospective_view.within(eyes, number, entry), entry, before, after)
    return Why(number, steps, entry.told, entry.violations, shaped=noted)


def list_consulted_clauses(record: Record, eyes: TableViewer, number: int) -> tuple[Reason, ...]:
    """Return the clauses that the law consults for entry `number`: all of them for the actor and the judge.

    Others get the clauses consulted on the table they know, if they can name the whole action. Raises MsgspecError for
    an action foreign to the game.
    """
    entry = record.entries[number - 1]
    if not isinstance(entry, Played):
        return ()
    if eyes.viewer in (entry.actor, JUDGE):
        then = retrospective_view.after(eyes, number - 1)
        return _add_arrivals(record, eyes, number - 1, reasons(then, *recorded_trail(record, number)))
    action = record.game.decoder().decode(entry.action)
    if not _can_name(record, eyes, number - 1, entry.actor, action):
        return ()
    return why_not(record, eyes, number - 1, entry.actor, action).consulted


def _can_name(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> bool:
    if any(named.slot.secret for named in slots(type(action))):
        return False
    table, schema = known_table(record, eyes, at), record.opening.schema
    try:
        text = write_action(record.game, table, actor, action, schema=schema)
        return parse_action(record.game, table, text, eyes=eyes, schema=schema) == (actor, action)
    except (FormatError, LookupError):
        return False


def list_shaping_clauses(
    law: Law, eyes: TableViewer, entry: Played, before: Table, after: Table
) -> tuple[ShapingClause, ...]:
    """Return the clauses that shaped a recorded action without a fact, as a viewer may know them."""
    shaping = explain_recorded_action(law, eyes, entry, before, after)
    return see_shaping_clauses(eyes, shaping.checked + shaping.notes) if _is_as_recorded(eyes, shaping, entry) else ()


def _is_as_recorded(eyes: TableViewer, shaping: ActionExplanation, entry: Played) -> bool:
    """True if the law today produces the recorded facts, as far as it got and as the viewer sees them."""
    current, recorded = (
        [(fact.clause, fact.fact) for fact in see_facts(eyes, Draft(shaping.before), facts, flow=True)]
        for facts in (shaping.told, entry.told[len(leading_faces(entry.told)) :])
    )
    return current == recorded[: len(current)]


def see_shaping_clauses(eyes: TableViewer, notes: Iterable[Note]) -> tuple[ShapingClause, ...]:
    """Return notes for a viewer, each on the table of its moment."""
    return tuple(
        ShapingClause(
            note.clause,
            tuple(_see_note(eyes, note.table, about) for about in note.about),
            sum_layers(note.layers) if note.layers else None,
            tuple(_layer(eyes, note.table, layer) for layer in note.layers),
        )
        for note in notes
    )


def _layer(eyes: TableViewer, table: Table, layer: ValueLayer) -> SeenLayer:
    return SeenLayer(layer.clause, layer.n, _see_note(eyes, table, layer.of), layer.sets)


def _see_note(eyes: TableViewer, table: Table, about: NoteSubject) -> CheckSubject:
    """Return the subject of a note. A card is named only if the viewer can point at it."""
    match about:
        case Obj() if not is_same_object(table, about):
            return CheckSubject(kind="card", name=f"u{about.thing}", thing=about.thing)
        case int() | Obj():
            seen = look(eyes, table, about.card if isinstance(about, Obj) else about)
            name = f"u{seen.thing} {seen.face or '?'}" if seen.thing else seen.face or "?"
            return CheckSubject(kind="card", name=name, face=seen.face or "", thing=seen.thing, later=seen.later)
        case _:
            return subject(eyes, table, about)


def why_not(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> WhyNot:
    """Check an action on the table after entry `at`, from what the viewer knows of it."""
    then = retrospective_view.after(eyes, at)
    steps = _add_arrivals(record, eyes, at, reasons(then, *hypothetical_trail(record, eyes, at, actor, action)))
    failing = tuple(step for step in steps if not step.holds)
    noted = see_shaping_clauses(then, hypothetical_notes(record.law, known_table(record, eyes, at), actor, action))
    return WhyNot(at, not failing, failing, steps, noted)


def reasons(eyes: TableViewer, table: Table, steps: Iterable[ClauseCheck]) -> tuple[Reason, ...]:
    return tuple(
        Reason(step.clause, step.holds, tuple(subject(eyes, table, about) for about in step.about)) for step in steps
    )


def _add_arrivals(record: Record, eyes: TableViewer, at: int, steps: Sequence[Reason]) -> tuple[Reason, ...]:
    things = {about.thing for step in steps for about in step.about if about.thing}
    since = arrivals(record, eyes, at, things) if things else {}
    return tuple(
        replace(step, about=tuple(replace(about, since=since.get(about.thing, 0)) for about in step.about))
        for step in steps
    )


def subject(eyes: TableViewer, table: Table, about: Subject) -> CheckSubject:
    match about:
        case Count(n):
            return CheckSubject(kind="number", name=str(n))
        case FrameRef(frame):
            return CheckSubject(kind="frame", name=f"r{frame}")
        case EffectRef(effect):
            found = next((ongoing for ongoing in table.effects if ongoing.id == effect), None)
            face = "" if found is None else _effect_face(eyes.effect(table, found))
            return CheckSubject(kind="effect", name=str(effect), face=face, effect=effect)
        case Missing(slot):
            return CheckSubject(kind="missing", name=slot)
        case int():
            if about not in table.pieces:
                return CheckSubject(kind="card", name="?")
            seen = eyes.card(table, about)
            face = (seen.face or "") if eyes.knows(table, about) else ""
            name = f"u{seen.thing} {face or '?'}" if seen.thing else face or "?"
            return CheckSubject(kind="card", name=name, face=face, thing=seen.thing, later=seen.later)
        case _:
            return CheckSubject(kind="seat" if about in table.seats else "word", name=str(about))


def _effect_face(seen: SeenEffect) -> str:
    return seen.face or seen.source.face or ""
