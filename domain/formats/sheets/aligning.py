"""Align the lines of two sheets with a minimum of differences, deterministically. The cost table is filled only near
the diagonal, as far out as the cost found requires."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.formats.sheets.lines import Acted, AnyLine, SheetGap
from domain.law.game import UNKNOWN_FACE

Step = Literal["same", "knows_more", "different", "swapped", "filled_left", "filled_right", "left", "right"]

CELLS_MAX = 1_000_000
"""Maximum number of costs to compute, about eight seconds. Two sheets of one match need far fewer."""
GAP_LINES_MAX = 50
"""Maximum number of lines that a gap stands for, even without a bound of its own."""

KNOWS, CHANGED, OTHER_VERB, ALONE, SWAPPED, FILLED = 1, 3, 5, 3, 4, 3
"""Costs of pairing two lines (the first three), leaving a line alone, swapping two lines, and filling a gap."""
_UNREACHABLE: Final = 60_000
"""Cost of a cell outside the band; fits 16 bits."""
_BAND_MIN: Final = 8


class LinePairing(Struct, frozen=True):
    """Lines that belong together: how many on each side, and their relation. The steps `left` and `right` are lines
    that the other side lacks. `filled_left` and `filled_right` name the side of the gap."""

    step: Step
    left: int
    right: int


def align(left: Sequence[AnyLine], right: Sequence[AnyLine], cells_max: int = CELLS_MAX) -> list[LinePairing] | None:
    """Return the pairings in order; None if the sheets differ too much. Swapped arguments give the mirror image."""
    if repr([line.says() for line in left]) <= repr([line.says() for line in right]):
        return _align(left, right, cells_max)
    mirrored = _align(right, left, cells_max)
    return None if mirrored is None else [_mirror(pairing) for pairing in mirrored]


_MIRRORED: Final[dict[Step, Step]] = {
    "left": "right",
    "right": "left",
    "filled_left": "filled_right",
    "filled_right": "filled_left",
}


def _mirror(pairing: LinePairing) -> LinePairing:
    return LinePairing(_MIRRORED.get(pairing.step, pairing.step), pairing.right, pairing.left)


def _align(left: Sequence[AnyLine], right: Sequence[AnyLine], cells_max: int) -> list[LinePairing] | None:
    left_content, right_content = [line.says() for line in left], [line.says() for line in right]
    shorter, prefix, suffix = min(len(left), len(right)), 0, 0
    while prefix < shorter and left_content[prefix] == right_content[prefix]:
        prefix += 1
    while suffix < shorter - prefix and left_content[-1 - suffix] == right_content[-1 - suffix]:
        suffix += 1
    middle = _align_middle(left[prefix : len(left) - suffix], right[prefix : len(right) - suffix], cells_max)
    same = LinePairing("same", 1, 1)
    return None if middle is None else [*[same] * prefix, *middle, *[same] * suffix]


def _align_middle(left: Sequence[AnyLine], right: Sequence[AnyLine], cells_max: int) -> list[LinePairing] | None:
    if not left or not right:
        return [*[LinePairing("left", 1, 0)] * len(left), *[LinePairing("right", 0, 1)] * len(right)]
    gap_lines = sum(_count_gap_lines(line) for line in (*left, *right))
    band, band_max = _BAND_MIN + gap_lines, max(len(left), len(right))
    while True:
        grid = _Grid(left, right, band)
        if grid.cells > cells_max:
            return None
        cost = grid.fill()
        if band >= band_max or cost < ALONE * (band - gap_lines):
            return grid.trace()
        band *= 2


def _count_gap_lines(line: AnyLine) -> int:
    return (min(line.most, GAP_LINES_MAX) if line.most else GAP_LINES_MAX) if isinstance(line, SheetGap) else 0


class _Grid:
    """Costs of aligning the first lines of both sides, near the diagonal."""

    def __init__(self, left: Sequence[AnyLine], right: Sequence[AnyLine], band: int) -> None:
        self.left, self.right = left, right
        surplus = len(right) - len(left)
        self.low, self.high = min(0, surplus) - band, max(0, surplus) + band
        self.width = self.high - self.low + 1
        self.rows: list[array[int]] = []
        ids: dict[tuple[object, ...], int] = {}
        self.says, self.other = ([ids.setdefault(line.says(), len(ids)) for line in lines] for lines in (left, right))
        self._pairs: dict[tuple[int, int], tuple[int, Step] | None] = {}

    @property
    def cells(self) -> int:
        return self.width * (len(self.left) + 1)

    def at(self, i: int, j: int) -> int:
        """Return the cost of aligning the first `i` left lines with the first `j` right lines."""
        column = j - i - self.low
        return self.rows[i][column] if 0 <= column < self.width and 0 <= j <= len(self.right) else _UNREACHABLE

    def fill(self) -> int:
        for i in range(len(self.left) + 1):
            row = array("H", [_UNREACHABLE]) * self.width
            self.rows.append(row)
            for j in range(max(0, i + self.low), min(len(self.right), i + self.high) + 1):
                row[j - i - self.low] = (
                    0 if i == j == 0 else min(_UNREACHABLE, *(pairing[0] for pairing in self._list_last_pairings(i, j)))
                )
        return self.at(len(self.left), len(self.right))

    def trace(self) -> list[LinePairing]:
        i, j, pairings = len(self.left), len(self.right), list[LinePairing]()
        while i or j:
            cost = self.at(i, j)
            _, step, left, right = next(pairing for pairing in self._list_last_pairings(i, j) if pairing[0] == cost)
            pairings.append(LinePairing(step, left, right))
            i, j = i - left, j - right
        return pairings[::-1]

    def _list_last_pairings(self, i: int, j: int) -> Iterator[tuple[int, Step, int, int]]:
        """Yield each possible last pairing as (cost, step, left, right). The first of equal cost wins."""
        if i and j:
            paired = self._pair(i - 1, j - 1)
            if paired is not None:
                yield self.at(i - 1, j - 1) + paired[0], paired[1], 1, 1
        if i > 1 and j > 1 and self._is_swapped(i, j):
            yield self.at(i - 2, j - 2) + SWAPPED, "swapped", 2, 2
        if i and isinstance(gap := self.left[i - 1], SheetGap):
            for many in _list_gap_sizes(gap, self.right, j):
                yield self.at(i - 1, j - many) + FILLED, "filled_left", 1, many
        if j and isinstance(gap := self.right[j - 1], SheetGap):
            for many in _list_gap_sizes(gap, self.left, i):
                yield self.at(i - many, j - 1) + FILLED, "filled_right", many, 1
        if i:
            yield self.at(i - 1, j) + ALONE, "left", 1, 0
        if j:
            yield self.at(i, j - 1) + ALONE, "right", 0, 1

    def _is_swapped(self, i: int, j: int) -> bool:
        says, other = self.says, self.other
        return says[i - 1] == other[j - 2] != says[i - 2] == other[j - 1]

    def _pair(self, i: int, j: int) -> tuple[int, Step] | None:
        if self.says[i] == self.other[j]:
            return 0, "same"
        if (i, j) not in self._pairs:
            self._pairs[i, j] = _pair_cost(self.left[i], self.right[j])
        return self._pairs[i, j]


def _list_gap_sizes(gap: SheetGap, lines: Sequence[AnyLine], end: int) -> Iterator[int]:
    """Yield the numbers of lines before `end` that a gap can stand for, up to its bound or another gap."""
    actions = 0
    for many in range(1, min(end, GAP_LINES_MAX) + 1):
        line = lines[end - many]
        actions += isinstance(line, Acted)
        if isinstance(line, SheetGap) or (gap.most and actions > gap.most):
            return
        yield many


def _pair_cost(one: AnyLine, other: AnyLine) -> tuple[int, Step] | None:
    if not isinstance(one, Acted) or not isinstance(other, Acted):
        return (CHANGED, "different") if type(one) is type(other) else None
    if one.seat != other.seat:
        return None
    if one.verb != other.verb:
        return OTHER_VERB, "different"
    return (CHANGED, "different") if join(one, other) is None else (KNOWS, "knows_more")


# -- merging lines ----------------------------------------------------------------------------------------------------


def join(one: Acted, other: Acted) -> Acted | None:
    """Merge two lines into one action; None if they contradict each other."""
    if one.seat != other.seat or len(one.words) != len(other.words):
        return None
    words = [_join_word(*pair) for pair in zip(one.words, other.words, strict=True)]
    shows = _join_shows(one.shows, other.shows)
    if shows is None or any(word is None for word in words):
        return None
    return Acted(one.line, one.column, one.seat, tuple(word for word in words if word is not None), shows)


def _join_shows(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...] | None:
    """Merge the faces shown. An empty list means that they were not noted."""
    if not one or not other:
        return one or other
    if len(one) != len(other):
        return None
    joined = tuple(_join_part(*pair) for pair in zip(one, other, strict=True))
    return None if None in joined else tuple(face for face in joined if face is not None)


def _join_word(one: str, other: str) -> str | None:
    """Merge two values, which may be lists. An unknown item takes the value of the other side."""
    name, equals, value = one.rpartition("=")
    other_name, _, other_value = other.rpartition("=")
    if one == other or name != other_name or '"' in one + other:
        return one if one == other else None
    parts, other_parts = value.split(","), other_value.split(",")
    if len(parts) != len(other_parts):
        return None
    joined = [_join_part(*pair) for pair in zip(parts, other_parts, strict=True)]
    return None if None in joined else name + equals + ",".join(part for part in joined if part is not None)


def _join_part(one: str, other: str) -> str | None:
    if one == other or other == UNKNOWN_FACE:
        return one
    return other if one == UNKNOWN_FACE else None
