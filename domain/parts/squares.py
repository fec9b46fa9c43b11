"""Squares of a grid layer, and how many it has."""

from typing import NamedTuple


class Square(NamedTuple):
    """A square by its column and row."""

    column: int
    row: int


class Size(NamedTuple):
    """How many columns and rows a grid has."""

    columns: int
    rows: int
