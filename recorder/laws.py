"""The law a record is played by."""

from collections.abc import Mapping

import domain.games
from domain.law.entries import Entry, Opened
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError, load
from domain.law.unread import unread_law
from domain.words import Text, listed

Games = Mapping[str, Game]


def law_of(opened: Entry, games: Games | None = None) -> Law | Text:
    """The game, in the words of its cards then, and the rules a record is pinned to; or what stands against that."""
    if not isinstance(opened, Opened):
        return Text("match.not_opened")
    registry = _known(games)
    game = registry.get(opened.game)
    if game is None:
        if games is None and (broken := domain.games.GAMES.find_broken(opened.game)):
            return broken.text
        return Text("match.other_game", {"game": repr(opened.game), "games": listed(sorted(registry))})
    try:
        rules = load(game, opened.rules)
        return Law(game.under(rules), rules)
    except RulesetError as error:
        return error.text


def bare_law_of(opened: Opened, games: Games | None = None) -> Law:
    """What stands for the law of a record whose own is not known here, so that it can be looked at."""
    return unread_law(opened, _known(games).get(opened.game))


def _known(games: Games | None) -> Games:
    return domain.games.GAMES if games is None else games
