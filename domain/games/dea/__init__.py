"""DEA (Deus Ex Ark): two writers, their characters on a map, hidden foreshadows, and a stack with hooks."""

from typing import Final

from domain.games.dea import clauses as C
from domain.games.dea.actions import AnyAction
from domain.games.dea.rules import Rules
from domain.law.game import Game
from domain.parts.packages import load_card_game

GAME: Final[Game[Rules, AnyAction]] = load_card_game(
    __package__, C.TIME_CALLED, endless=lambda rules: rules.turns_max is None
)
