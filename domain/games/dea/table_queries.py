"""Queries on a DEA table, named in the terms of the rules."""

from functools import cache
from itertools import chain
from typing import Final

from domain.games.dea import schema as S, text as T
from domain.games.dea.cards import CARDS_BY_FACE
from domain.games.dea.rules import Rules
from domain.law.asking import face_of
from domain.parts import frames as F
from domain.parts.grid import is_on_grid, place_of, square_of, squares
from domain.parts.pieces import (
    PAIR,
    mark as mark,
    opponent as opponent,
    owner as owner,
    seat_mark as seat_mark,
    seats_in_turn_order as seats_in_turn_order,
)
from domain.parts.places import row_of
from domain.parts.squares import Size, Square
from domain.table.table import (
    NO_OBJ as NO_OBJ,
    CardId,
    Effect,
    Frame,
    Obj,
    Place,
    Seat,
    Table,
    ValueColumns,
    frame,
    is_same_object,
)

SEATS: Final = PAIR
"""Player 1 has the home area at row 1, player 2 at the last row. Turn order does not matter."""
STACK_PLACE: Final = Place(S.STACK)
_ON_MAP: Final = f"{S.MAP}:"


# -- writers ----------------------------------------------------------------------------------------------------------


def in_open_main(t: Table) -> bool:
    """True if the main phase is open, without a window or a question."""
    return (t.clock.phase, t.clock.step) == (S.MAIN, S.OPEN) and not t.asked


def in_window(t: Table) -> bool:
    """True if a window or the end window is open."""
    return t.clock.phase == S.MAIN and t.clock.step in (S.WINDOW, S.END_WINDOW)


def resolving(t: Table) -> bool:
    return (t.clock.phase, t.clock.step) == (S.MAIN, S.RESOLVING)


# -- the map ----------------------------------------------------------------------------------------------------------


@cache
def cells(size: Size) -> tuple[Place, ...]:
    return tuple(place_of(S.MAP, square) for square in squares(size))


@cache
def cells_from(size: Size, cell: Place, steps: tuple[tuple[int, int], ...]) -> tuple[Place, ...]:
    """Return the cells at these offsets of columns and rows."""
    origin = square_at(cell)
    if origin is None:
        return ()
    reached = (Square(origin.column + columns, origin.row + rows) for columns, rows in steps)
    return tuple(place_of(S.MAP, square) for square in reached if is_on_grid(size, square))


@cache
def steps_within(n: int) -> tuple[tuple[int, int], ...]:
    """Return the offsets of all cells within `n` king's moves, row by row."""
    span = range(-n, n + 1)
    return tuple((columns, rows) for rows in span for columns in span if (columns, rows) != (0, 0))


@cache
def square_at(cell: Place) -> Square | None:
    """Return the square of a cell, or None if the place is not on the map."""
    try:
        return square_of(cell) if cell.startswith(_ON_MAP) else None
    except ValueError:
        return None


def cell_at(square: Square) -> Place:
    return place_of(S.MAP, square)


@cache
def home_rows(size: Size, home: int, seat: Seat) -> range:
    return range(1, home + 1) if seat == SEATS[0] else range(size.rows - home + 1, size.rows + 1)


def in_home(rules: Rules, seat: Seat, cell: Place) -> bool:
    square = square_at(cell)
    if square is None or not is_on_grid(rules.size, square):
        return False
    return square.row in home_rows(rules.size, rules.home, seat)


def last_line(size: Size, seat: Seat) -> int:
    """Return the row at the enemy edge."""
    return size.rows if seat == SEATS[0] else 1


def characters_in(t: Table, cell: Place) -> tuple[CardId, ...]:
    """Return the characters in a cell, two during a battle."""
    return t.places.get(cell, ())


def characters_in_cells(t: Table, cells: tuple[Place, ...]) -> tuple[CardId, ...]:
    return tuple(chain.from_iterable(filter(None, map(t.places.get, cells))))


def is_empty(t: Table, cell: Place) -> bool:
    """True if a cell is neither occupied nor reserved for a fighting attacker."""
    return not t.places.get(cell) and not is_reserved(t, cell)


def is_reserved(t: Table, cell: Place) -> bool:
    """True if the attacker of the running battle came from the cell."""
    battle = battle_of(t)
    return battle is not None and origin_of(battle) == cell


def empty_cells(t: Table, cells: tuple[Place, ...]) -> tuple[Place, ...]:
    battle, places = battle_of(t), t.places
    reserved = None if battle is None else origin_of(battle)
    return tuple([cell for cell in cells if not places.get(cell) and cell != reserved])


# -- characters -------------------------------------------------------------------------------------------------------


def printed(rules: Rules, t: Table, card: CardId) -> T.Card:
    """Return the printed card, a blank one if its face is unknown."""
    piece = t.pieces.get(card)
    return CARDS_BY_FACE[rules.cards][None if piece is None else piece.face or face_of(t, card)]


