"""The board mirrored, with the players exchanged: whatever holds of one side holds of the other."""

from functools import partial

from domain.games.skillbook import board as B
from domain.games.skillbook.offers import offers
from domain.games.skillbook.rules import Rules
from domain.parts.grid import place_of
from domain.parts.mirror import Mirror
from domain.parts.squares import Size, Square
from domain.table.table import Place, Table, area


def sides(rules: Rules) -> Mirror:
    """The two sides of a board."""
    return Mirror(B.SEATS, partial(_opposite, rules.size))


def _opposite(size: Size, place: Place) -> Place | None:
    square = B.at(place)
    return None if square is None else place_of(area(place), Square(square.column, size.rows + 1 - square.row))


def is_symmetric(rules: Rules, t: Table) -> bool:
    """Is each player offered on this table what the other one is offered on the mirrored table?"""
    return sides(rules).is_symmetric(t, partial(offers, rules))
