"""DEA (Deus Ex Ark): so far its table, its cards and its options by name; the law comes later."""

from typing import Final

from domain.games.dea.cards import copies, types
from domain.games.dea.rules import NUMBERS, OPTIONS
from domain.games.dea.schema import schema
from domain.law.sketch import Sketch

SKETCH: Final = Sketch("dea", schema(), tuple(types()), copies, OPTIONS, NUMBERS)
