"""Rows of cells: what text, JSON and pages draw. No colour and no markup here; a role says what a cell is."""

from collections.abc import Iterable

from msgspec import Struct

INDENT = "  "


class Cell(Struct, frozen=True, omit_defaults=True):
    """One piece of text for people; `thing` points at a card on the table, `clause` at a rule."""

    text: str
    role: str = ""
    thing: int = 0
    clause: str = ""


class Row(Struct, frozen=True, omit_defaults=True):
    """Cells that belong on one line, so many levels deep."""

    role: str
    cells: tuple[Cell, ...]
    depth: int = 0


def plain(rows: Iterable[Row]) -> str:
    """Rows as plain text, one line each."""
    return "\n".join(INDENT * row.depth + " ".join(cell.text for cell in row.cells if cell.text) for row in rows)
