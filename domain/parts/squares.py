"""The square and the size of a grid."""

from typing import NamedTuple


class Square(NamedTuple):
    column: int
    row: int


class Size(NamedTuple):
    columns: int
    rows: int
