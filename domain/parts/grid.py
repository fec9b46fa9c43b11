"""Squares of a grid: places, neighbours and distances. Columns and rows count from 1, as in the names of places
(`unit:3,4`). The rules about distances belong to the games."""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final

from domain.law.display import SquareNames
from domain.parts.squares import Size, Square
from domain.table.table import Place, square

ORTHOGONAL: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))
DIAGONAL: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
ALL_DIRECTIONS: Final = tuple(sorted((*ORTHOGONAL, *DIAGONAL), key=lambda step: (step[1], step[0])))
"""Steps of column and row in all eight directions, row by row."""


_NUMBERED: Final = re.compile(r"([1-9]\d?),([1-9]\d?)")
_LETTERED: Final = re.compile(r"([a-z])([1-9]\d?)")


def place_of(layer: str, at: Square) -> Place:
    return Place(f"{layer}:{at.column},{at.row}")


def square_of(place: Place) -> Square:
    """Return the square of a place. Raises ValueError for a place that is not on a grid."""
    column, row = square(place).split(",")
    return Square(int(column), int(row))


def squares(size: Size) -> Iterator[Square]:
    return (Square(column, row) for row in range(1, size.rows + 1) for column in range(1, size.columns + 1))


def is_on_grid(size: Size, at: Square) -> bool:
    return 1 <= at.column <= size.columns and 1 <= at.row <= size.rows


def edge_neighbours(size: Size, at: Square) -> tuple[Square, ...]:
    """Return the squares that share an edge with this one, row by row."""
    return _reached(size, at, ORTHOGONAL)


def neighbours(size: Size, at: Square) -> tuple[Square, ...]:
    """Return the squares that share an edge or a corner with this one, row by row."""
    return _reached(size, at, ALL_DIRECTIONS)


def _reached(size: Size, at: Square, steps: tuple[tuple[int, int], ...]) -> tuple[Square, ...]:
    reached = (Square(at.column + columns, at.row + rows) for columns, rows in steps)
    return tuple(other for other in reached if is_on_grid(size, other))


def taxicab_distance(start: Square, end: Square) -> int:
    """Return the number of steps over edges between two squares."""
    return abs(start.column - end.column) + abs(start.row - end.row)


def king_distance(start: Square, end: Square) -> int:
    """Return the number of king's moves between two squares."""
    return max(abs(start.column - end.column), abs(start.row - end.row))


def _to_letters(text: str) -> str:
    match = _NUMBERED.fullmatch(text)
    column = 0 if match is None else int(match[1])
    return "" if match is None or column > len(ascii_lowercase) else f"{ascii_lowercase[column - 1]}{match[2]}"


def _to_numbers(text: str) -> str:
    match = _LETTERED.fullmatch(text)
    return "" if match is None else f"{ascii_lowercase.index(match[1]) + 1},{match[2]}"


LETTERED: Final = SquareNames(_to_letters, _to_numbers)
"""Letters for columns and numbers for rows: `c4` is column 3, row 4."""


def numbered_slots(word: str) -> SquareNames:
    """Return names of a seat's slots made of a word and a number: `p1.f2` for `p1.foreshadow:2`."""
    return SquareNames(
        lambda text: f"{word}{text}" if text.isdecimal() else "",
        lambda text: text[len(word) :] if re.fullmatch(rf"{word}[1-9]\d?", text) else "",
        per_seat=True,
    )
