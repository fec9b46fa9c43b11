"""Random BlackPoker matches as the invariants look at them: states, facts, rows, printed numbers."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.games.blackpoker import GAME
from domain.games.blackpoker.invariants import BASIC as BASIC
from domain.games.blackpoker.invariants import KEYS as KEYS
from domain.games.blackpoker.invariants import MAIN as MAIN
from domain.games.blackpoker.invariants import quiet as quiet
from domain.games.blackpoker.invariants import row as row
from domain.games.blackpoker.invariants import units as units
from domain.law.clause import Clause
from domain.law.entries import tables, told
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact
from domain.table.table import Table, blank
from tests.laws.samples import SEEDS, Moment, Sample, moments, sample

KEY = GAME.key
SEATS = GAME.seats(GAME.versions["8.1-lite"])
EVEN = [seed for seed in SEEDS if seed % 2 == 0]
"""Matches by a published ruleset; the others play by random readings."""

NUMBERS = {"A": 1, "J": 11, "Q": 12, "K": 13}
GENERATIONS = ("JK", "A", "J", "Q", "K")
IMMEDIATE = ("charge", "next_generation", "set_bulwark", "search")


def each(seeds: Any = SEEDS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("seed", seeds)


def number(face: str) -> int:
    """What is printed, read anew from the face."""
    rank = face if face == "JK" else face[1:]
    return 0 if face == "JK" else NUMBERS.get(rank, 0) or int(rank)


def generation(face: str | None) -> bool:
    assert face is not None
    return face == "JK" or face[1:] in GENERATIONS


def played(seed: int) -> tuple[Sample, tuple[Moment, ...]]:
    return sample(KEY, seed), moments(KEY, seed)


def facts(seed: int) -> Iterator[tuple[int, Clause, AnyFact, Draft]]:
    """Every fact of a match with its clause and entry, and the live table before it happens."""
    one = sample(KEY, seed)
    draft = Draft(blank(one.opened.seats))
    for entry_number, entry in enumerate(one.entries, start=1):
        for clause, fact in told(entry):
            yield entry_number, clause, fact, draft
            EVOLVE[type(fact)](draft, fact)


def states(seed: int) -> Iterator[Table]:
    """The tables after every entry."""
    yield from (table for _, _, _, table in tables(sample(KEY, seed).entries))


def some(random: Random, seed: int, most: int) -> list[Moment]:
    """So many moments of a match by chance, or all of a short one."""
    all_of_it = moments(KEY, seed)
    return random.sample(all_of_it, min(most, len(all_of_it)))
