"""Legality of actions in Stepping Stones. An action may hold any value, even one that its type forbids."""

from collections.abc import Iterator
from typing import Any

from domain.law.actions import Concede
from domain.law.clause import Check, subject_or_missing
from domain.law.slots import misplaced_cards
from domain.table.table import Seat, Table
from tests.toys.stones import clauses as C
from tests.toys.stones.actions import Accept, Move, Offer
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import OFFERING, STONES
from tests.toys.stones.table_queries import SEATS, is_step, is_under_water, may_take, opponent, standing


def checks(rules: Rules, t: Table, actor: Seat, action: Any) -> Iterator[Check]:
    yield C.OVER, t.result is None, actor
    match action:
        case Move():
            yield C.TURN, actor in t.clock.awaited, actor
            yield from _step(rules, t, actor, action)
        case Offer():
            playing = actor in SEATS
            yield C.OFFERED, playing and actor not in t.clock.awaited and not t.seats[actor].get(OFFERING), actor
        case Accept():
            yield C.TURN, actor in t.clock.awaited, actor
            yield C.AGREED, actor in SEATS and bool(t.seats[opponent(actor)].get(OFFERING)), actor
        case Concede():
            yield C.GIVEN_UP, actor in SEATS, actor


def _step(rules: Rules, t: Table, actor: Seat, action: Move) -> Iterator[Check]:
    card, word = action.piece, action.at
    there = bool(card) and not misplaced_cards(t, actor, action)
    yield C.NAMED, there, subject_or_missing(card, "piece")
    yield C.NAMED, word in STONES, subject_or_missing(Seat(word), "at")
    if not there or word not in STONES:
        return
    yield C.OWN_PIECE, t.pieces[card].owner == actor, card
    yield C.NEIGHBOUR, is_step(t, card, word), card, Seat(word)
    other = standing(t, word)
    yield C.NOT_ON_OWN, other is None or t.pieces[other].owner != t.pieces[card].owner, Seat(word)
    yield C.UNDER_WATER, not is_under_water(rules, t, word), Seat(word)
    yield C.TAKEN, may_take(rules, t, card, word), card, Seat(word)
