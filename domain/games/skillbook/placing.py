"""Where a card that was drawn, retrieved or recalled may go, and what makes way for it."""

from typing import Final

from domain.games.skillbook import actions as A, clauses as C, reading as R, schema as S
from domain.games.skillbook.rules import Rules
from domain.law.clause import Clause, carries
from domain.table.table import CardId, Seat, Table

SHIFTING: Final = ("shift", "discard_hand", "discard_table_shift")
"""Modes that name a hand card."""
GIVING: Final = ("discard_table", "discard_table_shift")
"""Modes that name a card of the table."""


def wrong_placing(rules: Rules, t: Table, actor: Seat, action: A.PlaceCard) -> Clause | None:
    """The clause that a placing fails first; None if it may be made."""
    card, mode = action.card, action.mode
    if card not in R.drawn(t, actor) or not mode:
        return C.TURN_DRAW
    free, room = R.free_slots(rules, t, actor), rules.hand_most - len(R.hand(t, actor))
    wrong = _wrong_mode(rules, t, card, mode, free, room)
    if wrong is not None:
        return wrong
    if (mode in SHIFTING) != bool(action.held) or (action.held and action.held not in R.hand(t, actor)):
        return C.EXISTING_AND_USABLE
    if mode in GIVING:
        if action.gone not in R.table(t, actor):
            return C.EXISTING_AND_USABLE
        return None if R.owner(t, action.gone) == actor else C.CURSE_STAYS_ITS_OWNERS
    return C.EXISTING_AND_USABLE if action.gone else None


@carries(C.ROOM, C.OVERFLOW, C.TRUMP_SHIFTED, C.NO_DISCARD_WITH_ROOM, C.RECALL, C.RECALL_OVERFLOW)
def _wrong_mode(rules: Rules, t: Table, card: CardId, mode: str, free: int, room: int) -> Clause | None:
    full = free <= 0 and room <= 0
    match mode:
        case "to_table":
            if free <= 0:
                return C.ROOM
            return C.RECALL if room > 0 and R.mark(t, card, S.RECALLED) else None
        case "to_hand":
            return None if room > 0 else C.ROOM
        case "shift":
            return None if rules.trump_comes_down and room <= 0 and free > 0 else C.TRUMP_SHIFTED
        case _:
            return None if full else C.NO_DISCARD_WITH_ROOM
