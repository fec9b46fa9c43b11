"""The games, by key. The only file that names them all."""

from typing import Final

from domain.games import blackpoker, dea, grimoire, skillbook
from domain.law.game import Game

GAMES: Final[dict[str, Game]] = {game.key: game for game in (blackpoker.GAME, grimoire.GAME, dea.GAME, skillbook.GAME)}
