"""Maps in text: squares with borders and contents, and a description next to each row."""

from collections.abc import Callable
from itertools import zip_longest

from msgspec import Struct

from cli.layout import fold, width
from projections.rows import Cell, MapRow, SquareMap

Parts = list[tuple[str, str]]

TEXT_COLUMNS_MIN = 4
"""Least columns of text in a square."""
BESIDE = "  "
BORDERS = 2
"""Columns of a square without its text: a blank and a border."""
EDGE = " |"
"""Border between the row number and the first square."""


class Drawing(Struct, frozen=True):
    """Lines of a map. `words` is True if they include the descriptions of rows."""

    lines: list[Parts]
    words: bool


def draw(drawn: SquareMap, columns: int | None, safe: Callable[[str], str]) -> Drawing | None:
    """Draw a map at most `columns` wide (None: any width). Return None if it does not fit."""
    head = max(width(line.name) for line in drawn.lines)
    names = [width(name) for name in drawn.columns]
    texts = [safe(cell.text) for line in drawn.lines for cells in line.squares for cell in cells]
    wide = max(TEXT_COLUMNS_MIN, *names, *(width(text) + len(" ") for text in texts))
    if columns is not None:
        wide = min(wide, (columns - head - len(EDGE)) // len(names) - BORDERS)
        if wide < max(TEXT_COLUMNS_MIN, *names, *(width(word) for text in texts for word in text.split())):
            return None
    taken = head + len(EDGE) + len(names) * (wide + BORDERS) + len(BESIDE)
    words = columns is None or all(taken + width(safe(line.words)) <= columns for line in drawn.lines if line.words)
    border: Parts = [(" " * (head + 1) + "+" + ("-" * (wide + 1) + "+") * len(names), "border")]
    lines = [border]
    for line in drawn.lines:
        lines += [*_row(line, head, wide, words, safe), border]
    under = "".join("  " + name + " " * (wide - width(name)) for name in drawn.columns)
    return Drawing([*lines, [(" " * (head + 1) + under.rstrip(), "number")]], words)


def _row(line: MapRow, head: int, wide: int, words: bool, safe: Callable[[str], str]) -> list[Parts]:
    stacked = [[part for cell in cells for part in _fold(cell, wide, safe)] for cells in line.squares]
    lines: list[Parts] = []
    for number, parts in enumerate(zip_longest(*(square or [("", "")] for square in stacked), fillvalue=("", ""))):
        name = "" if number else line.name
        drawn: Parts = [(" " * (head - width(name)) + name + EDGE, "number")]
        for text, role in parts:
            drawn += [(" ", ""), (text, role), (" " * (wide - width(text)) + "|", "border")]
        if words and line.words and not number:
            drawn.append((BESIDE + safe(line.words), "words"))
        lines.append(drawn)
    return lines


def _fold(cell: Cell, wide: int, safe: Callable[[str], str]) -> Parts:
    return [(text, cell.role) for text in fold(safe(cell.text), wide)]
