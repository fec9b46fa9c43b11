"""Actions that leave out a value which they need, such as a target, and the lines that add it.

Only the viewer's own table and the faces that the viewer named are consulted, so that nothing hidden is disclosed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import given_slots, write_action, write_slots
from domain.formats.errors import FormatError
from domain.formats.names import SOME_CARD
from domain.formats.sentences import to_notation
from domain.formats.typed import TypedAction
from domain.formats.typed_squares import parse_shown
from domain.judging.allowed import CHECKED_MAX, ORDERS_CHECKED_MAX
from domain.judging.trails import certain_steps
from domain.law.clause import ClauseCheck, Missing
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.record import Record
from domain.law.slots import Action, NamedSlot, SlotKind, cards_of, misplaced_cards, slots
from domain.law.unseen import NO_FACES, Faces, with_faces
from domain.table.redact import TableViewer
from domain.table.table import Seat, Table

CANDIDATES_MAX = 24
"""Maximum lines that complete an action."""
GROWING: tuple[SlotKind, ...] = ("cards", "frames", "order")
"""Kinds of slots that may name too few things."""


class IncompleteAction(Struct, frozen=True):
    """The slots that an action leaves empty, or names too few things for. `candidates` are lines that complete it and
    are allowed as far as the viewer knows. `can_stand`: it can be recorded as played without them."""

    missing: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    can_stand: bool = True


COMPLETE = IncompleteAction()


def find_incomplete(
    record: Record, table: Table, text: str, eyes: TableViewer, typed: TypedAction, shown: Faces = NO_FACES
) -> IncompleteAction:
    """Return what a typed action lacks; `COMPLETE` if nothing, or if the viewer does not know that it is illegal.

    `shown` are faces that the viewer named apart from the text. The candidates do not repeat them.
    """
    actor, action = typed.actor, typed.action
    if not slots(type(action)):
        return COMPLETE
    written_faces, shown_faces = (
        {card: face for card, face in faces.items() if face in record.game.faces()} for faces in (typed.faces, shown)
    )
    named = with_faces(eyes.without_hidden_faces(table), written_faces)
    known = with_faces(named, shown_faces)
    certain = [step for step in certain_steps(record.law, known, actor, action) if step.holds is False]
    broken = (*certain, *_list_empty_slots(record.law, known, actor, action))
    if not broken:
        return COMPLETE
    with suppress(FormatError):
        text = to_notation(record, table, text, eyes, actor)
    text = text if text.startswith(f"{actor}:") else f"{actor}: {text}"
    try:
        given = given_slots(type(action), text)
    except FormatError:
        return COMPLETE
    missing = {about.slot for step in broken for about in step.about if isinstance(about, Missing)} - given
    candidates: dict[str, None] = {}
    for completed in chain(
        _list_completions(record, known, typed, given), _name_seats(record.law, known, typed, broken)
    ):
        changed = {each for each in action.__struct_fields__ if getattr(action, each) != getattr(completed, each)}
        written = write_slots(record.game, named, actor, completed, schema=record.opening.schema)
        longer = " ".join((text, *(f"{slot}={written[slot]}" for slot in written if slot in changed - given)))
        whole = write_action(record.game, named, actor, completed, schema=record.opening.schema)
        lines = (whole, _write_unseen(whole, named, completed), longer)
        for line in lines[::-1] if shown else lines:
            if _means(record, table, line, eyes, replace(typed, action=completed)):
                candidates[line] = None
                missing |= changed
                break
        if len(candidates) == CANDIDATES_MAX:
            break
    lacking = tuple(each for each in action.__struct_fields__ if each in missing)
    is_physical = any(record.game.rulebook.clauses[step.clause].kind == "physical" for step in broken)
    can_stand = actor in known.seats and not is_physical and not misplaced_cards(known, actor, action)
    return IncompleteAction(lacking, tuple(candidates), can_stand)


def _write_unseen(line: str, known: Table, action: Action) -> str:
    """Return the line with `?` instead of the numbers of cards of unknown face."""
    unseen = {f"u{known.pieces[card].thing}" for card in cards_of(action) if known.pieces[card].face is None}
    return re.sub(r"\bu\d+\b", lambda number: SOME_CARD if number[0] in unseen else number[0], line)


def _list_empty_slots(law: Law, known: Table, actor: Seat, action: Action) -> Iterator[ClauseCheck]:
    """Yield the steps that fail because a slot is empty, also after an unknown face was read."""
    for clause, holds, *about in law.checks(known, actor, action):
        if holds is False and any(isinstance(each, Missing) for each in about):
            yield ClauseCheck(clause, False, tuple(about))


def _list_completions(record: Record, known: Table, typed: TypedAction, given: frozenset[str]) -> Iterator[Action]:
    """Yield the actions that only add values to the action and are allowed as far as the viewer knows."""
    for template in record.law.offers(known, typed.actor):
        if template.action is not type(typed.action):
            continue
        checked_max = ORDERS_CHECKED_MAX if template.orders_many else CHECKED_MAX
        for completed in islice(_narrow(template, typed.action, given).expansions(), checked_max):
            if _completes(completed, typed.action, given) and _may_be_allowed(
                record.law, known, typed.actor, completed
            ):
                yield completed


def _name_seats(law: Law, known: Table, typed: TypedAction, broken: Sequence[ClauseCheck]) -> Iterator[Action]:
    """Yield the action with each seat that it may need. The law offers none of them for a card of unknown face."""
    lacking = {about.slot: step.clause for step in broken for about in step.about if isinstance(about, Missing)}
    for named in slots(type(typed.action)):
        if named.slot.kind == "seat" and named.name in lacking:
            for seat in known.seats:
                completed = replace(typed.action, **{named.name: seat})
                checks = law.checks(known, typed.actor, completed)
                if all(holds is not False or clause not in lacking.values() for clause, holds, *_ in checks):
                    yield completed


def _may_be_allowed(law: Law, known: Table, actor: Seat, action: Action) -> bool:
    """True if no clause refuses the action before the law reads an unknown face."""
    return all(step.holds is not False for step in certain_steps(law, known, actor, action))


def _narrow(template: Template, action: Action, given: frozenset[str]) -> Template:
    """Return the template with the single values that the action gives."""
    choices = tuple(
        replace(each, candidates=tuple(value for value in each.candidates if value == getattr(action, each.slot)))
        if each.slot in given and not each.many
        else each
        for each in template.choices
    )
    return replace(template, choices=choices)


def _completes(completed: Action, action: Action, given: frozenset[str]) -> bool:
    return all(
        _extends(named, getattr(action, named.name), getattr(completed, named.name))
        for named in slots(type(action))
        if named.name in given
    )


def _extends(named: NamedSlot, value: object, longer: object) -> bool:
    """True if a slot's value is kept, or if things are added to a list that is not given as empty."""
    if named.slot.kind not in GROWING or not (isinstance(value, tuple) and value and isinstance(longer, tuple)):
        return value == longer
    return set(value) <= set(longer) if named.slot.kind == "cards" else longer[: len(value)] == value


def _means(record: Record, table: Table, line: str, eyes: TableViewer, typed: TypedAction) -> bool:
    """True if the viewer's line names just this action."""
    try:
        return parse_shown(record, table, line, eyes, typed.actor)[0] == (typed.actor, typed.action)
    except FormatError:
        return False
