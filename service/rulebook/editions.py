"""Selection of an edition and regulation."""

from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.law.game import Game
from domain.law.rulesets import RulesetError, make_ruleset, pin_cards
from service.problems import http_problem


def edition_of(name: str, version: str = "", frame: str = "") -> tuple[Game, str, object]:
    """Return the game with the texts of the edition, the edition, and its rules. Raises HttpProblem if unknown."""
    if broken := GAMES.find_broken(name):
        raise http_problem("unknown", broken.text)
    if name not in GAMES:
        raise http_problem("unknown", explain_unknown("game", name, GAMES))
    game = GAMES[name]
    version = version or tuple(game.versions)[-1]
    try:
        rules = pin_cards(game, make_ruleset(game, version, frame))
    except RulesetError as error:
        raise http_problem("unknown", error.text) from None
    return game.under(rules), version, rules
