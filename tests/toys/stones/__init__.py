"""Stepping Stones (飛び石), a toy for the suites with everything in sight: no hidden card, no chance, no stack, a grid.

Each player has four walkers on one bank of four by four stones. A turn is one step onto a neighbouring stone; what
stands there is taken, and every stone bears so many arrivals only. Walkers that come to the far bank become runners;
whoever has enough of them wins. A draw may be offered while the other one is to step.
"""

from functools import partial
from typing import Final

from domain.law.display import Display
from domain.law.game import Game
from domain.law.rulebook import load_rulebook
from domain.law.schemas import load_schemas
from domain.parts.grid import LETTERED
from tests.toys.stones import clauses as C
from tests.toys.stones.actions import ACTION_TYPES
from tests.toys.stones.carry_out import carry_out, resume
from tests.toys.stones.legality import checks
from tests.toys.stones.offers import chance, offers
from tests.toys.stones.reading import readings
from tests.toys.stones.resolution import awaited, settle
from tests.toys.stones.rules import OPTIONS, VERSIONS, Rules
from tests.toys.stones.schema import BOARD, OFFERING, WORN, schema
from tests.toys.stones.setup import deck, deck_checks, faces, seats, set_up

GAME: Final = Game(
    key="stones",
    rulebook=load_rulebook(__package__),
    rules_type=Rules,
    options=OPTIONS,
    versions=VERSIONS,
    action_types=ACTION_TYPES,
    seats=seats,
    by_hand=C.BY_HAND,
    schema=schema,
    schemas=partial(load_schemas, __package__),
    deck=deck,
    deck_checks=deck_checks,
    set_up=set_up,
    awaited=awaited,
    offers=offers,
    checks=checks,
    carry_out=carry_out,
    settle=settle,
    resume=resume,
    chance=chance,
    readings=readings,
    faces=faces,
    display=Display(flags=(OFFERING,), counters=(f"{WORN}.*",), squares={BOARD: LETTERED}),
)
