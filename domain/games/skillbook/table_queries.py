"""Skillbook's nouns over a table, so that law reads like law."""

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
    by_turn as by_turn,
    mark as mark,
    opponent as opponent,
    owner as owner,
    seat_mark as seat_mark,
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
    same,
)

STACK_PLACE: Final = Place(S.STACK)
BOUND_PLACE: Final = Place(S.BOUND)
_ON_BOARD: Final = f"{S.UNIT}:"
_ON_GROUND: Final = f"{S.GROUND}:"


# -- players ----------------------------------------------------------------------------------------------------------


def from_first_player(t: Table) -> tuple[Seat, Seat]:
    """Both players, the first player before the second."""
    first = t.clock.first or SEATS[0]
    return first, opponent(first)


def unit_at(t: Table, square: Square) -> CardId | None:
    """The unit on a square."""
    there = t.places.get(B.on_square(square))
    return there[0] if there else None


def terrain_at(t: Table, square: Square) -> CardId | None:
    """The terrain of a square."""
    there = t.places.get(B.ground(square))
    return there[0] if there else None


# -- cards and units --------------------------------------------------------------------------------------------------


def printed(rules: Rules, t: Table, one: CardId) -> T.Card:
    """What is printed on a card; a blank one where the log does not know its face."""
    piece = t.pieces.get(one)
    return PRINTED_ON[rules.cards][None if piece is None else piece.face or face_of(t, one)]


def is_unit(t: Table, one: CardId) -> bool:
    piece = t.pieces.get(one)
    return piece is not None and piece.place.startswith(_ON_BOARD)


def is_terrain(t: Table, one: CardId) -> bool:
    piece = t.pieces.get(one)
    return piece is not None and piece.place.startswith(_ON_GROUND)


def is_own_unit(t: Table, seat: Seat, one: CardId) -> bool:
    return is_unit(t, one) and t.pieces[one].owner == seat


_TYPES: Final = work_out(lambda card: card.type)
"""What kind of card each face is."""


def kind_of(rules: Rules, t: Table, one: CardId) -> T.CardType:
    """What kind of card it is."""
    kind: T.CardType = _TYPES[rules.cards][t.pieces[one].face or face_of(t, one)]
    return kind


def is_hero(rules: Rules, t: Table, one: CardId) -> bool:
    return kind_of(rules, t, one) == "hero"


def heroes(rules: Rules, t: Table, there: tuple[CardId, ...]) -> list[CardId]:
    """Those of the units that are heroes."""
    kinds, pieces = _TYPES[rules.cards], t.pieces
    return [one for one in there if kinds[pieces[one].face or face_of(t, one)] == "hero"]


def is_token(rules: Rules, t: Table, one: CardId) -> bool:
    return kind_of(rules, t, one) == "token"


def square(t: Table, one: CardId) -> Square:
    """The square of a unit or terrain."""
    there = B.at(t.pieces[one].place)
    assert there is not None
    return there


def units(rules: Rules, t: Table) -> tuple[CardId, ...]:
    return tuple([there[0] for there in filter(None, map(t.places.get, _unit_places(rules.size)))])


@cache
def _unit_places(size: Size) -> tuple[Place, ...]:
    return tuple(B.on_square(square) for square in squares(size))


def occupied(rules: Rules, t: Table) -> frozenset[Square]:
    """The squares with a unit."""
    places = t.places
    return frozenset([square for square in B.board(rules.size) if places.get(B.on_square(square))])


def hero(rules: Rules, t: Table, seat: Seat) -> CardId | None:
    """A player's hero on the board."""
    kinds, pieces = _TYPES[rules.cards], t.pieces
    for one in units(rules, t):
        piece = pieces[one]
        if piece.owner == seat and kinds[piece.face] == "hero":
            return one
    return None


def did(t: Table, one: CardId, name: str) -> bool:
    """Did a unit move, fight or explore this turn?"""
    return t.clock.turn > 0 and mark(t, one, name) == t.clock.turn


def hp(rules: Rules, t: Table, one: CardId) -> int:
    return printed(rules, t, one).df - mark(t, one, S.DAMAGE) - mark(t, one, S.HP_LOST)


def resolve_unit(t: Table, obj: Obj) -> CardId | None:
    """The unit that was meant, if it is still on the board."""
    return obj.card if same(t, obj) and is_unit(t, obj.card) else None


def terrain_under(t: Table, one: CardId) -> CardId | None:
    return terrain_at(t, square(t, one))


# -- zones ------------------------------------------------------------------------------------------------------------

book: Final = row_of(S.BOOK)
graveyard: Final = row_of(S.GRAVEYARD)
hand: Final = row_of(S.HAND)
table: Final = row_of(S.TABLE)
removed: Final = row_of(S.REMOVED)
drawn: Final = row_of(S.DRAWN)
layout: Final = row_of(S.LAYOUT)
hero_place: Final = row_of(S.HERO)
"""The cards of a player's zone: a book's top first, a graveyard's last."""
BOOKS: Final = Places(S.BOOK)


def binds(t: Table) -> tuple[CardId, ...]:
    return t.places.get(BOUND_PLACE, ())


def free_slots(rules: Rules, t: Table, seat: Seat) -> int:
    return rules.table_slots - len(table(t, seat))


def is_in_force(t: Table, one: CardId) -> bool:
    return bool(mark(t, one, S.IN_FORCE))


# -- what stands in frames --------------------------------------------------------------------------------------------


