"""Verbs that a seat may have because of hidden hand cards. The law offers actions from the cards it sees. Here each
face that a hidden hand can hold is tried, so that the answer reveals nothing about the actual cards."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import Final

from domain.law.asking import StrictLiveTable
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.outcome import UnknownFaceError
from domain.law.slots import CARD_KINDS, Action, slots, verb
from domain.law.unseen import with_faces
from domain.table.physics import Physics
from domain.table.table import CardId, Seat, Table, seat_of, zone

ACTIONS_MAX: Final = 200


def possible_verbs(law: Law, table: Table, seat: Seat, templates: Iterable[Template]) -> tuple[str, ...]:
    """Return the verbs of the templates that some hidden cards may still allow.

    The hidden cards have no faces on `table`. A template of more than `ACTIONS_MAX` actions counts as possible.
    """
    return tuple(dict.fromkeys(each.verb for each in templates if _is_possible(law, table, seat, each)))


def _is_possible(law: Law, table: Table, seat: Seat, template: Template) -> bool:
    actions = islice(template.expansions(), ACTIONS_MAX + 1)
    return any(
        number > ACTIONS_MAX or not is_refused(law, table, seat, action) for number, action in enumerate(actions, 1)
    )


def possible_values(law: Law, table: Table, seat: Seat, templates: Iterable[Template]) -> frozenset[tuple[str, object]]:
    """Return the slots and values of the actions that some hidden cards may still allow, several values one by one.

    The hidden cards have no faces on `table`. All values of a template of more than `ACTIONS_MAX` actions are possible.
    """
    return frozenset(pair for each in templates for pair in _list_possible(law, table, seat, each))


def _list_possible(law: Law, table: Table, seat: Seat, template: Template) -> Iterator[tuple[str, object]]:
    actions = tuple(islice(template.expansions(), ACTIONS_MAX + 1))
    if len(actions) > ACTIONS_MAX:
        yield from template.fixed
        yield from ((choice.slot, value) for choice in template.choices for value in choice.candidates)
        return
    for action in actions:
        if not is_refused(law, table, seat, action):
            for named in slots(type(action)):
                value = getattr(action, named.name)
                yield named.name, value
                yield from ((named.name, each) for each in (value if type(value) is tuple else ()))


def is_refused(law: Law, table: Table, seat: Seat, action: Action) -> bool:
    """True if a clause refuses the action before an unknown face is read."""
    with suppress(UnknownFaceError):
        return any(holds is False for _, holds, *_ in law.checks(StrictLiveTable(table), seat, action))
    return False


def hand_verbs(
    law: Law, physics: Physics, table: Table, seat: Seat, faces: Iterable[str], known: Collection[str]
) -> tuple[str, ...]:
    """Return the verbs, beyond those `known`, that the law offers if a hidden hand holds one of these faces. A verb
    that a clause refuses without reading the hand is left out. `table` must have no faces for the hidden cards."""
    unseen = [card for card in table.pieces if _is_hidden(physics, table, card, seat)]
    areas = {zone(table.pieces[card].place) for card in unseen}
    wanted = {verb(kind) for kind in law.game.action_types if _names_cards_of(kind, areas)} - set(known)
    verbs: dict[str, None] = {}
    is_possible = cache(partial(_is_possible, law, table, seat))
    for face in faces if unseen else ():
        if not wanted:
            break
        supposed = with_faces(table, dict.fromkeys(unseen, face))
        offered = (template for template in law.offers(supposed, seat) if template.verb in wanted)
        names = dict.fromkeys(template.verb for template in offered if is_possible(template))
        verbs |= names
        wanted -= names.keys()
    return tuple(verbs)


def verbs_with_hidden_cards(
    law: Law, physics: Physics, table: Table, seat: Seat, templates: Iterable[Template]
) -> frozenset[str]:
    """Return the verbs of the templates that may be done with a card of the seat's hidden hand. `table` must have no
    faces for the hidden cards."""
    unseen = {card for card in table.pieces if _is_hidden(physics, table, card, seat)}
    return frozenset(
        template.verb
        for template in templates
        if unseen
        and any(
            _names_any(action, unseen) and not is_refused(law, table, seat, action)
            for action in islice(template.expansions(), ACTIONS_MAX)
        )
    )


def _names_any(action: Action, cards: Collection[CardId]) -> bool:
    for named in slots(type(action)):
        value = getattr(action, named.name)
        values = value if type(value) is tuple else (value,)
        if named.slot.kind in CARD_KINDS and any(card in cards for card in values):
            return True
    return False


def _is_hidden(physics: Physics, table: Table, card: CardId, seat: Seat) -> bool:
    piece = table.pieces[card]
    area = physics.area(piece.place)
    return area is not None and area.is_hand and piece.face is None and seat_of(piece.place) == seat


def _names_cards_of(kind: type[Action], areas: set[str]) -> bool:
    return any(each.slot.kind in CARD_KINDS and areas & set(each.slot.areas) for each in slots(kind))
