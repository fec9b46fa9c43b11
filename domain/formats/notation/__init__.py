"""Notation (`.spn`): a match as text for scorekeepers to type and judges to read."""

from domain.formats.notation.lines import BRANCHES_MAX, DEPTH_MAX, Line
from domain.formats.notation.reader import Croupier, parse_notation, read_notation
from domain.formats.notation.variations import Tree, parse_record, read_variations, write_record
from domain.formats.notation.writer import write_notation

__all__ = (
    "Tree",
    "BRANCHES_MAX",
    "DEPTH_MAX",
    "Croupier",
    "Line",
    "parse_notation",
    "parse_record",
    "read_notation",
    "read_variations",
    "write_notation",
    "write_record",
)