source_of: Final = F.obj_at(0)
"""What an item or trigger comes from."""
unit_of: Final = F.obj_at(0)
"""The unit of a move or an arrival."""
attacker_of: Final = F.obj_at(0)
target_of: Final = F.obj_at(1)
"""Who attacks whom."""
subject_of: Final = F.obj_at(1)
"""The unit a trigger's event was about."""


targets_of: Final = F.objs_from(1)
"""What an item is aimed at, in printed order."""


trigger_targets: Final = F.objs_from(2)
"""What a trigger is aimed at."""


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
"""Of a battle: whether the attack is ranged, whether it is countered, the damage of both, whether the target fell."""


window_kind: Final = F.word_at(0)
event_of: Final = F.word_at(0)
how_it_came: Final = F.word_at(0)


def window_first(window: Frame) -> Seat:
    """Who has the first chance in a window."""
    return window.seats[0]


def origin_of(item: Frame) -> Square | None:
    """Where an item's ranges started when it was declared."""
    return B.at(item.places[0]) if item.places else None


def square_chosen(item: Frame) -> Square | None:
    """The square an item or trigger is aimed at, if it is aimed at one."""
    return B.at(item.places[1]) if len(item.places) > 1 and item.places[1] else None


def path_of(item: Frame) -> tuple[Square, ...]:
    """The squares an item goes over, the target's last."""
    return tuple(there for place in item.places[3:] if (there := B.at(place)) is not None)


def battle_path(battle: Frame) -> tuple[Square, ...]:
    """The squares an attack goes over, the target's last."""
    return tuple(there for place in battle.places[2:] if (there := B.at(place)) is not None)


def last_square(trigger: Frame) -> Square | None:
    """Where the unit stood that a trigger's event was about."""
    return B.at(trigger.places[0]) if trigger.places else None


def item_at(item: Frame, targets: tuple[Obj, ...], aims_at_square: bool) -> ValueColumns:
    """An item's columns with other targets, and without its square where that is no longer meant."""
    origin, square, *others = item.places
    places = (origin, square if aims_at_square else NO_PLACE, *others)
    return with_columns(item, objs=(item.objs[0], *targets), places=places)


def trigger_at(trigger: Frame, targets: tuple[Obj, ...], square: Place) -> ValueColumns:
    """A trigger's columns with its targets, and the square that is one."""
    last = trigger.places[:1] or (NO_PLACE,)
    return with_columns(
        trigger, objs=(*trigger.objs[:2], *targets), places=(*last, square) if square else trigger.places
    )


def battle_at(battle: Frame, target: Obj, places: tuple[Place, ...], ranged: int) -> ValueColumns:
    """A battle's columns once a target is chosen."""
    return with_columns(battle, objs=(battle.objs[0], target), places=places, numbers=(ranged, *battle.numbers[1:]))


def battle_decided(battle: Frame, strikes: int, back: int) -> ValueColumns:
    """A battle's columns once the damage of both sides is fixed."""
    return with_columns(battle, numbers=(*battle.numbers[:2], strikes, back, 0))


def battle_stood(battle: Frame) -> tuple[Square | None, Square | None]:
    """Where attacker and target stood when the attack was declared."""
    return B.at(battle.places[0]), B.at(battle.places[1])


def place_asked(held: Frame) -> Place:
    """The place of the square that a question or an arrival is about."""
    return held.places[0] if held.places else NO_PLACE


def square_asked(held: Frame) -> Square | None:
    """The square that a question or an arrival is about."""
    return B.at(place_asked(held))


def item_chosen(held: Frame) -> FrameId:
    return held.frames[0] if held.frames else NO_FRAME


player_hit: Final = F.seat_at(0)
"""Whose hero the event of a trigger hit."""


NO_USE: Final = T.Use()
"""What a skill does that says nothing of it: a monster, an aura, a curse."""


def use_of(words: T.Card) -> tuple[int, T.Use]:
    """What a skill itself does, and its place among the abilities of its card."""
    for number, said in enumerate(words.abilities):
        if isinstance(said, T.Use):
            return number, said
    return 0, NO_USE


def printed_face(rules: Rules, held: Frame) -> T.Card:
    """The card whose text an item is."""
    return PRINTED_ON[rules.cards][held.face]


def user_of_item(t: Table, held: Frame) -> CardId | None:
    """The unit that uses a terrain's ability, wherever it stands by now."""
    return held.cards[0] if held.cards and is_unit(t, held.cards[0]) else None


def declared_by(held: Frame) -> CardId:
    """What used an ability: the unit that stood on the terrain, else what it is printed on."""
    return held.cards[0] if held.cards else source_of(held).card


def item_from(item: Frame, origin: Place) -> ValueColumns:
    """An item's columns with ranges that start elsewhere."""
    return with_columns(item, places=(origin, *item.places[1:]))


def triggered_ability(rules: Rules, trigger: Frame) -> T.Triggered | None:
    """The ability of a trigger, where the card says it."""
    said = PRINTED_ON[rules.cards][trigger.face].abilities
    number = ability_of_trigger(trigger)
    held = said[number] if 0 <= number < len(said) else None
    return held if isinstance(held, T.Triggered) else None


def frame_id(number: int) -> FrameId:
    """A number as the id of a frame."""
    return FrameId(number)


# -- what lasts -------------------------------------------------------------------------------------------------------


amount_of: Final = F.number_at(0)
"""How much an ongoing effect adds, or how much a shield still takes."""


word_of: Final = F.word_at(0)
"""What an ongoing effect is about: a stat, a keyword, an act; empty for one that a judge entered without."""
