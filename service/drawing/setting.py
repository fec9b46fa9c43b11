"""Drawing context of a match: rules, schema, language and layout."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, Final, Literal, TypeVar

from markupsafe import Markup

from domain.law.display import SquareWord
from domain.law.game import Game
from domain.law.law import Law
from domain.law.layout import Layer, Layout, SlotDisplay, fit_layout, plain_layout
from domain.table.redact import SeenCard, View
from domain.table.schema import Schema
from domain.table.table import NOBODY, Place, Seat, seat_of
from domain.words import Lang
from projections import phrases as P
from projections.board import PlaceCache

T = TypeVar("T")

DRAWINGS_PER_PART: Final = 8
"""Cached drawings of each part, because many states alternate, such as the active seat."""


class DrawingContext:
    """Drawing context of a match, with a cache of the last drawings. `layout` defaults to that of the game, or else to
    a plain one made from the schema."""

    def __init__(
        self, law: Law, schema: Schema, lang: Lang, layout: Layout | None = None, *, names: P.Names = P.NO_NAMES
    ) -> None:
        self.law, self.schema, self.lang, self.names = law, schema, lang, names
        chosen_layout = layout or law.game.layout()
        self.layout = plain_layout(schema) if chosen_layout is None else fit_layout(chosen_layout, schema)
        self.areas = {area.name: area for area in schema.areas}
        self.numbers = {seat: number for number, seat in enumerate(law.seats(), start=1)}
        """Number of each seat from 1, which selects its colour and hatching."""
        self.place_cache = PlaceCache()
        self._last_strips: tuple[object, Any] | None = None
        self._drawn: dict[str, tuple[tuple[object, Markup], ...]] = {}

    def cached_drawing(self, key: str, value: object, draw: Callable[[], Markup]) -> Markup:
        """Return the cached drawing of an equal value under this key, or draw it."""
        before = self._drawn.get(key, ())
        for cached, markup in before:
            if cached == value:
                return markup
        markup = draw()
        self._drawn[key] = ((value, markup), *before[: DRAWINGS_PER_PART - 1])
        return markup

    def cached_strips(self, places: object, part: Callable[[], T]) -> T:
        """Return the strips of all places, recomputed only if `places` have changed."""
        last = self._last_strips
        if last is None or last[0] != places:
            last = self._last_strips = places, part()
        strips: T = last[1]
        return strips

    @property
    def game(self) -> Game:
        return self.law.game

    @cached_property
    def seat_bands(self) -> tuple[tuple[SlotDisplay, ...], ...]:
        """Return a seat's bands from the middle to the edge. Areas that the layout does not place are at the edge."""
        rest = tuple(
            SlotDisplay(area=area.name, shape="pile" if area.order == "pile" else "row")
            for area in self.schema.areas
            if area.per_seat and area.name not in self._placed
        )
        corners = tuple(SlotDisplay(area=name) for name in self.corners if self.areas[name].per_seat)
        return (*self.layout.own, (*corners, *rest)) if corners or rest else self.layout.own

    @cached_property
    def middle(self) -> tuple[tuple[SlotDisplay, ...], ...]:
        """Return the bands in the middle, then shared areas that the layout does not place."""
        rest = tuple(
            SlotDisplay(area=area.name)
            for area in self.schema.areas
            if not area.per_seat and area.name not in {slot.area for band in self.layout.middle for slot in band}
            if area.name not in self.on_squares
        )
        return (*self.layout.middle, rest) if rest else self.layout.middle

    @cached_property
    def on_squares(self) -> frozenset[str]:
        """Areas that are layers of a grid."""
        return frozenset(layer.area for grid in self.grids.values() for layer in grid if layer.look != "corner")

    @cached_property
    def grids(self) -> dict[str, tuple[Layer, ...]]:
        return {layers[0].area: layers for layers in self.layout.grids}

    @cached_property
    def lines(self) -> dict[tuple[str, int], list[tuple[int, tuple[Place, ...]]]]:
        """Columns of each grid row, each with its layered places."""
        return {
            (grid, row): [
                (column, tuple(Place(f"{layer.area}:{column},{row}") for layer in layers))
                for column in range(1, self.areas[grid].size[0] + 1)
            ]
            for grid, layers in self.grids.items()
            for row in range(1, self.areas[grid].size[1] + 1)
        }

    @cached_property
    def row_names(self) -> dict[str, list[str]]:
        """Common suffix of the square names of each row, by grid: `4`."""
        return {
            grid: [_common_part(names, -1) for names in zip(*self._square_names(grid), strict=True)]
            for grid in self.grids
        }

    @cached_property
    def column_names(self) -> dict[str, list[str]]:
        """Common prefix of the square names of each column, by grid: `c`."""
        return {grid: [_common_part(names, 1) for names in self._square_names(grid)] for grid in self.grids}

    def _square_names(self, grid: str) -> list[list[str]]:
        columns, rows = (range(1, size + 1) for size in self.areas[grid].size)
        return [[P.square_words(self.game, Place(f"{grid}:{column},{row}")) for row in rows] for column in columns]

    @cached_property
    def corners(self) -> tuple[str, ...]:
        """Areas whose cards are drawn in the corner of the card on a grid that they are tied to."""
        return tuple(layer.area for grid in self.grids.values() for layer in grid if layer.look == "corner")

    @cached_property
    def _placed(self) -> frozenset[str]:
        return frozenset(shown.area for shown in self.layout.areas())

    @cached_property
    def square_labels(self) -> "dict[Place, tuple[SquareWord, ...]]":
        return dict(self.game.display.known_of(self.law.rules))

    @cached_property
    def areas_shown_with_cards(self) -> frozenset[str]:
        """Areas shown only while they hold cards."""
        unplaced = (name for name in self.areas if name not in self._placed)
        return frozenset((*unplaced, *self.corners, *self.game.display.passing))

    @cached_property
    def areas_by_controller(self) -> frozenset[str]:
        """Shared areas that are drawn in parts, one for each controlling seat."""
        return frozenset(slot.area for band in self.seat_bands for slot in band if not self.areas[slot.area].per_seat)


def _common_part(names: Sequence[str], step: Literal[1, -1]) -> str:
    """Return the common prefix of the names, or with -1 their common suffix."""
    letters = zip(*(name[::step] for name in names), strict=False)
    return "".join(each[0] for each in takewhile(lambda each: len({*each}) == 1, letters))[::step].strip(",")


def find_holder(card: SeenCard, place: Place) -> Seat | None:
    """Return the controller of a card, else its owner, else the seat of the place."""
    seat = card.controller or card.owner or seat_of(place)
    return None if seat == NOBODY else seat


def visible_cards(view: View) -> Iterator[SeenCard]:
    """Yield every visible card, including those tied to others."""

    def below(cards: Iterable[SeenCard]) -> Iterator[SeenCard]:
        for card in cards:
            yield card
            yield from below(card.tied)

    for place in (*view.shared, *(place for seat in view.seats for place in seat.places)):
        yield from below(place.cards)
