"""Grimoire (グリモア): a spell duel with card text, for two to four players."""

from typing import Final

from domain.games.grimoire import clauses as C
from domain.games.grimoire.actions import AnyAction
from domain.games.grimoire.carry_out import interrupt, resume
from domain.games.grimoire.resolution import awaited
from domain.games.grimoire.rules import Rules, seats_of
from domain.games.grimoire.schema import BOOKMARK
from domain.law.game import Game
from domain.parts.packages import load_card_game

GAME: Final[Game[Rules, AnyAction]] = load_card_game(
    __package__,
    C.TIME_DECISION,
    seats=lambda rules: seats_of(rules.player_count),
    awaited=awaited,
    interrupt=interrupt,
    resume=resume,
    side_area=BOOKMARK,
)
