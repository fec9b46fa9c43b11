"""Queries on the table in the terms of Skillbook."""

from functools import cache
from typing import Final

from domain.games.skillbook import board as B, schema as S, text as T
from domain.games.skillbook.board import SEATS as SEATS
from domain.games.skillbook.cards import PRINTED_ON, work_out
from domain.games.skillbook.rules import Rules
from domain.law.actions import NO_FRAME as NO_FRAME, NO_PLACE as NO_PLACE
from domain.law.asking import face_of
from domain.parts import frames as F
from domain.parts.frames import with_columns as with_columns, with_number as with_number
from domain.parts.grid import squares
from domain.parts.pieces import (
    mark as mark,
    opponent as opponent,
    owner as owner,
    seat_mark as seat_mark,
    seats_in_turn_order as seats_in_turn_order,
    stance as stance,
)
from domain.parts.places import Places, row_of
from domain.parts.squares import Size, Square
from domain.table.table import (
    NO_OBJ as NO_OBJ,
    CardId,
    Frame,
    FrameId,
    Obj,
    Place,
    Seat,
    Table,
    ValueColumns,
    is_same_object,
)

STACK_PLACE: Final = Place(S.STACK)
BOUND_PLACE: Final = Place(S.BOUND)
_UNIT_PREFIX: Final = f"{S.UNIT}:"
_GROUND_PREFIX: Final = f"{S.GROUND}:"


# -- players ----------------------------------------------------------------------------------------------------------


def from_first_player(t: Table) -> tuple[Seat, Seat]:
    first = t.clock.first or SEATS[0]
    return first, opponent(first)


def unit_at(t: Table, square: Square) -> CardId | None:
    cards = t.places.get(B.unit_place(square))
    return cards[0] if cards else None


def terrain_at(t: Table, square: Square) -> CardId | None:
    cards = t.places.get(B.ground_place(square))
    return cards[0] if cards else None


# -- cards and units --------------------------------------------------------------------------------------------------


def printed(rules: Rules, t: Table, card: CardId) -> T.Card:
    """Return the printed card, or a blank one if the log does not know its face."""
    piece = t.pieces.get(card)
    return PRINTED_ON[rules.cards][None if piece is None else piece.face or face_of(t, card)]


