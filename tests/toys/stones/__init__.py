"""Stepping Stones (飛び石), a test game with everything visible: no hidden card, no chance, no stack, a grid.

Each player has four walkers on one bank of four by four stones. A turn is one step onto an adjacent stone, taking any
piece there; each stone bears a limited number of arrivals. Walkers that reach the far bank become runners, and enough
runners win. A player may offer a draw during the opponent's turn.
"""

from typing import Final

from domain.law.display import Display
from domain.parts.grid import LETTERED
from domain.parts.packages import load_game
from tests.toys.stones import clauses as C
from tests.toys.stones.carry_out import resume
from tests.toys.stones.resolution import awaited
from tests.toys.stones.schema import BOARD, OFFERING, WORN
from tests.toys.stones.setup import faces
from tests.toys.stones.table_queries import readings

GAME: Final = load_game(
    __package__,
    C.BY_HAND,
    awaited=awaited,
    resume=resume,
    readings=readings,
    faces=faces,
    display=Display(flags=(OFFERING,), counters=(f"{WORN}.*",), squares={BOARD: LETTERED}),
)
