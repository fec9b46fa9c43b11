"""Which tests run: `--game KEY` leaves out what is about other games alone. Heavy ones bear the mark `deep`."""

import re
from pathlib import Path

import pytest

from domain.games import GAMES, POSITIONS

EVERY_GAME = frozenset((*GAMES, *POSITIONS))
RULES = Path(__file__).parent / "rules"
"""A game's rules have a folder of its name here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--game", metavar="KEY", help=f"leave out tests about other games: {', '.join(sorted(EVERY_GAME))}"
    )


def pytest_configure(config: pytest.Config) -> None:
    game = config.getoption("game")
    if game and game not in EVERY_GAME:
        raise pytest.UsageError(f"--game: no game {game!r}, only {', '.join(sorted(EVERY_GAME))}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Not even read the rules of other games."""
    game = config.getoption("game")
    return True if game and collection_path.parent == RULES and about_others(collection_path.name, game) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    game = config.getoption("game")
    if not game:
        return
    others = [item for item in items if about_others(item.nodeid, game)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if not about_others(item.nodeid, game)]


def about_others(name: str, game: str) -> bool:
    """Does a test's name name games, and not this one?"""
    named = EVERY_GAME.intersection(re.split(r"[^a-z0-9]+", name.lower()))
    return bool(named) and game not in named