def on_map(t: Table, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and piece.place.startswith(_ON_MAP)


def is_own(t: Table, seat: Seat, card: CardId) -> bool:
    """True if the card is a character of this writer on the map."""
    return on_map(t, card) and t.pieces[card].owner == seat


def is_token(rules: Rules, t: Table, card: CardId) -> bool:
    return printed(rules, t, card).type == "token"


def cell_of(t: Table, card: CardId) -> Place:
    return t.pieces[card].place


def square_of_char(t: Table, character: CardId) -> Square:
    square = square_at(t.pieces[character].place)
    assert square is not None
    return square


def characters(rules: Rules, t: Table) -> tuple[CardId, ...]:
    return characters_in_cells(t, cells(rules.size))


def own_characters(rules: Rules, t: Table, seat: Seat) -> tuple[CardId, ...]:
    """Return a writer's characters on the map, row by row."""
    pieces = t.pieces
    return tuple([character for character in characters(rules, t) if pieces[character].owner == seat])


def equipment(t: Table, character: CardId) -> CardId | None:
    for worn_card in worn(t, t.pieces[character].owner):
        if t.pieces[worn_card].host == character:
            return worn_card
    return None


def resolve_character(t: Table, obj: Obj) -> CardId | None:
    """Return the character if it is still the same object on the map."""
    return obj.card if is_same_object(t, obj) and on_map(t, obj.card) else None


# -- zones ------------------------------------------------------------------------------------------------------------

hand: Final = row_of(S.HAND)
deck: Final = row_of(S.DECK)
sleeve: Final = row_of(S.SLEEVE)
worn: Final = row_of(S.WORN)
unplaced: Final = row_of(S.UNPLACED)
"""Cards of a seat's zones. A deck has its top first, a sleeve its top last."""


@cache
def slot(seat: Seat, number: int) -> Place:
    """Return a writer's place for a foreshadow, counted from 1."""
    return Place(f"{seat}.{S.FORESHADOW}:{number}")


def foreshadows(rules: Rules, t: Table, seat: Seat) -> tuple[CardId, ...]:
    cards: tuple[CardId, ...] = ()
    for number in range(1, rules.foreshadows_per_plot + 1):
        cards += t.places.get(slot(seat, number), ())
    return cards


def is_face_down(t: Table, seat: Seat, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and not piece.up and piece.place.startswith(f"{seat}.{S.FORESHADOW}:")


def live_field(t: Table, seat: Seat) -> Effect | None:
    for effect in t.effects:
        if effect.kind == S.FIELD and effect.by == seat:
            return effect
    return None


# -- columns of frames ------------------------------------------------------------------------------------------------


source_of: Final = F.obj_at(0)
"""Source of an item: a character, event or foreshadow. For an automatic effect, the card with the ability."""
attacker_of: Final = F.obj_at(0)
blocker_of: Final = F.obj_at(1)
wearer_of: Final = F.obj_at(1)


targets_of: Final = F.objs_from(1)
"""Characters and cards that an item targets, in printed order."""


cell_chosen: Final = F.place_at(0)
"""Destination declared for an item."""


item_chosen: Final = F.frame_at(0)


writer_chosen: Final = F.seat_at(0)


ability_of: Final = F.word_at(0)
direction_of: Final = F.word_at(1)
purpose_of: Final = F.word_at(0)


pages_paid: Final = F.number_at(0)
life_paid: Final = F.number_at(1)
_NEGATED: Final = 2
_CANCELLED: Final = 3
_REPLACED: Final = 2
"""Value of the negated flag if a newer field has replaced the item."""
_negated: Final = F.number_at(_NEGATED)
required_count: Final = F.number_at(0)
"""Number of cards or pages in a question."""


is_negated: Final = F.flag_at(_NEGATED)


is_cancelled: Final = F.flag_at(_CANCELLED)


def origin_of(battle: Frame) -> Place:
    return battle.places[0]


def battlefield(battle: Frame) -> Place:
    return battle.places[1]


def step_of(battle: Frame) -> tuple[int, int]:
    return battle.numbers[4], battle.numbers[5]


is_unmet: Final = F.flag_at(3)
"""True if a foreshadow was opened without meeting its condition."""


def is_replaced(item: Frame) -> bool:
    """True if a newer field has replaced the field of this item."""
    return _negated(item) == _REPLACED


def negated(item: Frame, replaced: bool = False) -> ValueColumns:
    """Return the columns of a negated or replaced item."""
    return F.with_number(item, _NEGATED, _REPLACED if replaced else 1)


def cancelled(battle: Frame) -> ValueColumns:
    return F.with_number(battle, _CANCELLED, 1)


def with_targets(item: Frame, targets: tuple[Obj, ...]) -> ValueColumns:
    """Return an item's columns with other targets. For a battle, this replaces the blocker."""
    return F.with_columns(item, objs=(item.objs[0], *targets))


def with_cell(item: Frame, cell: Place | None) -> ValueColumns:
    return F.with_columns(item, places=() if cell is None else (cell,))


def battle_of(t: Table) -> Frame | None:
    """Return the running battle: the attack at the bottom of the stack, or the one that resolves."""
    if t.stack and t.stack[0].kind == "attack":
        return t.stack[0]
    for item in t.running:
        if item.kind == "attack":
            return item
    return None


def fights_as_attacker(t: Table, character: CardId) -> bool:
    """True if the character is the attacker of the running battle, in any cell."""
    battle = battle_of(t)
    return battle is not None and attacker_of(battle).card == character and is_same_object(t, attacker_of(battle))


seat_of: Final = F.seat_at(0)


amount_of: Final = F.number_at(0)
word_of: Final = F.word_at(0)
"""Subject of an ongoing effect: a value, a move type, a keyword."""


def subject_seat(asked: Frame) -> Seat:
    return asked.seats[0] if asked.seats else asked.by


def toll_item(t: Table, asked: Frame) -> Frame | None:
    """Return the item that is negated unless its toll is paid."""
    return frame(t, asked.frames[1]) if len(asked.frames) > 1 else None
