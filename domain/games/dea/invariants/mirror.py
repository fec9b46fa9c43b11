"""The map turned by half, with the writers exchanged: whatever holds of one side holds of the other."""

from functools import partial
from typing import Final

from domain.games.dea import reading as R
from domain.games.dea.offers import offers
from domain.games.dea.rules import Rules
from domain.parts.mirror import Mirror
from domain.parts.squares import Size, Square
from domain.table.table import Columns, Effect, Frame, Place, Table

OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
_STEP: Final = 4
"""Behind so many numbers of an attack stand the columns and rows of its step."""


def sides(rules: Rules) -> Mirror:
    """The two sides of a map."""
    return Mirror(R.SEATS, partial(_opposite, rules.size), OPPOSITE, _numbers)


def _opposite(size: Size, place: Place) -> Place | None:
    square = R.at(place)
    return None if square is None else R.cell_at(Square(size.columns + 1 - square.column, size.rows + 1 - square.row))


def _numbers(columns: Columns) -> tuple[int, ...]:
    """The step of an attack leads the other way."""
    numbers = columns.numbers
    if isinstance(columns, Frame | Effect) and columns.kind == "attack" and len(numbers) > _STEP:
        return (*numbers[:_STEP], *(-step for step in numbers[_STEP:]))
    return numbers


def is_symmetric(rules: Rules, t: Table) -> bool:
    """Is each writer offered on this table what the other one is offered on the table turned by half?"""
    return sides(rules).is_symmetric(t, partial(offers, rules))
