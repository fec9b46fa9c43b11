"""Random actions, legal or not, and a test whether an action is offered."""

from collections.abc import Sequence
from typing import Any, TypeVar

from domain.law.game import Game
from domain.law.offers import RandomBelow, Template, shuffle
from domain.law.slots import Action, Slot, slots
from domain.table.table import CHANCE, JUDGE, LANES, CardId, FrameId, Place, Seat, Table, lane, seat_of, zone

NO_CARD, STRANGER = CardId(0), CardId(999_999)
WORDS = ("", "no such word")
NUMBERS = (-1, 0, 1, 2, 3, 40)
FREE = ("text",)
"""Slot kinds with free text, which templates do not define."""
PATH_MAX = 3
ODDS = 25
"""One card in this many does not exist."""

T = TypeVar("T")


def make_random_action(game: Game, table: Table, below: RandomBelow) -> tuple[Seat, Action]:
    """Return a plausible random action: cards are mostly the actor's, from areas that the slots allow."""
    actor = _choose((*table.seats, *table.seats, *table.seats, CHANCE, JUDGE), below)
    return actor, make_random_action_of(game, table, actor, _choose(game.action_types, below), below)


def make_random_action_of(game: Game, table: Table, actor: Seat, kind: type[Action], below: RandomBelow) -> Action:
    return kind(**{field.name: _random_value(game, table, actor, field.slot, below) for field in slots(kind)})


def _choose(row: Sequence[T], below: RandomBelow) -> T:
    return row[below(len(row))]


def _random_value(game: Game, table: Table, actor: Seat, slot: Slot, below: RandomBelow) -> object:
    frames = [frame.id for name in LANES for frame in lane(table, name)]
    match slot.kind:
        case "card":
            return _random_card(table, actor, slot, below)
        case "cards":
            return tuple(_random_card(table, actor, slot, below) for _ in range(_choose((0, 1, 1, 1, 2, 2, 3), below)))
        case "pairs":
            count = _choose((0, 1, 1, 2), below)
            return tuple(
                (_random_card(table, actor, slot, below), _random_card(table, actor, slot, below)) for _ in range(count)
            )
        case "order":
            return shuffle(table.places.get(_choose(tuple(table.places), below), ()), below)
        case "frame":
            return _choose((*frames, FrameId(0), FrameId(table.framed + 1)), below)
        case "frames":
            return tuple(_choose((*frames, FrameId(0)), below) for _ in range(_choose((0, 1, 2, 2), below)))
        case "seat":
            return _choose((*table.seats, *table.seats, Seat(""), CHANCE), below)
        case "place":
            return _choose((*table.places, Place("nowhere")), below)
        case "places":
            return _random_path(table, below)
        case "word":
            return _choose(slot.words or (*game.other_verbs, *WORDS), below)
        case "flag":
            return bool(below(2))
        case "text":
            return _choose(("", "time"), below)
        case "number":
            return _choose(NUMBERS, below)


def _random_path(table: Table, below: RandomBelow) -> tuple[Place, ...]:
    """Return consecutive places of one area, occasionally followed by an invalid one."""
    begin = _choose(tuple(table.places), below)
    row = [place for place in table.places if zone(place) == zone(begin)]
    at = row.index(begin)
    strange = (Place("nowhere"),) if below(ODDS) == 0 else ()
    return (*row[at : at + below(PATH_MAX + 1)], *strange)


def _random_card(table: Table, actor: Seat, slot: Slot, below: RandomBelow) -> CardId:
    if below(ODDS) == 0:
        return _choose((NO_CARD, STRANGER), below)
    fitting: list[CardId] = []
    for place, cards in table.places.items():
        if (not slot.areas or zone(place) in slot.areas) and (not slot.own or seat_of(place) in (None, actor)):
            fitting += cards
    return _choose(fitting or list(table.pieces) or [NO_CARD], below)


def is_offered(templates: Sequence[Template], table: Table, action: Action) -> bool:
    """True if the action expands one of these templates. A tied card may stand for its unit."""
    units = (lambda card: card), lambda card: (card in table.pieces and table.pieces[card].host) or card
    return any(_expands(template, action, unit_of) for template in templates for unit_of in units)


def _expands(template: Template, action: Action, unit_of: object) -> bool:
    if type(action) is not template.action:
        return False
    left = {field.name: (field.slot, getattr(action, field.name)) for field in slots(type(action))}
    for name, value in template.fixed:
        slot, given = left.pop(name)
        if _map_cards(slot, given, unit_of) != value and given != value:
            return False
    for choice in template.choices:
        slot, given = left.pop(choice.slot)
        value = _map_cards(slot, given, unit_of)
        if not choice.many:
            if value not in choice.candidates:
                return False
        elif choice.once:
            firsts = [pair[0] for pair in value]
            if len(set(firsts)) != len(firsts) or not set(value) <= set(choice.candidates):
                return False
        elif not set(value) <= set(choice.candidates) or not choice.least <= len(value) <= choice.most:
            return False
    fields = [field for field in slots(type(action)) if field.name in left and field.slot.kind not in FREE]
    return all(field.default == getattr(action, field.name) for field in fields)


def _map_cards(slot: Slot, value: Any, unit_of: Any) -> Any:
    match slot.kind:
        case "card":
            return unit_of(value)
        case "cards":
            return tuple(dict.fromkeys(map(unit_of, value)))
        case "pairs":
            return tuple(dict.fromkeys((unit_of(a), unit_of(b)) for a, b in value))
        case _:
            return value
