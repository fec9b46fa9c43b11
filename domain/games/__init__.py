"""The games, by key. The only file that names them all."""

from typing import Final

from domain.law.registry import GameRegistry

GAMES: Final = GameRegistry(__name__, "blackpoker", "grimoire", "dea", "skillbook")
