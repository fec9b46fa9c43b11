"""Notation (`.spn`): a match as text that a scorekeeper types and a judge reads in an e-mail."""

from domain.formats.notation.lines import headers
from domain.formats.notation.reader import Croupier, parse_notation
from domain.formats.notation.writer import write_notation

__all__ = ("Croupier", "headers", "parse_notation", "write_notation")
