"""Why an entry is as it is, and why an action is not allowed: never more than the asker may know."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.trails import asked_trail, recorded_trail
from domain.law.clause import Clause, Consulted, Count, EffectRef, FrameRef, Missing, Subject, Told
from domain.law.entries import Played, told
from domain.law.record import Record
from domain.law.slots import Action
from domain.table.redact import Eyes, SeenEffect
from domain.table.table import JUDGE, Seat, Table
from projections.when import arrivals


class About(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a check was about, as a viewer may name it.

    `kind` is card, number, frame, effect, missing, seat or word; `name` the shortest text that names it in every
    language, of what is missing the empty slot. `face` is a card's, or of an effect the card whose words it comes from;
    `since` the entry since which a card lies where it lies, where that was asked for and seen.
    """

    kind: str
    name: str
    face: str = ""
    thing: int = 0
    effect: int = 0
    since: int = 0


class Reason(Struct, frozen=True):
    """One clause consulted, as a viewer may know it: of `about` nothing that would tell too much."""

    clause: Clause
    holds: bool | None
    about: tuple[About, ...] = ()


class Why(Struct, frozen=True):
    """An entry explained. The trail is not recorded: it is what the law says today under the rules of the record.

    `told` are the recorded facts; who may see them is for the timeline's redaction.
    """

    entry: int
    trail: tuple[Reason, ...]
    told: Told
    violations: tuple[Clause, ...]
    recomputed: bool = True


class WhyNot(Struct, frozen=True):
    """An action held against a table: allowed if nothing is `failing`, all failing clauses in the order of checking."""

    at: int
    allowed: bool
    failing: tuple[Reason, ...]
    consulted: tuple[Reason, ...]


def why(record: Record, eyes: Eyes, number: int) -> Why:
    """Explain entry `number` for a viewer. The trail goes to the one who acted and to the judge."""
    entry = record.entries[number - 1]
    steps: tuple[Reason, ...] = ()
    if isinstance(entry, Played) and eyes.viewer in (entry.actor, JUDGE):
        steps = reasons(eyes, *recorded_trail(record, number))
    violations = entry.violations if isinstance(entry, Played) else ()
    return Why(number, steps, told(entry), violations)


def why_not(record: Record, eyes: Eyes, at: int, actor: Seat, action: Action) -> WhyNot:
    """Hold an action against the table after entry `at`, from what the viewer knows of it and nothing else."""
    steps = reasons(eyes, *asked_trail(record, eyes, at, actor, action))
    things = {about.thing for step in steps for about in step.about if about.thing}
    steps = _dated(steps, arrivals(record, eyes, at, things) if things else {})
    failing = tuple(step for step in steps if not step.holds)
    return WhyNot(at, not failing, failing, steps)


def reasons(eyes: Eyes, table: Table, steps: Iterable[Consulted]) -> tuple[Reason, ...]:
    """Clauses consulted, in words for a viewer."""
    return tuple(
        Reason(step.clause, step.holds, tuple(subject(eyes, table, about) for about in step.about)) for step in steps
    )


def _dated(steps: Sequence[Reason], since: Mapping[int, int]) -> tuple[Reason, ...]:
    return tuple(
        replace(step, about=tuple(replace(about, since=since.get(about.thing, 0)) for about in step.about))
        for step in steps
    )


def subject(eyes: Eyes, table: Table, about: Subject) -> About:
    """What a check was about, as a viewer may name it."""
    match about:
        case Count(n):
            return About(kind="number", name=str(n))
        case FrameRef(frame):
            return About(kind="frame", name=f"r{frame}")
        case EffectRef(effect):
            standing = next((ongoing for ongoing in table.effects if ongoing.id == effect), None)
            face = "" if standing is None else _effect_face(eyes.effect(table, standing))
            return About(kind="effect", name=str(effect), face=face, effect=effect)
        case Missing(slot):
            return About(kind="missing", name=slot)
        case int():
            if about not in table.pieces:
                return About(kind="card", name="?")
            seen = eyes.card(table, about)
            face = (seen.face or "") if eyes.knows(table, about) else ""
            name = f"u{seen.thing} {face or '?'}" if seen.thing else face or "?"
            return About(kind="card", name=name, face=face, thing=seen.thing)
        case _:
            return About(kind="seat" if about in table.seats else "word", name=str(about))


def _effect_face(seen: SeenEffect) -> str:
    return seen.face or seen.source.face or ""
