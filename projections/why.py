"""Why an entry is as it is, and why an action is not allowed: never more than the asker may know."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.judging.trails import (
    ActionExplanation,
    asked_notes,
    asked_table,
    asked_trail,
    explain_recorded_action,
    recorded_trail,
)
from domain.law.clause import Clause, Consulted, Count, EffectRef, FrameRef, Missing, Subject, Told
from domain.law.entries import Played, entry_facts, seen_before
from domain.law.law import Law
from domain.law.noting import Note, Noted, ValueLayer, total
from domain.law.record import Record
from domain.law.slots import Action, slots
from domain.table.draft import Draft
from domain.table.redact import LateFace, SeenEffect, TableViewer
from domain.table.table import JUDGE, Obj, Seat, Table, same
from projections import retrospective_view
from projections.seen_facts import look, see_facts
from projections.when import arrivals


class CheckSubject(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a check was about, as a viewer may name it.

    `kind` is card, number, frame, effect, missing, seat or word; `name` the shortest text that names it in every
    language, of what is missing the empty slot. `face` is a card's, or of an effect the card whose words it comes from;
    `since` the entry since which a card lies where it lies, where that was asked for and seen; `later` what the log
    learned of one that was unknown then, for a judge.
    """

    kind: str
    name: str
    face: str = ""
    thing: int = 0
    effect: int = 0
    since: int = 0
    later: LateFace | None = None


class Reason(Struct, frozen=True):
    """One clause consulted, as a viewer may know it: of `about` nothing that would tell too much."""

    clause: Clause
    holds: bool | None
    about: tuple[CheckSubject, ...] = ()


class SeenLayer(Struct, frozen=True, omit_defaults=True):
    """One step of a number as a viewer may know it. `sets`: it stands in the place of all before it."""

    clause: Clause
    n: int
    of: CheckSubject
    sets: bool = False


class Shaped(Struct, frozen=True, omit_defaults=True):
    """A clause that shaped what followed and told nothing. Of a number: what it comes to, and its layers in order."""

    clause: Clause
    about: tuple[CheckSubject, ...] = ()
    value: int | None = None
    layers: tuple[SeenLayer, ...] = ()


class Why(Struct, frozen=True):
    """An entry explained. The trail is not recorded: it is what the law says today under the rules of the record.

    `told` are the recorded facts; who may see them is for the timeline's redaction. `shaped` is what tells nothing: no
    clause where the law would tell something else today, and none from the first face on that the viewer does not know
    and the law reads.
    """

    entry: int
    trail: tuple[Reason, ...]
    told: Told
    violations: tuple[Clause, ...]
    recomputed: bool = True
    shaped: tuple[Shaped, ...] = ()


class WhyNot(Struct, frozen=True):
    """An action held against a table: allowed if nothing is `failing`, all failing clauses in the order of checking."""

    at: int
    allowed: bool
    failing: tuple[Reason, ...]
    consulted: tuple[Reason, ...]
    shaped: tuple[Shaped, ...] = ()


def why(record: Record, eyes: TableViewer, number: int) -> Why:
    """Explain entry `number` for a viewer. The trail goes to the one who acted and to the judge."""
    entry = record.entries[number - 1]
    if not isinstance(entry, Played):
        return Why(number, (), entry_facts(entry), ())
    steps: tuple[Reason, ...] = ()
    if eyes.viewer in (entry.actor, JUDGE):
        steps = reasons(retrospective_view.after(eyes, number - 1), *recorded_trail(record, number))
    before, after = record.after(number - 1), record.after(number)
    noted = shaping_of(record.law, retrospective_view.within(eyes, number, entry), entry, before, after)
    return Why(number, steps, entry.told, entry.violations, shaped=noted)


def looked_at(record: Record, eyes: TableViewer, number: int) -> tuple[Reason, ...]:
    """What the law looks at for entry `number`: all of it for the one who acted and for the judge.

    Anybody else is told what they could ask themselves: what it looks at on the table they know, if they can name all
    that was done. Raises MsgspecError for an action that is none of the game.
    """
    entry = record.entries[number - 1]
    if not isinstance(entry, Played):
        return ()
    if eyes.viewer in (entry.actor, JUDGE):
        then = retrospective_view.after(eyes, number - 1)
        return _since(record, eyes, number - 1, reasons(then, *recorded_trail(record, number)))
    action = record.game.decoder().decode(entry.action)
    if not _can_name(record, eyes, number - 1, entry.actor, action):
        return ()
    return why_not(record, eyes, number - 1, entry.actor, action).consulted


