"""Direct effects of the actions of Stepping Stones."""

from typing import Any

from domain.law.actions import Concede
from domain.law.live import Live
from domain.parts.grid import square_of
from domain.table import facts as F
from domain.table.table import CardId, Clock, Result, Seat
from tests.toys.stones import clauses as C
from tests.toys.stones.actions import Accept, Move, Offer
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import OFFERING, PLAY, WORN, place_of
from tests.toys.stones.table_queries import RUNNER, WALKER, bank, opponent, standing


def carry_out(rules: Rules, t: Live, actor: Seat, action: Any) -> None:
    match action:
        case Move(card, word):
            _step(t, actor, card, word)
        case Offer():
            t.tell(C.OFFERED, F.Marked(actor, OFFERING, 1))
        case Accept():
            t.tell(C.AGREED, F.Finished(Result((), "agreed")))
        case Concede():
            t.tell(C.GIVEN_UP, F.Finished(Result((opponent(actor),), "conceded")))


def _step(t: Live, actor: Seat, card: CardId, word: str) -> None:
    taken, name = standing(t, word), f"{WORN}.{word}"
    if taken is not None and taken != card:
        t.tell(C.TAKEN, F.Removed((taken,)))
    t.tell(C.NAMED, F.Moved((card,), place_of(word), up=True))
    t.tell(C.UNDER_WATER, F.Marked(None, name, t.marks.get(name, 0) + 1))
    piece = t.pieces[card]
    if piece.face == WALKER and square_of(piece.place).row == bank(opponent(piece.owner)):
        t.tell(C.RUNNER, F.Removed((card,)))
        t.tell(C.RUNNER, F.Created(place_of(word), (CardId(max(t.pieces, default=card) + 1),), (RUNNER,), piece.owner))
    t.tell(C.BY_TURNS, F.Clocked(Clock(t.clock.turn, actor, t.clock.first, PLAY)))


def resume(rules: Rules, t: Live, actor: Seat, action: Any) -> None:
    """End the turn of the seat that stepped or accepted."""
    if isinstance(action, Move | Accept):
        t.tell(C.BY_TURNS, F.Clocked(Clock(t.clock.turn, actor, t.clock.first, PLAY, "", (actor,))))
