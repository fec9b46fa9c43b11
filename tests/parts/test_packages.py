"""The optional functions that each game's modules define. A misspelt one would be ignored without an error."""

import pytest

from domain.games import GAMES
from domain.parts.packages import find_parts

COMMON = ["carry_out", "chance", "checks", "deck", "deck_checks", "offers", "plain", "schema", "set_up", "settle"]
OWN = {
    "blackpoker": ["named_decks"],
    "grimoire": ["readings"],
    "dea": ["fits", "interrupt", "readings", "resume", "seats"],
    "skillbook": ["fits", "interrupt", "readings", "resume", "seats"],
}


@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_a_game_is_found(game: str) -> None:
    assert sorted(name for name, _ in find_parts(f"domain.games.{game}")) == sorted([*COMMON, *OWN[game]])
