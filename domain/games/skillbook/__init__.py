"""Skillbook: so far its table, its cards and its options by name; the law comes later."""

from typing import Final

from domain.games.skillbook.cards import copies, types
from domain.games.skillbook.rules import NUMBERS, OPTIONS
from domain.games.skillbook.schema import schema
from domain.law.sketch import Sketch

SKETCH: Final = Sketch("skillbook", schema(), tuple(types()), copies, OPTIONS, NUMBERS)
