"""Rows of cells: what text, JSON and pages draw. No colour and no markup here; a role says what a cell is."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.words.lines import one_line

INDENT = "  "
CARDS = ("card", "back")
"""Roles of the cells that name a card."""
JAPANESE = re.compile("[ぁ-ヿ一-鿿]")
"""Among these a comma is a full-width one."""


class Cell(Struct, frozen=True, omit_defaults=True):
    """One piece of text for people; `thing` points at a card on the table, `clause` at a rule."""

    text: str
    role: str = ""
    thing: int = 0
    clause: str = ""


class MapRow(Struct, frozen=True, omit_defaults=True):
    """A row of squares of a map: its number, what stands on each, and what is to be known of all of them."""

    name: str
    squares: tuple[tuple[Cell, ...], ...]
    words: str = ""


class SquareMap(Struct, frozen=True):
    """Squares as they lie: the names of the columns, and the rows, the highest first."""

    columns: tuple[str, ...]
    lines: tuple[MapRow, ...]


class Row(Struct, frozen=True, omit_defaults=True):
    """Cells that belong on one line, so many levels deep; and the map of which they are the heading.

    A `covered` row is told only where the map above it is not drawn.
    """

    role: str
    cells: tuple[Cell, ...]
    depth: int = 0
    map: SquareMap | None = None


def spaced(row: Row) -> Iterator[tuple[str, Cell]]:
    """Each cell with what stands before it: what belongs to one card is told apart from the next card."""
    before: Cell | None = None
    for cell in row.cells:
        if not cell.text:
            continue
        if before is None:
            gap = INDENT * row.depth
        elif cell.role in CARDS:
            apart = before.thing or (before.role in CARDS and " " in before.text)
            gap = " | " if apart and not cell.text.startswith("+") else " "
        else:
            of_one = bool(before.thing) and before.role not in CARDS
            marks = before.role == cell.role == "mark"
            comma = "、" if JAPANESE.search(before.text + cell.text) else ", "
            gap = comma if before.thing == cell.thing and (of_one or marks) else " "
        yield gap, cell
        before = cell


def plain(rows: Iterable[Row]) -> str:
    """Rows as plain text, one line each."""
    return "\n".join("".join(gap + one_line(cell.text) for gap, cell in spaced(row)) for row in rows)
