"""Decide if a typed square means the place or the piece on it, where an action has a slot for each. The law's offers on
the typist's own table decide, so that the answer discloses no hidden cards."""

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from domain.formats.actions import parse_line
from domain.formats.errors import FormatError, quote_input
from domain.formats.names import RealCards
from domain.formats.places import PlaceNames
from domain.law.offers import Template
from domain.law.record import Record
from domain.law.slots import CARD_KINDS, Action, NamedSlot, slots
from domain.law.unseen import has_unknown_faces, with_faces
from domain.table.redact import TableViewer
from domain.table.table import CardId, Seat, Table
from domain.words import Text, listed


class Typist(Struct, frozen=True):
    """The seat that types a line, with the match and what the seat sees of it."""

    record: Record
    table: Table
    eyes: TableViewer
    actor: Seat


def square_slot(typist: Typist, line: str, square: str, free: Sequence[NamedSlot]) -> NamedSlot:
    """Return the slot that a square means after a line in notation; the first free slot if no other takes it. Raises
    FormatError if both the square and the piece on it are possible."""
    first, place = free[0], next((named for named in free if named.slot.kind == "place"), None)
    if place is None or first.slot.kind not in CARD_KINDS or not _is_square(typist.record, square):
        return first
    ways = {first: f"{line} {first.name}={square}", place: f"{line} {place.name}={square}"}
    read = {named: _offers(typist, way) for named, way in ways.items()}
    exact = [named for named, (action, offers) in read.items() if any(_fits(each, action) for each in offers)]
    if len(exact) == 1:
        return exact[0]
    partial_action, offers = _offers(typist, line)
    fitting = [each for each in offers if _fits(each, partial_action)]
    asked = [named for named in ways if any(named.name in _list_filled_slots(each) for each in fitting)]
    if not exact and len(asked) == 1:
        return asked[0]
    ways_text = listed(f"{named.name}={square}" for named in ways)
    raise FormatError(Text("typed.square_or_piece", {"square": quote_input(square), "ways": ways_text}))


def parse_shown(
    record: Record, table: Table, line: str, eyes: TableViewer, actor: Seat | None
) -> tuple[tuple[Seat, Action], dict[CardId, str | None]]:
    """Parse an action on a viewer's own table, with the faces that it gives to unknown cards."""
    faces: dict[CardId, str | None] = {}
    return parse_line(record, table, line, actor, eyes, name_cards(record, table, eyes, faces)), faces


def name_cards(record: Record, table: Table, eyes: TableViewer, faces: dict[CardId, str | None]) -> RealCards:
    """Return the names for cards that the log or the viewer does not know; `faces` collects the faces given."""
    offered = _offered_cards(record, eyes.without_hidden_faces(table))
    logged = frozenset(card for card, piece in table.pieces.items() if piece.face is not None)
    return RealCards(eyes.physics, faces, not has_unknown_faces(table), offered, logged)


def _offered_cards(record: Record, table: Table) -> frozenset[CardId]:
    asked = {question.by for question in table.asked if question.by in table.seats}
    return frozenset(
        card
        for seat in asked
        for template in record.law.offers(table, seat)
        for choice in template.choices
        if choice.slot in _card_slots(template.action)
        for card in choice.candidates
    )


@cache
def _card_slots(action: type[Action]) -> frozenset[str]:
    return frozenset(named.name for named in slots(action) if named.slot.kind in (*CARD_KINDS, "order"))


def _is_square(record: Record, text: str) -> bool:
    try:
        return bool(PlaceNames(record.game.display, record.opening.schema).find(text))
    except FormatError:  # a square off the board, or a face that looks like one
        return False


def _offers(typist: Typist, line: str) -> tuple[Action | None, tuple[Template, ...]]:
    """Return the action that a line means on the typist's table, and the law's offers of its verb with those faces."""
    record, eyes, actor = typist.record, typist.eyes, typist.actor
    try:
        (_, action), faces = parse_shown(record, typist.table, line, eyes, actor)
    except FormatError:
        return None, ()
    supposed = with_faces(
        eyes.without_hidden_faces(typist.table),
        {card: face for card, face in faces.items() if face in record.game.faces()},
    )
    return action, tuple(each for each in record.law.offers(supposed, actor) if each.action is type(action))


def _list_filled_slots(template: Template) -> set[str]:
    return {name for name, value in template.fixed if value} | {choice.slot for choice in template.choices}


def _fits(template: Template, action: Action | None) -> bool:
    return action is not None and all(
        _is_offered(template, named.name, value)
        for named in slots(type(action))
        if (value := getattr(action, named.name)) != named.default
    )


def _is_offered(template: Template, slot: str, value: object) -> bool:
    fixed: Mapping[str, object] = dict(template.fixed)
    if slot in fixed:
        return fixed[slot] == value
    choice = next((choice for choice in template.choices if choice.slot == slot), None)
    if choice is None:
        return False
    return set(value) <= set(choice.candidates) if isinstance(value, tuple) else value in choice.candidates
