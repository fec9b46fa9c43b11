"""Test settings of each game: one module per game, with defaults for games that have none."""

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
"""Games for tests only that keep every law. Each has a feature that no real game has."""
PLAYED: Mapping[str, Game] = {**GAMES, **TOYS}
NO_GAME = "no-such-game"
FIXTURES = Path(__file__).parents[2] / "fixtures"
FINISHED = tuple(key for key in sorted(GAMES) if (FIXTURES / key).is_dir())
"""Games that have fixtures and must pass every gate in CONTRIBUTING.md."""

Presumed = Literal["frames", "secrets", "chance"]


class Tried(Struct, frozen=True, kw_only=True):
    """Test settings of a game. The defaults suit a game without settings."""

    lacks: frozenset[Presumed] | None = None
    """Features that the game lacks. None: not declared, inferred from its matches."""

    # -- random matches ---------------------------------------------------------------------------------------------
    numbers: Mapping[str, tuple[Any, ...]] = {}
    """Values of numeric options to draw in addition to the switchable ones."""
    undrawn: frozenset[str] = frozenset()
    """Options that keep their defaults, because a value would end matches of the sample decks before any action."""
    tables: tuple[Mapping[str, Any], ...] = ({},)
    concede: float = 0.0
    """Probability that a player concedes at each choice, per player above two, to shorten long matches."""
    share: float = 1.0
    first: tuple[int, ...] = ()
    """Seeds of dissimilar samples, for tests that use only a few."""
    batch: int = 5
    verified: int = 2
    soaked: int = 5_000
    reading: str = ""

    # -- actions ----------------------------------------------------------------------------------------------------
    out_of_turn: frozenset[str] | None = None
    """Verbs that a seat may use out of turn. None: every verb it is offered."""
    after_the_end: frozenset[str] = frozenset()
    never_carried_out: frozenset[str] = frozenset()
    """Verbs that random play cannot reach: no player may use them, or only a constructed position requires them."""

    # -- rulebook ---------------------------------------------------------------------------------------------------
    per_chapter: tuple[int, ...] = ()
    """Number of clauses per chapter. Ids are stable, so a number may only grow."""
    unsaid: frozenset[str] = frozenset()
    silent: str = ""
    """Prefix of the words that may be empty in both languages."""
    never_cited_first: frozenset[str] = frozenset()
    """Checks that no position fails before an earlier check fails, and permissions, which refuse nothing."""
    seen_elsewhere: frozenset[str] = frozenset()
    """Clauses whose facts are covered by the invariants; the cases show only their effects."""
    invariants: int = 0
    schemas: Mapping[str, str] = {}
    """Schemas of the first records, by ruleset hash. Never remove one."""


def tried(key: str) -> Tried:
    module = f"{__name__}.{key}"
    found: Tried = import_module(module).TRIED if find_spec(module) else Tried()
    return found


def owe(key: str) -> None:
    if key not in FINISHED:
        pytest.skip(f"{key} has no fixtures/{key} yet: this gate is not asked of it")
