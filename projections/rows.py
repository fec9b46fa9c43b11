"""Rows of cells for text, JSON and pages, without colour or markup. A role tells the kind of a cell."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.words.lines import one_line

INDENT = "  "
CARDS = ("card", "back")
"""Roles of the cells that name a card."""
JAPANESE = re.compile("[ぁ-ヿ一-鿿]")
"""Characters next to which the comma is full-width."""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A piece of text for people; `thing` refers to a card on the table, `clause` to a rule."""

    text: str
    role: str = ""
    thing: int = 0
    clause: str = ""


class MapRow(Struct, frozen=True, omit_defaults=True):
    """A row of a map: its number, the contents of its squares, and words that apply to all of them."""

    name: str
    squares: tuple[tuple[Cell, ...], ...]
    words: str = ""


class SquareMap(Struct, frozen=True):
    """The squares of a map: names of columns, and rows, highest first."""

    columns: tuple[str, ...]
    lines: tuple[MapRow, ...]


class Row(Struct, frozen=True, omit_defaults=True):
    """Cells of one indented line, which may head a map. A `covered` row is shown only if its map is not drawn."""

    role: str
    cells: tuple[Cell, ...]
    depth: int = 0
    map: SquareMap | None = None


def spaced(row: Row) -> Iterator[tuple[str, Cell]]:
    """Yield each cell with its separator, which distinguishes cells of one card from the next card."""
    before: Cell | None = None
    for cell in row.cells:
        if not cell.text:
            continue
        if before is None:
            gap = INDENT * row.depth
        elif cell.role in CARDS:
            is_apart = before.thing or (before.role in CARDS and " " in before.text)
            gap = " | " if is_apart and not cell.text.startswith("+") else " "
        else:
            detail = bool(before.thing) and before.role not in CARDS
            marks = before.role == cell.role == "mark"
            comma = "、" if JAPANESE.search(before.text + cell.text) else ", "
            gap = comma if before.thing == cell.thing and (detail or marks) else " "
        yield gap, cell
        before = cell


def plain(rows: Iterable[Row]) -> str:
    return "\n".join("".join(gap + one_line(cell.text) for gap, cell in spaced(row)) for row in rows)
