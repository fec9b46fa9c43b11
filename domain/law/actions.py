"""Actions that games of two or more seats share: passing, conceding and the judge's end."""

from typing import ClassVar, Final

from domain.law.slots import Action, ASeat, Text
from domain.table.table import CardId, FrameId, Place, Seat

NO_SEAT: Final = Seat("")
NO_CARD: Final = CardId(0)
NO_FRAME: Final = FrameId(0)
NO_PLACE: Final = Place("")
"""Values of slots that name nothing."""

PASS: Final = "pass"
CONCEDE: Final = "concede"
JUDGE_END: Final = "judge_end"


class Pass(Action, frozen=True, tag=PASS):
    """Pass priority or a chance to act."""


class Concede(Action, frozen=True, tag=CONCEDE):
    ends_match: ClassVar[bool] = True


class JudgeEnd(Action, frozen=True, tag=JUDGE_END):
    """The judge ends the match by decision. The game says whether it may end without a winner."""

    ends_match: ClassVar[bool] = True

    winner: ASeat = NO_SEAT
    reason: Text = ""
