"""Laws are skipped only on games that lack what the law requires."""

import pytest

from domain.games import GAMES
from tests.games import FINISHED, NO_GAME, PLAYED, TOYS, Tried, tried
from tests.laws.presumed import lacks, presume


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_a_game_lacks_what_it_is_stated_to_lack(key: str) -> None:
    """Without this, a schema or rules that lost their secrets by mistake would be skipped instead of failing."""
    stated = tried(key).lacks
    if stated is None:
        pytest.skip(f"nobody states what {key} lacks; its matches lack {sorted(lacks(key)) or 'nothing'}")
    assert lacks(key) == stated


def test_nothing_is_lacking_in_our_games_and_everything_in_a_toy() -> None:
    assert {"blackpoker", "grimoire"} <= set(FINISHED) <= set(GAMES)
    assert lacks("blackpoker") == lacks("grimoire") == frozenset()
    assert {len(lacks(key)) for key in TOYS} == {3}


def test_what_is_skipped_says_why_and_how_much_was_looked_through() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"stones has no chance: none in \d+ matches of \d\d+ entries"):
        presume("stones", "chance", "secrets")
    presume("blackpoker", "frames", "secrets", "chance")


def test_a_game_without_a_file_is_tried_by_the_defaults() -> None:
    assert tried(NO_GAME) == Tried() and NO_GAME not in PLAYED
    assert tried("blackpoker") != Tried()
