"""Units that come onto the board without entering it: monsters and tokens."""

from typing import Final

from domain.games.skillbook import board as B, clauses as C, schema as S
from domain.games.skillbook.effects.arrival import BY_SUMMON, arrive
from domain.games.skillbook.rules import Rules
from domain.law.clause import carries
from domain.law.live import Live
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import CardId, Seat

_STANCES: Final = {"resting": S.RESTING, "active": S.ACTIVE, "exhausted": S.EXHAUSTED}


@carries(C.SUMMONED_STATE)
def enter_resting(rules: Rules, t: Live, one: CardId, square: Square) -> None:
    """A unit that was summoned or created cannot act yet."""
    stance = _STANCES[rules.summoned_unit_state]
    if stance != S.ACTIVE:
        t.tell(C.SUMMONED_STATE, F.Stanced((one,), stance))
    arrive(t, one, square, BY_SUMMON)


def summon(rules: Rules, t: Live, card: CardId, square: Square) -> None:
    """A monster comes to its square."""
    t.tell(C.SUMMON_SQUARE, F.Moved((card,), B.on_square(square), up=True))
    enter_resting(rules, t, card, square)


@carries(C.TOKENS_REMOVED)
def make_token(rules: Rules, t: Live, seat: Seat, face: str, square: Square) -> None:
    """A token is created: it is no card."""
    new = CardId(max(t.pieces) + 1)
    t.tell(C.TOKENS_REMOVED, F.Created(B.on_square(square), (new,), (face,), seat))
    t.tell(C.TOKENS_REMOVED, F.Turned((new,), True))
    enter_resting(rules, t, new, square)
