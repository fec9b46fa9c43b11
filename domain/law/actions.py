"""The actions that every game of two or more knows by the same verb: passing, giving up, the judge's end."""

from typing import ClassVar, Final

from domain.law.slots import Action, ASeat, Text
from domain.table.table import CardId, FrameId, Place, Seat

NO_SEAT: Final = Seat("")
NO_CARD: Final = CardId(0)
NO_FRAME: Final = FrameId(0)
NO_PLACE: Final = Place("")
"""What a slot holds that names nothing."""

PASS: Final = "pass"
CONCEDE: Final = "concede"
JUDGE_END: Final = "judge_end"
"""Their verbs, for what knows actions by the verb alone."""


class Pass(Action, frozen=True, tag=PASS):
    """Hand on what one holds (priority, chance) without acting."""


class Concede(Action, frozen=True, tag=CONCEDE):
    """Give the match up."""

    ends_match: ClassVar[bool] = True


class JudgeEnd(Action, frozen=True, tag=JUDGE_END):
    """The judge ends the match by decision; whether it may be without a winner the game says."""

    ends_match: ClassVar[bool] = True

    winner: ASeat = NO_SEAT
    reason: Text = ""
