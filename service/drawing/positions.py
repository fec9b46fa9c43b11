"""Frame of a board: the place of each strip, from the far side to the near one."""

from collections.abc import Mapping, Sequence
from typing import Literal

from markupsafe import Markup

from domain.law.layout import Band
from domain.table.table import Seat
from projections import phrases as P
from service.drawing import strips as S
from service.drawing.markup import element, join_markup
from service.drawing.setting import DrawingContext


def frame_of(
    setting: DrawingContext, seats: Sequence[Seat], near: Seat, drawn: Mapping[str, Markup], *, tabled: bool = False
) -> Markup:
    """Return a board with its strips in place. `near` is the bottom seat, by default the first. `tabled`: lines of
    grids are table rows."""
    at = side_of(seats, near)
    around, grid_of = (*seats[at:], *seats[:at]), _draw_table if tabled else _draw_grid
    grids = [grid_of(setting, grid, at > 0, drawn) for grid in setting.grids]
    middle = [*grids, *(_draw_band([slot.area for slot in band], drawn, "middle") for band in setting.middle)]
    clock = drawn[S.CLOCK]
    open_now = element("div", "now", *(drawn[key] for key in (S.RESULT, S.LANES_KEY, S.EFFECTS)))
    if setting.layout.seats == "round":
        panels = element(
            "div", f"panels s{len(seats)}", *(_draw_panel(setting, seat, drawn) for seat in _order_around_table(around))
        )
        inner = [clock, panels, *middle]
    else:
        far = [_draw_side(setting, seat, "far", drawn) for seat in reversed(around[1:])]
        inner = [clock, *far, *middle, _draw_side(setting, around[0], "near", drawn)]
    return element("div", f"board {setting.layout.seats}", *inner, open_now, data_near=around[0])


def side_of(seats: Sequence[Seat], near: Seat) -> int:
    """Return the index of the bottom seat; 0 if `near` is not a seat."""
    return seats.index(near) if near in seats else 0


def _order_around_table(around: Sequence[Seat]) -> list[Seat]:
    """Return the seats clockwise from the bottom right, as rows of two from the top."""
    if len(around) < 3:
        return list(reversed(around))
    half = len(around) // 2
    return [*around[half:], *reversed(around[:half])]


def _draw_side(
    setting: DrawingContext, seat: Seat, side: Literal["near", "far"], drawn: Mapping[str, Markup]
) -> Markup:
    head, bands = drawn[S.seat_key(seat)], [_draw_seat_bands(seat, band, drawn) for band in setting.seat_bands]
    return element("div", f"side {side}", *([*bands, head] if side == "near" else [head, *reversed(bands)]))


def _draw_panel(setting: DrawingContext, seat: Seat, drawn: Mapping[str, Markup]) -> Markup:
    return element(
        "div", "panel", drawn[S.seat_key(seat)], *(_draw_seat_bands(seat, band, drawn) for band in setting.seat_bands)
    )


def _draw_seat_bands(seat: Seat, band: Band, drawn: Mapping[str, Markup]) -> Markup:
    return _draw_band([S.own_key(seat, slot.area) for slot in band], drawn, "")


def _draw_band(keys: list[str], drawn: Mapping[str, Markup], classes: str) -> Markup:
    return element("div", f"band {classes}".strip(), *(drawn[key] for key in keys))


def _draw_grid(setting: DrawingContext, grid: str, turned: bool, drawn: Mapping[str, Markup]) -> Markup:
    """Return a grid with its first row at the bottom. `turned`: seen from the other side, with the same names."""
    columns, rows = setting.areas[grid].size
    names = (element("span", "", name, role="columnheader") for name in setting.column_names[grid])
    heads = element("div", "ln heads", element("span", "rh", aria_hidden="true"), *names, role="row")
    numbers = range(1, rows + 1) if turned else range(rows, 0, -1)
    return element(
        "div",
        f"grid c{columns} {'back' if turned else ''}".strip(),
        heads,
        join_markup(drawn[S.line_key(grid, row)] for row in numbers),
        role="grid",
        aria_label=P.word(setting.game, grid, setting.lang),
    )


def _draw_table(setting: DrawingContext, grid: str, turned: bool, drawn: Mapping[str, Markup]) -> Markup:
    """Return a grid as a table. `turned` reverses rows and columns."""
    _, rows = setting.areas[grid].size
    names = setting.column_names[grid]
    heads = (element("th", "", name, scope="col") for name in (reversed(names) if turned else names))
    numbers = range(1, rows + 1) if turned else range(rows, 0, -1)
    return element(
        "table",
        "map",
        element("caption", "said", P.word(setting.game, grid, setting.lang)),
        element("thead", "", element("tr", "", element("td"), *heads)),
        element("tbody", "", join_markup(drawn[S.line_key(grid, row)] for row in numbers)),
    )
