"""Line breaking and table layout for a terminal width."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise, zip_longest

from msgspec import Struct

GAP = "  "

HANGING_INDENT = 4
"""Hanging indent of continuation lines, deeper than the lines below a row."""

FOLDED_COLUMNS_MIN = 16
"""Narrowest width of a folded column, unless its words are longer."""

WIDE = "WF"
NO_WIDTH = ("Mn", "Me", "Cf")

NEVER_FIRST = frozenset("、。，．・：；？！々…)）]］}｝」』】〉》〕ぁぃぅぇぉっゃゅょゎ|,.;:!?")
"""Characters that may not begin a line."""
NEVER_LAST = frozenset("(（[［{｛「『【〈《〔")
"""Characters that may not end a line."""
KATAKANA = re.compile("[ァ-ヺー-ヿ]+")
"""Katakana run: a word without break points."""
SLASH = "/"
NUMBER = "(u"
"""A thing's number stays on the line of its card."""

Span = tuple[int, int, int]
"""Start and end of a line in a text, and its indent."""


def width(text: str) -> int:
    """Return the columns a text takes: two for a full-width character, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in WIDE else 1


def clip(text: str, columns: int) -> str:
    """Return the text clipped to a number of columns."""
    return text[: _fitting(text, 0, columns)]


def break_lines(text: str, columns: int | None) -> Iterator[Span]:
    """Yield the lines of a text, at least one; a single line if `columns` is None.

    Lines break between words and next to full-width characters. Continuation lines hang. An overlong word stays whole.
    """
    if columns is None or width(text) <= columns:
        yield 0, len(text), 0
        return
    deeper = min(len(text) - len(text.lstrip(" ")) + HANGING_INDENT, columns // 2)
    begun = indent = 0
    while begun < len(text):
        fits = _fitting(text, begun, columns - indent)
        ends = (at for at in chain(range(fits, begun, -1), range(fits + 1, len(text))) if _may_end(text, at))
        end = fits if fits == len(text) else next(ends, len(text))
        yield begun, end, indent
        begun, indent = _next(text, end), deeper


def fold(text: str, columns: int) -> list[str]:
    """Return a table cell's text folded into lines: paths break after a slash, overlong words anywhere."""
    lines: list[str] = []
    begun = 0
    while begun < len(text):
        fits = _fitting(text, begun, columns)
        ends = (at for at in range(fits, begun, -1) if fits == len(text) or _may_end_in_cell(text, at))
        end = next(ends, fits)
        lines.append(text[begun:end])
        begun = _next(text, end)
    return lines


def _next(text: str, end: int) -> int:
    while text.startswith(" ", end):
        end += 1
    return end


def _fitting(text: str, begun: int, columns: int) -> int:
    """Return the end of the text that fits, at least one character."""
    fits, taken = begun, 0
    while fits < len(text) and ((taken := taken + _width(text[fits])) <= columns or fits == begun):
        fits += 1
    return fits


def _may_end(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before == " " or before in NEVER_LAST:
        return False
    if after == " ":
        return text[at + 1 : at + 2] not in NEVER_FIRST and not text.startswith(NUMBER, at + 1)
    if after in NEVER_FIRST or KATAKANA.fullmatch(before + after):
        return False
    return _width(after) > 0 and 2 in (_width(before), _width(after))


def _may_end_in_cell(text: str, at: int) -> bool:
    return text[at - 1] == SLASH or _may_end(text, at)


class Fit(Struct, frozen=True):
    """Columns of a table: those drawn, with their widths, and those dropped."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]
    dropped: tuple[int, ...]

    def lines(self, row: Sequence[str]) -> Iterator[str]:
        cells = (fold(row[at], wide) or [""] for at, wide in zip(self.columns, self.widths, strict=True))
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (part + " " * (wide - width(part)) for part, wide in zip(parts, self.widths, strict=True))
            yield GAP.join(padded).rstrip()


def fit(rows: Sequence[Sequence[str]], columns: int | None, drop: Sequence[int], keep: int, most: int) -> Fit:
    """Return the layout of rows in a table at most `columns` wide.

    A table that is too wide folds texts between words. If that is not enough it drops columns: those of `drop` in
    order, then from the right, but never the first `keep`.
    """
    cells = list(zip(*rows, strict=True))
    widest = [max(map(width, texts)) for texts in cells]
    widest = [min(wide, most or wide, columns or wide) for wide in widest]
    order = list(range(len(cells)))
    if columns is None:
        return Fit(tuple(order), tuple(widest), ())
    least = [
        min(wide, max(FOLDED_COLUMNS_MIN, *map(_longest, texts))) for wide, texts in zip(widest, cells, strict=True)
    ]
    leaving = iter([*drop, *(at for at in reversed(order[keep:]) if at not in drop)])
    while _total([least[at] for at in order]) > columns and (gone := next(leaving, None)) is not None:
        order.remove(gone)
    widths = {at: widest[at] for at in order}
    for floor in (least, [1] * len(least)):
        while _total(widths.values()) > columns and (loose := [at for at in order if widths[at] > floor[at]]):
            widths[max(loose, key=widths.__getitem__)] -= 1
    return Fit(tuple(order), tuple(widths.values()), tuple(at for at in range(len(cells)) if at not in widths))


def _longest(text: str) -> int:
    ends = (0, *(at for at in range(1, len(text)) if _may_end_in_cell(text, at)), len(text))
    return max(width(text[begun:end].strip()) for begun, end in pairwise(ends))


def _total(widths: Collection[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)
