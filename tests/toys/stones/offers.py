"""Offers of Stepping Stones: every accepted action. Chance is never asked."""

from collections.abc import Iterator

from domain.law.actions import Concede
from domain.law.offers import RandomBelow, SlotChoice, Template
from domain.law.slots import Action
from domain.table.table import Seat, Table
from tests.toys.stones.actions import Accept, Move, Offer
from tests.toys.stones.resolution import awaited
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import OFFERING
from tests.toys.stones.table_queries import SEATS, opponent, pieces_of, steps_of


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    """Yield steps and acceptance for the seat to move, draw offers for its opponent, and concession for both."""
    if t.result is not None or actor not in SEATS:
        return
    if actor in awaited(t):
        for card in pieces_of(t, actor):
            if words := steps_of(rules, t, card):
                yield Template(Move, (SlotChoice("at", words),), (("piece", card),))
        if t.seats[opponent(actor)].get(OFFERING):
            yield Template(Accept)
    elif not t.seats[actor].get(OFFERING):
        yield Template(Offer)
    yield Template(Concede)


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    return None
