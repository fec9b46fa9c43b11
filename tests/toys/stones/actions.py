"""Actions of Stepping Stones."""

from typing import Annotated, Final

from domain.law.actions import Concede
from domain.law.slots import Action, Slot
from domain.table.table import CardId
from tests.toys.stones.schema import BOARD, STONES

APiece = Annotated[CardId, Slot("card", areas=(BOARD,))]
AStone = Annotated[str, Slot("word", words=STONES)]


class Move(Action, frozen=True, omit_defaults=True, tag="move"):
    piece: APiece = CardId(0)
    at: AStone = ""


class Offer(Action, frozen=True, omit_defaults=True, tag="offer"):
    pass


class Accept(Action, frozen=True, omit_defaults=True, tag="accept"):
    pass


ACTION_TYPES: Final = (Move, Offer, Accept, Concede)
