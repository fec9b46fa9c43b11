"""The law a record is played by."""

from collections.abc import Mapping
from typing import Any

import domain.games
from domain.law.entries import Entry, Opened
from domain.law.game import Game
from domain.law.rulesets import RulesetError, load
from domain.words import Text

Games = Mapping[str, Game]


def law_of(opened: Entry, games: Games | None = None) -> tuple[Game, Any] | Text:
    """The game and the rules a record is pinned to, or what stands against loading them."""
    if not isinstance(opened, Opened):
        return Text("match.not_opened")
    registry = domain.games.GAMES if games is None else games
    game = registry.get(opened.game)
    if game is None:
        return Text("match.other_game", {"game": repr(opened.game), "games": ", ".join(sorted(registry))})
    try:
        return game, load(game, opened.rules)
    except RulesetError as error:
        return error.text
