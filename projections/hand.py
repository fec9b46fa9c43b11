"""Hands: a viewer's own card by card, of others how many and which of them are known; a part of the board."""

from msgspec import Struct

from domain.table.redact import SeenPlace, View
from domain.table.schema import Area, Schema
from domain.table.table import Seat

OPEN = ("each", "up", "top", "all")
"""Sights under which single cards of a place are seen."""


class Hand(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Everything a seat holds in secret, place by place, as the viewer sees it."""

    seat: Seat
    own: bool = False
    places: tuple[SeenPlace, ...] = ()


def held(area: Area) -> bool:
    """Is this kind of place a hand: a bag of its seat, open to the owner and closed to others?"""
    return area.per_seat and area.order == "bag" and area.sight.owner == "all" and area.sight.others not in OPEN


def hands(board: View, schema: Schema) -> tuple[Hand, ...]:
    """The hand of each seat on a board."""
    names = {area.name for area in schema.areas if held(area)}
    return tuple(
        Hand(
            seat=seat.seat,
            own=seat.seat == board.viewer,
            places=tuple(place for place in seat.places if place.area in names),
        )
        for seat in board.seats
    )
