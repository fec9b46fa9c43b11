"""Squares of the board: the places of terrains and units, and the areas of the players."""

from functools import cache
from typing import Final

from domain.games.skillbook import schema as S
from domain.games.skillbook.rules import Rules
from domain.parts.grid import place_of, square_of, squares
from domain.parts.squares import Size, Square
from domain.table.table import Place, Seat

SEATS: Final = (Seat("p1"), Seat("p2"))
"""Player 1 sits at row 1 and player 2 at the last row, regardless of the turn order."""
_UNIT_PREFIX: Final = f"{S.UNIT}:"
_GROUND_PREFIX: Final = f"{S.GROUND}:"


@cache
def board(size: Size) -> tuple[Square, ...]:
    return tuple(squares(size))


@cache
def ground_place(square: Square) -> Place:
    """Return the place of a square's terrain. It also names the square in actions."""
    return place_of(S.GROUND, square)


@cache
def ground_places(size: Size) -> frozenset[Place]:
    return frozenset(ground_place(square) for square in squares(size))


@cache
def unit_place(square: Square) -> Place:
    return place_of(S.UNIT, square)


@cache
def square_at(place: Place) -> Square | None:
    """Return the square of a place, or None if the place is not on the board."""
    try:
        return square_of(place) if place.startswith((_UNIT_PREFIX, _GROUND_PREFIX)) else None
    except ValueError:
        return None


@cache
def own_squares(size: Size, rows: int, seat: Seat) -> tuple[Square, ...]:
    """Return the squares of a player's own area, row by row from row 1 up."""
    own_rows = range(1, rows + 1) if seat == SEATS[0] else range(size.rows - rows + 1, size.rows + 1)
    return tuple(square for square in squares(size) if square.row in own_rows)


def depth(rules: Rules, seat: Seat, square: Square) -> int:
    """Return the row of a square, counted from a player's back row (1)."""
    return square.row if seat == SEATS[0] else rules.size.rows + 1 - square.row


def is_neutral(rules: Rules, square: Square) -> bool:
    return rules.own_rows < square.row <= rules.own_rows + rules.neutral_rows
