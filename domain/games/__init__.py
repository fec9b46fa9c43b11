"""The games, by key. The only file that names them all."""

from importlib import import_module
from typing import Final

from domain.games import blackpoker, dea, grimoire, skillbook
from domain.law.game import Game
from domain.law.sketch import Sketch

GAMES: Final[dict[str, Game]] = {game.key: game for game in (blackpoker.GAME, grimoire.GAME, dea.GAME, skillbook.GAME)}

POSITIONS: Final[tuple[str, ...]] = ()
"""Games that have a table but no law yet: their cases are checked as positions."""


def sketch_of(key: str) -> Sketch | None:
    """What is known of a game without law; None if there is no such game."""
    if key not in POSITIONS:
        return None
    known: Sketch = import_module(f"{__name__}.{key}").SKETCH
    return known
