"""Lines and areas: the squares in range, and the units that obstruct a line."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from domain.games.skillbook import board as B, clauses as C, meaning as M, table_queries as R
from domain.games.skillbook.rules import Rules
from domain.law.clause import implements
from domain.parts.grid import edge_neighbours, taxicab_distance
from domain.parts.squares import Size, Square
from domain.table.table import CardId, Table

WITHIN: Final = 0
TOO_FAR: Final = 1
BLOCKED: Final = 2
"""Positions relative to a range: in range, too far, obstructed."""


@implements(C.AREA, C.NO_DIAGONALS)
@cache
def area(size: Size, origin: Square, n: int) -> frozenset[Square]:
    """Return the squares at most `n` steps away, regardless of units."""
    return frozenset(square for square in B.board(size) if taxicab_distance(origin, square) <= n)


@implements(C.START_IN_RANGE, C.ONLY_UNITS_OBSTRUCT, C.NO_DIAGONALS)
def line(size: Size, origin: Square, n: int, blocked: Iterable[Square]) -> dict[Square, int]:
    """Return the squares that a line reaches, with their steps. A blocked square other than the start ends a line."""
    blocked_squares = frozenset(blocked)
    reached, frontier = {origin: 0}, [origin]
    for steps in range(1, n + 1):
        frontier = [
            other
            for square in frontier
            if square == origin or square not in blocked_squares
            for other in edge_neighbours(size, square)
            if other not in reached and not reached.update({other: steps})
        ]
    return reached


def range_position(rules: Rules, t: Table, range: M.Range, origin: Square, square: Square) -> int:
    """Return the position of a square relative to a range from `origin`."""
    if range.reach == "any":
        return WITHIN
    distance, is_straight = taxicab_distance(origin, square), rules.line_path == "straight"
    if distance > range.n:
        return TOO_FAR
    if is_straight and range.reach != "area" and origin.column != square.column and origin.row != square.row:
        return TOO_FAR
    if range.reach != "line" or distance <= 1:
        return WITHIN
    occupied = R.occupied(rules, t)
    if is_straight:
        return BLOCKED if any(passed in occupied for passed in between(origin, square)) else WITHIN
    longest = distance if rules.line_path != "any_simple" else range.n
    return WITHIN if square in line(rules.size, origin, longest, occupied) else BLOCKED


def obstructing_units(rules: Rules, t: Table, origin: Square, square: Square) -> tuple[CardId, ...]:
    """Return the units that obstruct a line to a square, or () if the line reaches it."""
    occupied = R.occupied(rules, t)
    reached = line(rules.size, origin, taxicab_distance(origin, square), occupied)
    if square in reached:
        return ()
    ending = [end for end in reached if end in occupied and end != origin and _is_nearer(end, origin, square)]
    return tuple([unit for end in ending if (unit := R.unit_at(t, end)) is not None])


def _is_nearer(middle: Square, origin: Square, square: Square) -> bool:
    return taxicab_distance(origin, middle) + taxicab_distance(middle, square) == taxicab_distance(origin, square)


def between(origin: Square, square: Square) -> tuple[Square, ...]:
    """Return the squares between two squares of one row or column."""
    steps = taxicab_distance(origin, square)
    column, row = _sign(square.column - origin.column), _sign(square.row - origin.row)
    return tuple(Square(origin.column + column * n, origin.row + row * n) for n in range(1, steps))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def is_path(origin: Square, path: tuple[Square, ...], target: Square) -> bool:
    """True if a path leads to the target in single steps and visits no square twice."""
    if origin == target:
        return not path
    if not path or path[-1] != target or len({origin, *path}) != len(path) + 1:
        return False
    return all(
        taxicab_distance(square, next_square) == 1 for square, next_square in zip((origin, *path), path, strict=False)
    )


def is_allowed_length(rules: Rules, origin: Square, path: tuple[Square, ...], target: Square) -> bool:
    return rules.line_path == "any_simple" or len(path) == taxicab_distance(origin, target)
