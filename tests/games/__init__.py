"""What the suites know of a game beside the game itself: a file here each, and defaults for one that has none."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import Struct

from domain.games import GAMES
from domain.law.game import Game
from tests.toys.stones import GAME as STONES

TOYS: Mapping[str, Game] = {game.key: game for game in (STONES,)}
"""Games of the suites alone that keep every law: each has something that no real one has."""
PLAYED: Mapping[str, Game] = {**GAMES, **TOYS}
"""What the laws of every game are tried on."""
NO_GAME = "no-such-game"
"""A name that no game will have."""
FIXTURES = Path(__file__).parents[2] / "fixtures"
FINISHED = tuple(key for key in sorted(GAMES) if (FIXTURES / key).is_dir())
"""The games that have fixtures: they owe every gate that CONTRIBUTING names."""

Presumed = Literal["frames", "secrets", "chance"]
"""What a law of every game may need in order to have something to try."""


class Tried(Struct, frozen=True, kw_only=True):
    """How a game is tried, and what is stated of it. Every default fits a game of which nobody has said anything."""

    lacks: frozenset[Presumed] | None = None
    """What it is stated not to have; None: nothing is stated, and its matches are believed."""

    # -- random matches ---------------------------------------------------------------------------------------------
    numbers: Mapping[str, tuple[Any, ...]] = {}
    """Values of its numbers that are drawn besides its options."""
    undrawn: frozenset[str] = frozenset()
    """Options that keep their values there: one of theirs ends matches of the sample decks before anybody acts."""
    tables: tuple[Mapping[str, Any], ...] = ({},)
    """Who sits against whom, where that can be set."""
    concede: float = 0.0
    """How likely somebody gives up at any choice, for each player more than two, where matches are long otherwise."""
    share: float = 1.0
    """What part of the seeds is enough, where matches are long."""
    first: tuple[int, ...] = ()
    """Seeds of unlike samples, for what is tried on a few of them."""
    batch: int = 5
    """How many matches are played at once under random options."""
    verified: int = 2
    """How many matches `verify` plays."""
    soaked: int = 5_000
    """How many matches a soak plays."""
    reading: str = ""
    """A reading under which a record is audited besides its own."""

    # -- actions ----------------------------------------------------------------------------------------------------
    out_of_turn: frozenset[str] | None = None
    """Verbs that a seat may use while it is not awaited; None: whatever it is offered then."""
    after_the_end: frozenset[str] = frozenset()
    """Verbs that a winner may still use when the match has its result."""
    never_carried_out: frozenset[str] = frozenset()
    """Verbs that random play cannot reach: nobody may take them, or only a hand-made position asks for them."""

    # -- rulebook ---------------------------------------------------------------------------------------------------
    per_chapter: tuple[int, ...] = ()
    """How many clauses each chapter has; ids are stable, so a number may only grow."""
    unsaid: frozenset[str] = frozenset()
    """Options that no sentence mentions."""
    silent: str = ""
    """How the words begin that may be empty in both languages."""
    never_cited_first: frozenset[str] = frozenset()
    """Checks that no position fails before an earlier one does: in this format all that is there is of the kind. Or
    one that is only cited where it holds, because a permission refuses nothing."""
    seen_elsewhere: frozenset[str] = frozenset()
    """Clauses whose effect alone the cases show; what the law tells by them is seen in the invariants."""
    invariants: int = 0
    """How many invariants its dossier names."""
    schemas: Mapping[str, str] = {}
    """Schemas of the first records by their rulesets' hashes: they are never taken away."""


def tried(key: str) -> Tried:
    """What is known of a game by its key."""
    module = f"{__name__}.{key}"
    found: Tried = import_module(module).TRIED if find_spec(module) else Tried()
    return found


def owe(key: str) -> None:
    """Skip a gate for a game that is only being begun."""
    if key not in FINISHED:
        pytest.skip(f"{key} has no fixtures/{key} yet: this gate is not asked of it")
