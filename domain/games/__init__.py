"""Registry of the games, by key. This is the only file that names them all."""

from typing import Final

from domain.law.registry import GameRegistry

GAMES: Final = GameRegistry(__name__, "blackpoker", "grimoire", "dea", "skillbook")
