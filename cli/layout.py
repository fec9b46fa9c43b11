"""How text takes up lines of so many columns: where a line may end, and how wide the columns of a table are."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise, zip_longest

from msgspec import Struct

GAP = "  "
"""Between the columns of a table."""

HANG = 4
"""So much deeper than a row itself is what of it goes on in the next line: deeper than what stands below it."""

NARROW = 16
"""A column of a table is made narrower than its longest text down to this, if its words allow."""

WIDE = "WF"
NO_WIDTH = ("Mn", "Me", "Cf")

NEVER_FIRST = frozenset("、。，．・：；？！々…)）]］}｝」』】〉》〕ぁぃぅぇぉっゃゅょゎ|,.;:!?")
"""No line begins with one of these."""
NEVER_LAST = frozenset("(（[［{｛「『【〈《〔")
"""No line ends with one of these."""
KATAKANA = re.compile("[ァ-ヺー-ヿ]+")
"""What is written in these is a word, with no end of a line in it."""
SLASH = "/"
NUMBER = "(u"
"""A thing's number stays with the card it is."""

Span = tuple[int, int, int]
"""Where in a text a line begins and ends, and by how much it is indented."""


def width(text: str) -> int:
    """How many columns text takes: a full-width character takes two, a mark above another none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in WIDE else 1


def clipped(text: str, columns: int) -> str:
    """As much of a text as so many columns take."""
    return text[: _fitting(text, 0, columns)]


def spans(text: str, columns: int | None) -> Iterator[Span]:
    """The lines of a text, one at least: as few as take so many columns each, any number of them if None.

    They end between words, and where letters are full-width between those. Lines behind the first hang below it. A
    word that is longer than a line stays whole.
    """
    if columns is None or width(text) <= columns:
        yield 0, len(text), 0
        return
    deeper = min(len(text) - len(text.lstrip(" ")) + HANG, columns // 2)
    begun = indent = 0
    while begun < len(text):
        fits = _fitting(text, begun, columns - indent)
        ends = (at for at in chain(range(fits, begun, -1), range(fits + 1, len(text))) if _may_end(text, at))
        end = fits if fits == len(text) else next(ends, len(text))
        yield begun, end, indent
        begun, indent = _next(text, end), deeper


def folded(text: str, columns: int) -> list[str]:
    """Text in lines of so many columns at most, as a cell of a table has it: a path may end behind a slash, a longer
    word is chopped. No text is no line."""
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
    """Up to where text fits, one letter at least."""
    fits, taken = begun, 0
    while fits < len(text) and ((taken := taken + _width(text[fits])) <= columns or fits == begun):
        fits += 1
    return fits


def _may_end(text: str, at: int) -> bool:
    """May a line end before this character?"""
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
    """The columns of a table that are drawn, by number, how wide each is, and those left out."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]
    dropped: tuple[int, ...]

    def lines(self, row: Sequence[str]) -> Iterator[str]:
        """A row of the table: as many lines as its longest cell needs."""
        cells = (folded(row[at], wide) or [""] for at, wide in zip(self.columns, self.widths, strict=True))
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (part + " " * (wide - width(part)) for part, wide in zip(parts, self.widths, strict=True))
            yield GAP.join(padded).rstrip()


def fit(rows: Sequence[Sequence[str]], columns: int | None, drop: Sequence[int], keep: int, most: int) -> Fit:
    """How rows of cells become a table of so many columns of text.

    Where it is too wide, texts of several words are folded; where words would have to be broken, columns are left out:
    those of `drop` in that order, then the last ones, never the first `keep`.
    """
    cells = list(zip(*rows, strict=True))
    widest = [max(map(width, texts)) for texts in cells]
    widest = [min(wide, most or wide, columns or wide) for wide in widest]
    order = list(range(len(cells)))
    if columns is None:
        return Fit(tuple(order), tuple(widest), ())
    least = [min(wide, max(NARROW, *map(_longest, texts))) for wide, texts in zip(widest, cells, strict=True)]
    leaving = iter([*drop, *(at for at in reversed(order[keep:]) if at not in drop)])
    while _total([least[at] for at in order]) > columns and (gone := next(leaving, None)) is not None:
        order.remove(gone)
    widths = {at: widest[at] for at in order}
    for floor in (least, [1] * len(least)):
        while _total(widths.values()) > columns and (loose := [at for at in order if widths[at] > floor[at]]):
            widths[max(loose, key=widths.__getitem__)] -= 1
    return Fit(tuple(order), tuple(widths.values()), tuple(at for at in range(len(cells)) if at not in widths))


def _longest(text: str) -> int:
    """How wide the longest word of a cell is."""
    ends = (0, *(at for at in range(1, len(text)) if _may_end_in_cell(text, at)), len(text))
    return max(width(text[begun:end].strip()) for begun, end in pairwise(ends))


def _total(widths: Collection[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)