def _can_name(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> bool:
    """Can a viewer say this very action, from what they know of the table after an entry?"""
    if any(named.slot.secret for named in slots(type(action))):
        return False
    table, schema = asked_table(record, eyes, at), record.opening.schema
    try:
        text = write_action(record.game, table, actor, action, schema=schema)
        return parse_action(record.game, table, text, eyes=eyes, schema=schema) == (actor, action)
    except (FormatError, LookupError):
        return False


def shaping_of(law: Law, eyes: TableViewer, entry: Played, before: Table, after: Table) -> tuple[Shaped, ...]:
    """The clauses that shaped a recorded action and told nothing, as a viewer may know them."""
    shaping = explain_recorded_action(law, eyes, entry, before, after)
    return shaped(eyes, shaping.checked + shaping.notes) if _as_recorded(eyes, shaping, entry) else ()


def _as_recorded(eyes: TableViewer, shaping: ActionExplanation, entry: Played) -> bool:
    """Would the law tell today what was recorded, as far as it got and as far as the viewer sees facts happen?"""
    ours, recorded = (
        [(fact.clause, fact.fact) for fact in see_facts(eyes, Draft(shaping.before), facts, flow=True)]
        for facts in (shaping.told, entry.told[len(seen_before(entry.told)) :])
    )
    return ours == recorded[: len(ours)]


def shaped(eyes: TableViewer, notes: Iterable[Note]) -> tuple[Shaped, ...]:
    """Clauses noted, in words for a viewer, each on the table of its moment."""
    return tuple(
        Shaped(
            note.clause,
            tuple(_noted(eyes, note.table, about) for about in note.about),
            total(note.layers) if note.layers else None,
            tuple(_layer(eyes, note.table, layer) for layer in note.layers),
        )
        for note in notes
    )


def _layer(eyes: TableViewer, table: Table, layer: ValueLayer) -> SeenLayer:
    return SeenLayer(layer.clause, layer.n, _noted(eyes, table, layer.of), layer.sets)


def _noted(eyes: TableViewer, table: Table, about: Noted) -> CheckSubject:
    """What a note is about: a card only if the viewer can point at it, for naming it says which one it was."""
    match about:
        case Obj() if not same(table, about):
            return CheckSubject(kind="card", name=f"u{about.thing}", thing=about.thing)
        case int() | Obj():
            seen = look(eyes, table, about.card if isinstance(about, Obj) else about)
            name = f"u{seen.thing} {seen.face or '?'}" if seen.thing else seen.face or "?"
            return CheckSubject(kind="card", name=name, face=seen.face or "", thing=seen.thing, later=seen.later)
        case _:
            return subject(eyes, table, about)


def why_not(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> WhyNot:
    """Hold an action against the table after entry `at`, from what the viewer knows of it and nothing else."""
    then = retrospective_view.after(eyes, at)
    steps = _since(record, eyes, at, reasons(then, *asked_trail(record, eyes, at, actor, action)))
    failing = tuple(step for step in steps if not step.holds)
    noted = shaped(then, asked_notes(record.law, asked_table(record, eyes, at), actor, action))
    return WhyNot(at, not failing, failing, steps, noted)


def reasons(eyes: TableViewer, table: Table, steps: Iterable[Consulted]) -> tuple[Reason, ...]:
    """Clauses consulted, in words for a viewer."""
    return tuple(
        Reason(step.clause, step.holds, tuple(subject(eyes, table, about) for about in step.about)) for step in steps
    )


def _since(record: Record, eyes: TableViewer, at: int, steps: Sequence[Reason]) -> tuple[Reason, ...]:
    """The same with what is known of since when things lie where they lie after an entry."""
    things = {about.thing for step in steps for about in step.about if about.thing}
    since = arrivals(record, eyes, at, things) if things else {}
    return tuple(
        replace(step, about=tuple(replace(about, since=since.get(about.thing, 0)) for about in step.about))
        for step in steps
    )


def subject(eyes: TableViewer, table: Table, about: Subject) -> CheckSubject:
    """What a check was about, as a viewer may name it."""
    match about:
        case Count(n):
            return CheckSubject(kind="number", name=str(n))
        case FrameRef(frame):
            return CheckSubject(kind="frame", name=f"r{frame}")
        case EffectRef(effect):
            standing = next((ongoing for ongoing in table.effects if ongoing.id == effect), None)
            face = "" if standing is None else _effect_face(eyes.effect(table, standing))
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
