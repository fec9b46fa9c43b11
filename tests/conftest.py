"""Which tests run, and what they make: `--game KEY` leaves out what is about other games alone, `--update` runs only
what compares text with a file and writes the file anew. Heavy tests bear the mark `deep`."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.games import GAMES, POSITIONS

EVERY_GAME = frozenset((*GAMES, *POSITIONS))
RULES = Path(__file__).parent / "rules"
"""A game's rules have a folder of its name here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="KEY", help="leave out what is about other games alone")
    parser.addoption("--update", action="store_true", help="write anew the files that tests compare texts with")


def pytest_configure(config: pytest.Config) -> None:
    game = config.getoption("game")
    if game and game not in EVERY_GAME:
        raise pytest.UsageError(f"--game: no game {game!r}, only {', '.join(sorted(EVERY_GAME))}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Not even read the rules of other games."""
    game = config.getoption("game")
    return True if game and collection_path.parent == RULES and about_others(collection_path.name, game) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    game, update = config.getoption("game"), config.getoption("update")
    if not game and not update:
        return
    kept, left_out = [], []
    for item in items:
        unwanted = (game and about_others(item.nodeid, game)) or (update and not golden(item))
        (left_out if unwanted else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def about_others(name: str, game: str) -> bool:
    """Does a test's name name games, and not this one?"""
    named = EVERY_GAME.intersection(re.split(r"[^a-z0-9]+", name.lower()))
    return bool(named) and game not in named


def golden(item: pytest.Item) -> bool:
    """Does a test compare text with a file?"""
    return "same_as_file" in getattr(item, "fixturenames", ())


@pytest.fixture
def same_as_file(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Hold a text against the file that it is kept in; with `--update` the file is written first."""

    def hold(path: Path, text: str) -> None:
        if request.config.getoption("update"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is old: make fixtures, or pytest --update"

    return hold
