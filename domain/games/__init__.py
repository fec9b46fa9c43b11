"""The games, by key. The only file that names them all."""

from domain.games import blackpoker
from domain.law.game import Game

GAMES: dict[str, Game] = {game.key: game for game in (blackpoker.GAME,)}
