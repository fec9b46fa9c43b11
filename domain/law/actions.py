"""The actions that every game of two or more knows by the same verb: passing, giving up, the judge's end."""

from domain.law.slots import Action, ASeat, Text
from domain.table.table import CardId, FrameId, Seat

NO_SEAT, NO_CARD, NO_FRAME = Seat(""), CardId(0), FrameId(0)
"""What a slot holds that names nothing."""


PASS, CONCEDE = "pass", "concede"
"""Their verbs, for what knows actions by the verb alone."""


class Pass(Action, frozen=True, tag=PASS):
    """Hand on what one holds (priority, chance) without acting."""


class Concede(Action, frozen=True, tag=CONCEDE):
    """Give the match up."""


class JudgeEnd(Action, frozen=True, tag="judge_end"):
    """The judge ends the match by decision; whether it may be without a winner the game says."""

    winner: ASeat = NO_SEAT
    reason: Text = ""
