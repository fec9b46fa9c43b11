"""A game that fails to load is named, and commands on matches of other games work."""

import json
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.law.registry import BrokenGame
from tests.cli.runs import fine, inside

WHY = "domain/games/dea/cards.py, line 12: NameError: no such name"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store with a match of BlackPoker and a match of DEA, which fails to load."""
    store = tmp_path / "s.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--match", "cards", "--seed", "1")
    decks = [part for seat in ("p1", "p2") for part in ("--deck", f"{seat}={next(iter(GAMES['dea'].named_decks()))}")]
    fine(store, "new", "dea@1", "--match", "writers", "--seed", "1", *decks)
    monkeypatch.setattr(GAMES, "loaded", {key: game for key, game in GAMES.items() if key != "dea"})
    file, _, rest = WHY.partition(", line ")
    monkeypatch.setattr(GAMES, "broken", {"dea": BrokenGame("dea", file, int(rest.partition(":")[0]), rest[4:])})
    return store


def test_it_is_named_wherever_it_is_asked_for_and_the_others_go_on(store: Path) -> None:
    for command in (("games",), ("rulebook", "dea"), ("show", "writers"), ("do", "writers", "pass"), ("new", "dea@1")):
        refused = inside(store, *command)
        assert refused.code == 2 and WHY in refused.err, refused
    listed = inside(store, "games", "--json")
    assert [game["game"] for game in json.loads(listed.out)] == ["blackpoker", "grimoire", "skillbook"]
    assert "writers" in fine(store, "matches").out and "cards" in fine(store, "matches").out
    assert "bulwarks" in fine(store, "show", "cards").out
