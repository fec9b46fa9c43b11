"""Skillbook: a hero, a book of skills that is both draw pile and currency, and a map of terrains to explore."""

from typing import Final

from domain.games.skillbook import clauses as C
from domain.games.skillbook.actions import AnyAction
from domain.games.skillbook.effects.queueing import MILLED
from domain.games.skillbook.rules import Rules
from domain.law.game import Game
from domain.parts.packages import load_card_game

GAME: Final[Game[Rules, AnyAction]] = load_card_game(__package__, C.TIME_CALLED, face_splits=(MILLED,))
