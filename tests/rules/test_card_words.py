"""Words of cards and of the rulebook: no card word hides a rulebook word, except those listed here."""

from importlib import import_module

import pytest

from domain.games import GAMES
from domain.law.rulebook import load_rulebook

SHARED = {"dea": {"double_dash", "spring", "toll"}}
"""Names of abilities that are also rulebook words; the rulebook's meaning is shown."""


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.pools is not None])
def test_cards_and_the_rulebook_share_no_word(game: str) -> None:
    package, pools = f"domain.games.{game}", GAMES[game].pools
    assert pools is not None
    words = load_rulebook(package).words
    for pool in pools.cards_by_pool:
        named = import_module(f"{package}.showing").words(pool)
        assert set(named) & set(words) == SHARED.get(game, set()), pool
        assert all(GAMES[game].rulebook.words[code] == words[code] for code in SHARED.get(game, ()))
