"""Hands: a viewer's own card by card, of others how many and which of them are known."""

from collections.abc import Sequence

from msgspec import Struct

from domain.law.entries import Entry
from domain.law.game import Game
from domain.table.physics import Physics
from domain.table.redact import view
from domain.table.schema import Area
from domain.table.table import Seat
from domain.words import Lang
from projections.board import BoardPlace, arranged, place_row
from projections.phrases import seat_words
from projections.rows import Cell, Row
from projections.viewing import opening, table_at, viewer_in
from projections.words import say

OPEN = ("each", "up", "top", "all")
"""Sights under which single cards of a place are seen."""


class Hand(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Everything a seat holds in secret, place by place, as the viewer sees it."""

    seat: Seat
    own: bool = False
    places: tuple[BoardPlace, ...] = ()


class Hands(Struct, frozen=True):
    """The hands of all seats after an entry, for one viewer."""

    viewer: Seat
    entry: int
    hands: tuple[Hand, ...]


def held(area: Area) -> bool:
    """Is this kind of place a hand: a bag of its seat, open to the owner and closed to others?"""
    return area.per_seat and area.order == "bag" and area.sight.owner == "all" and area.sight.others not in OPEN


def hands(entries: Sequence[Entry], at: int | None, viewer: Seat) -> Hands:
    """The hands after entry `at` (the last one if None), as a viewer sees them. Raises NotInMatch."""
    opened = opening(entries)
    viewer = viewer_in(opened, viewer)
    number, table = table_at(entries, at)
    physics = Physics(opened.schema)
    names = {area.name for area in opened.schema.areas if held(area)}
    board = arranged(view(physics, table, viewer), opened, number, {})
    return Hands(
        viewer,
        number,
        tuple(
            Hand(
                seat=seat.seat,
                own=seat.seat == viewer,
                places=tuple(place for place in seat.places if place.area in names),
            )
            for seat in board.seats
        ),
    )


def render_hands(seen: Hands, game: Game, lang: Lang) -> list[Row]:
    """Each seat's hand as rows, the viewer's own marked."""
    rows: list[Row] = []
    for one in seen.hands:
        seat = seat_words(one.seat, lang)
        rows.append(Row("seat", (Cell(say("hand.own", lang, seat=seat) if one.own else seat, "seat"),)))
        rows += [place_row(place, game, lang, 1) for place in one.places]
    return rows
