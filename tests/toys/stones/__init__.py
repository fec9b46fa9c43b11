"""Stepping Stones (飛び石), a toy for the suites with everything in sight: no hidden card, no chance, no stack, a grid.

Each player has four walkers on one bank of four by four stones. A turn is one step onto a neighbouring stone; what
stands there is taken, and every stone bears so many arrivals only. Walkers that come to the far bank become runners;
whoever has enough of them wins. A draw may be offered while the other one is to step.
"""

from typing import Final

from domain.law.display import Display
from domain.parts.grid import LETTERED
from domain.parts.packages import load_game
from tests.toys.stones import clauses as C
from tests.toys.stones.carry_out import resume
from tests.toys.stones.reading import readings
from tests.toys.stones.resolution import awaited
from tests.toys.stones.schema import BOARD, OFFERING, WORN
from tests.toys.stones.setup import faces

GAME: Final = load_game(
    __package__,
    C.BY_HAND,
    awaited=awaited,
    resume=resume,
    readings=readings,
    faces=faces,
    display=Display(flags=(OFFERING,), counters=(f"{WORN}.*",), squares={BOARD: LETTERED}),
)
