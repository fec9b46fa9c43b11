"""Direct effects of the actions of Stepping Stones."""

from typing import Any

from domain.law.actions import Concede
from domain.law.live import LiveTable
from domain.parts.grid import square_of
from domain.table import facts as F
from domain.table.table import CardId, Clock, Result, Seat
from tests.toys.stones import clauses as C
from tests.toys.stones.actions import Accept, Move, Offer
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import OFFERING, PLAY, WORN, place_of
from tests.toys.stones.table_queries import RUNNER, WALKER, bank, opponent, standing


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    match action:
        case Move(card, word):
            _step(t, actor, card, word)
        case Offer():
            t.emit(C.OFFERED, F.Marked(actor, OFFERING, 1))
        case Accept():
            t.emit(C.AGREED, F.Finished(Result((), "agreed")))
        case Concede():
            t.emit(C.GIVEN_UP, F.Finished(Result((opponent(actor),), "conceded")))


def _step(t: LiveTable, actor: Seat, card: CardId, word: str) -> None:
    taken, name = standing(t, word), f"{WORN}.{word}"
    if taken is not None and taken != card:
        t.emit(C.TAKEN, F.Removed((taken,)))
    t.emit(C.NAMED, F.Moved((card,), place_of(word), up=True))
    t.emit(C.UNDER_WATER, F.Marked(None, name, t.marks.get(name, 0) + 1))
    piece = t.pieces[card]
    if piece.face == WALKER and square_of(piece.place).row == bank(opponent(piece.owner)):
        t.emit(C.RUNNER, F.Removed((card,)))
        t.emit(C.RUNNER, F.Created(place_of(word), (CardId(max(t.pieces, default=card) + 1),), (RUNNER,), piece.owner))
    t.emit(C.BY_TURNS, F.Clocked(Clock(t.clock.turn, actor, t.clock.first, PLAY)))


def resume(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    """End the turn of the seat that stepped or accepted."""
    if isinstance(action, Move | Accept):
        t.emit(C.BY_TURNS, F.Clocked(Clock(t.clock.turn, actor, t.clock.first, PLAY, "", (actor,))))
