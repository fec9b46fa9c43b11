"""BlackPoker (ブラックポーカー), editions 8.0 to 9.2, format Lite."""

from typing import Final

from domain.games.blackpoker import actions as A, clauses as C, rules as N
from domain.games.blackpoker.cards import NUMBER_OF
from domain.games.blackpoker.carry_out import interrupt, resume
from domain.games.blackpoker.offers import cosmetic
from domain.games.blackpoker.schema import NEXT_GENERATION
from domain.games.blackpoker.showing import DISPLAY
from domain.games.blackpoker.table_queries import SEATS, readings
from domain.law.game import Game
from domain.parts.packages import load_game

GAME: Final[Game[N.Rules, A.AnyAction]] = load_game(
    __package__,
    C.SHORTCUTS,
    regulations=N.REGULATIONS,
    regulations_of=N.REGULATIONS_OF,
    in_regulation=N.in_regulation,
    change_notes=N.CHANGE_NOTES,
    corrected=N.CORRECTED,
    seats=lambda rules: SEATS,
    display=DISPLAY,
    interrupt=interrupt,
    resume=resume,
    readings=readings,
    cosmetic=cosmetic,
    faces=lambda: tuple(NUMBER_OF),
    asks_open=True,
    face_splits=(NEXT_GENERATION,),
    copies=lambda rules, face: rules.deck_list.count(face),
    other_verbs=dict.fromkeys((*A.TRIGGERED, *A.OTHER_FORMATS), A.Unoffered),
)