def is_unit(t: Table, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and piece.place.startswith(_UNIT_PREFIX)


def is_terrain(t: Table, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and piece.place.startswith(_GROUND_PREFIX)


def is_own_unit(t: Table, seat: Seat, card: CardId) -> bool:
    return is_unit(t, card) and t.pieces[card].owner == seat


_TYPES: Final = work_out(lambda card: card.type)


def kind_of(rules: Rules, t: Table, card: CardId) -> T.CardType:
    kind: T.CardType = _TYPES[rules.cards][t.pieces[card].face or face_of(t, card)]
    return kind


def is_hero(rules: Rules, t: Table, card: CardId) -> bool:
    return kind_of(rules, t, card) == "hero"


def heroes(rules: Rules, t: Table, cards: tuple[CardId, ...]) -> list[CardId]:
    kinds, pieces = _TYPES[rules.cards], t.pieces
    return [card for card in cards if kinds[pieces[card].face or face_of(t, card)] == "hero"]


def is_token(rules: Rules, t: Table, card: CardId) -> bool:
    return kind_of(rules, t, card) == "token"


def square(t: Table, card: CardId) -> Square:
    square_found = B.square_at(t.pieces[card].place)
    assert square_found is not None
    return square_found


def units(rules: Rules, t: Table) -> tuple[CardId, ...]:
    return tuple([cards[0] for cards in filter(None, map(t.places.get, _unit_places(rules.size)))])


@cache
def _unit_places(size: Size) -> tuple[Place, ...]:
    return tuple(B.unit_place(square) for square in squares(size))


def terrains(rules: Rules, t: Table) -> tuple[CardId, ...]:
    return tuple([cards[0] for cards in filter(None, map(t.places.get, _terrain_places(rules.size)))])


@cache
def _terrain_places(size: Size) -> tuple[Place, ...]:
    return tuple(B.ground_place(square) for square in squares(size))


def occupied(rules: Rules, t: Table) -> frozenset[Square]:
    places = t.places
    return frozenset([square for square in B.board(rules.size) if places.get(B.unit_place(square))])


def hero(rules: Rules, t: Table, seat: Seat) -> CardId | None:
    kinds, pieces = _TYPES[rules.cards], t.pieces
    for unit in units(rules, t):
        piece = pieces[unit]
        if piece.owner == seat and kinds[piece.face] == "hero":
            return unit
    return None


def did_this_turn(t: Table, unit: CardId, name: str) -> bool:
    """True if a unit moved, fought or explored this turn, by the name of its mark."""
    return t.clock.turn > 0 and mark(t, unit, name) == t.clock.turn


def hp(rules: Rules, t: Table, unit: CardId) -> int:
    return printed(rules, t, unit).df - mark(t, unit, S.DAMAGE) - mark(t, unit, S.HP_LOST)


def resolve_unit(t: Table, obj: Obj) -> CardId | None:
    """Return the unit if it is still on the board and the same object."""
    return obj.card if is_same_object(t, obj) and is_unit(t, obj.card) else None


def terrain_under(t: Table, unit: CardId) -> CardId | None:
    return terrain_at(t, square(t, unit))


# -- zones ------------------------------------------------------------------------------------------------------------

book: Final = row_of(S.BOOK)
graveyard: Final = row_of(S.GRAVEYARD)
hand: Final = row_of(S.HAND)
table: Final = row_of(S.TABLE)
removed: Final = row_of(S.REMOVED)
drawn: Final = row_of(S.DRAWN)
layout: Final = row_of(S.LAYOUT)
hero_place: Final = row_of(S.HERO)
"""Cards in a zone of a seat. A book starts with its top card, a graveyard ends with it."""
BOOKS: Final = Places(S.BOOK)
_DRAWN_PLACES: Final = tuple(Places(S.DRAWN)[seat] for seat in SEATS)


def has_drawn_cards(t: Table) -> bool:
    """True if a seat still has to place drawn or returned cards."""
    first, second = _DRAWN_PLACES
    return bool(t.places.get(first) or t.places.get(second))


def binds(t: Table) -> tuple[CardId, ...]:
    return t.places.get(BOUND_PLACE, ())


def free_slots(rules: Rules, t: Table, seat: Seat) -> int:
    return rules.table_slots - len(table(t, seat))


def is_in_force(t: Table, card: CardId) -> bool:
    return bool(mark(t, card, S.IN_FORCE))


# -- columns of frames ------------------------------------------------------------------------------------------------


source_of: Final = F.obj_at(0)
unit_of: Final = F.obj_at(0)
attacker_of: Final = F.obj_at(0)
target_of: Final = F.obj_at(1)
subject_of: Final = F.obj_at(1)
"""Unit that the event of a trigger is about."""


targets_of: Final = F.objs_from(1)

trigger_targets: Final = F.objs_from(2)

cost_paid: Final = F.number_at(0)
ability_of_item: Final = F.number_at(2)
ability_of_trigger: Final = F.number_at(1)
place_in_line: Final = F.number_at(0)
spent: Final = F.number_at(0)
speed_declared: Final = F.number_at(1)
kind_of_arrival: Final = F.number_at(0)
explored_now: Final = F.number_at(1)
is_ranged: Final = F.number_at(0)
countered: Final = F.number_at(1)
damage_fixed: Final = F.number_at(2)
counter_damage: Final = F.number_at(3)
target_fell: Final = F.number_at(4)
"""Numbers of a battle: whether it is ranged or countered, the damage of both sides, whether the target fell."""


window_kind: Final = F.word_at(0)
event_of: Final = F.word_at(0)
item_word: Final = F.word_at(0)


def window_first(window: Frame) -> Seat:
    return window.seats[0]


def origin_of(item: Frame) -> Square | None:
    """Return the square from which an item's ranges were measured at declaration."""
    return B.square_at(item.places[0]) if item.places else None


def square_chosen(item: Frame) -> Square | None:
    """Return the target square of an item or trigger, or None."""
    return B.square_at(item.places[1]) if len(item.places) > 1 and item.places[1] else None


def path_of(item: Frame) -> tuple[Square, ...]:
    """Return the squares that an item passes, ending with the target's."""
    return tuple(passed for place in item.places[3:] if (passed := B.square_at(place)) is not None)


def battle_path(battle: Frame) -> tuple[Square, ...]:
    return tuple(passed for place in battle.places[2:] if (passed := B.square_at(place)) is not None)


def last_square(trigger: Frame) -> Square | None:
    """Return the last square of the unit that a trigger's event is about."""
    return B.square_at(trigger.places[0]) if trigger.places else None


def item_with_targets(item: Frame, targets: tuple[Obj, ...], aims_at_square: bool) -> ValueColumns:
    """Return an item's columns with the targets still legal, and with its square only if `aims_at_square`."""
    origin, square, *others = item.places
    places = (origin, square if aims_at_square else NO_PLACE, *others)
    return with_columns(item, objs=(item.objs[0], *targets), places=places)


def trigger_with_targets(trigger: Frame, targets: tuple[Obj, ...], square: Place) -> ValueColumns:
    last = trigger.places[:1] or (NO_PLACE,)
    return with_columns(
        trigger, objs=(*trigger.objs[:2], *targets), places=(*last, square) if square else trigger.places
    )


def battle_with_target(battle: Frame, target: Obj, places: tuple[Place, ...], ranged: int) -> ValueColumns:
    return with_columns(battle, objs=(battle.objs[0], target), places=places, numbers=(ranged, *battle.numbers[1:]))


def battle_with_damage(battle: Frame, attack_damage: int, counter_damage: int) -> ValueColumns:
    return with_columns(battle, numbers=(*battle.numbers[:2], attack_damage, counter_damage, 0))


def battle_squares(battle: Frame) -> tuple[Square | None, Square | None]:
    """Return the squares of attacker and target at the declaration of the attack."""
    return B.square_at(battle.places[0]), B.square_at(battle.places[1])


def place_asked(frame: Frame) -> Place:
    return frame.places[0] if frame.places else NO_PLACE


def square_asked(frame: Frame) -> Square | None:
    return B.square_at(place_asked(frame))


def item_chosen(frame: Frame) -> FrameId:
    return frame.frames[0] if frame.frames else NO_FRAME


player_hit: Final = F.seat_at(0)
"""Player whose hero the event of a trigger hit."""


NO_USE: Final = T.Use()
"""Use of a skill without text: a monster, an aura or a curse."""


def use_of(printed: T.Card) -> tuple[int, T.Use]:
    """Return the use of a skill, with its index among the abilities of the card."""
    for number, ability in enumerate(printed.abilities):
        if isinstance(ability, T.Use):
            return number, ability
    return 0, NO_USE


def printed_card(rules: Rules, frame: Frame) -> T.Card:
    return PRINTED_ON[rules.cards][frame.face]


def user_of_item(t: Table, frame: Frame) -> CardId | None:
    """Return the unit that uses a terrain's ability, or None if it has left the board. It may have moved."""
    return frame.cards[0] if frame.cards and is_unit(t, frame.cards[0]) else None


def user_or_source(frame: Frame) -> CardId:
    """Return the card that used an ability: the unit on the terrain, or the source itself."""
    return frame.cards[0] if frame.cards else source_of(frame).card


def item_with_origin(item: Frame, origin: Place) -> ValueColumns:
    """Return an item's columns with another origin of its ranges."""
    return with_columns(item, places=(origin, *item.places[1:]))


def triggered_ability(rules: Rules, trigger: Frame) -> T.Triggered | None:
    """Return the printed ability of a trigger, or None if the card has none there."""
    abilities = PRINTED_ON[rules.cards][trigger.face].abilities
    number = ability_of_trigger(trigger)
    ability = abilities[number] if 0 <= number < len(abilities) else None
    return ability if isinstance(ability, T.Triggered) else None


def frame_id(number: int) -> FrameId:
    return FrameId(number)


# -- lasting effects --------------------------------------------------------------------------------------------------


amount_of: Final = F.number_at(0)
"""Amount of a lasting effect: the change of a number, or what a shield still absorbs."""


word_of: Final = F.word_at(0)
"""Stat, keyword or act of a lasting effect, or "" if a judge entered none."""
