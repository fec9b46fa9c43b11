"""Layouts of a game's table for display, as data. Every word comes from the rulebook. A layout is not part of a
record, so a better layout applies to old matches too. A game without one is drawn in the order of its schema."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final, Literal

import msgspec
import tomli
from msgspec import Struct
from msgspec.structs import replace

from domain.table.schema import Area, Schema

FILE: Final = "layout.toml"

Shape = Literal["row", "fan", "pile"]
"""row: side by side; fan: overlapping, as in a hand; pile: the top card, the others on request."""
Stance = Literal["upright", "turned", "dashed", "dotted", "lifted"]
"""Drawing style of a card's stance; its word is in the card's label."""


class AreaDisplay(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An area, and the readings (all numbers if none is named) and marks in the corner of its cards."""

    area: str
    figures: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()


class SlotDisplay(AreaDisplay, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An area in a band. More than `most` cards are folded together."""

    shape: Shape = "row"
    most: int = 24


class Layer(AreaDisplay, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A layer of a grid: the ground, a piece on it, or a corner for what is tied to a piece."""

    look: Literal["tile", "token", "corner"] = "token"


Grid = tuple[Layer, ...]
"""Layers of squares of one size, from the bottom. The area of the first names the grid."""
Band = tuple[SlotDisplay, ...]


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """Positions of areas. Areas without one are shown while they hold cards.

    `own` has the bands of each seat, from the middle of the table outwards. A shared area in them is split by
    controller. `middle` has grids and bands between the seats. `looks` has the drawing style of stances, upright by
    default. `marks` of a seat are shown at once (None: all), the others on request. `seats` face each other or sit
    around the table.
    """

    own: tuple[Band, ...]
    grids: tuple[Grid, ...] = ()
    middle: tuple[Band, ...] = ()
    looks: Mapping[str, Stance] = {}
    marks: tuple[str, ...] | None = None
    seats: Literal["facing", "round"] = "facing"

    def areas(self) -> Iterator[AreaDisplay]:
        return chain(*self.own, *self.middle, *self.grids)


@cache
def load_layout(package: str) -> Layout:
    """Read a game's `layout.toml`. Raises msgspec.ValidationError for a malformed file."""
    raw = files(package).joinpath(FILE).read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), Layout)


def unknown_names(layout: Layout, schema: Schema) -> list[str]:
    """Return the names in a layout that the schema lacks, each with its kind, and the invalid grids."""
    areas = {area.name: area for area in schema.areas}
    marks, of_seats = ({mark.name for mark in schema.marks if mark.of == of} for of in ("card", "seat"))
    unknown = [f"area {slot.area}" for slot in layout.areas() if slot.area not in areas]
    unknown += [f"mark {mark}" for slot in layout.areas() for mark in slot.badges if mark not in marks]
    unknown += [f"mark {mark}" for mark in layout.marks or () if mark not in of_seats]
    unknown += [f"stance {stance}" for stance in layout.looks if stance not in schema.stances]
    for layers in layout.grids:
        known = tuple(layer for layer in layers if layer.area in areas)
        if not known or not _is_valid_grid(known, areas):
            unknown.append(f"grid {layers[0].area if layers else ''}")
    return unknown


def fit_layout(layout: Layout, schema: Schema) -> Layout:
    """Return a layout without the areas that the schema of an older or newer record lacks."""
    areas = {area.name: area for area in schema.areas}
    known = [tuple(layer for layer in grid if layer.area in areas) for grid in layout.grids]
    grids = [grid for grid in known if grid and _is_valid_grid(grid, areas)]
    return replace(
        layout,
        own=tuple(tuple(slot for slot in band if slot.area in areas) for band in layout.own),
        grids=tuple(grids),
        middle=tuple(
            tuple(slot for slot in band if slot.area in areas and not areas[slot.area].per_seat)
            for band in layout.middle
        ),
    )


def _is_valid_grid(grid: Grid, areas: Mapping[str, Area]) -> bool:
    """True if all layers except corners have the same squares, and the first is not a corner."""
    layers = [areas[layer.area] for layer in grid if layer.look != "corner"]
    return (
        grid[0].look != "corner"
        and len({area.size for area in layers}) == 1
        and all(area.order == "grid" and not area.per_seat for area in layers)
    )


_STANCES: Final[tuple[Stance, ...]] = ("upright", "turned", "dashed", "dotted", "lifted")


def plain_layout(schema: Schema) -> Layout:
    """Return a layout in the order of the schema: areas of each seat, and shared areas in the middle."""
    marks = tuple(mark.name for mark in schema.marks if mark.of == "card" and not mark.name.endswith(".*"))
    layered = [area for area in schema.areas if area.order == "grid" and not area.per_seat and all(area.size)]
    grids = (
        tuple(
            Layer(area=area.name, look="token" if at else "tile", badges=marks)
            for at, area in enumerate(area for area in layered if area.size == size)
        )
        for size in dict.fromkeys(area.size for area in layered)
    )
    return Layout(
        own=(tuple(_slot(area, marks) for area in schema.areas if area.per_seat),),
        grids=tuple(grids),
        middle=(tuple(_slot(area, marks) for area in schema.areas if not area.per_seat and area not in layered),),
        looks=dict(zip(schema.stances, _STANCES, strict=False)),
    )


def _slot(area: Area, marks: tuple[str, ...]) -> SlotDisplay:
    shape: Shape = "pile" if area.order == "pile" else "fan" if area.per_seat and area.sight.owner == "all" else "row"
    return SlotDisplay(area=area.name, shape=shape, badges=marks)
