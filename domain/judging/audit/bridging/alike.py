"""How a table reads where cards that nobody could tell apart are one and the same."""

from collections.abc import Hashable, Iterator
from typing import Any, Final

from domain.table.physics import Physics
from domain.table.redact import Eyes
from domain.table.table import LANES, CardId, Columns, Frame, Obj, Piece, Table, lane, same

Key = tuple[Hashable, ...]
"""What is read off a table: two that read the same are the same, but for which of several like cards is which."""

_NEW: Final = CardId(0)
"""Whom all cards are like that came into being since."""
_PLAIN: Final = ("seats", "places", "numbers", "words")
"""Columns that name no card and no frame."""


class Alike:
    """The cards of a table that nobody can tell apart: where they lie, and in all that is known of them."""

    def __init__(self, physics: Physics, table: Table) -> None:
        eyes, pointed = Eyes(physics), set(_pointed_at(table))
        first: dict[Hashable, CardId] = {}
        self._like: dict[CardId, CardId] = {}
        self._pieces: dict[tuple[CardId, int], tuple[Piece, Key]] = {}
        for card in sorted(table.pieces):
            piece = table.pieces[card]
            if card in pointed or eyes.follows(table, card):
                self._like[card] = card
            else:
                self._like[card] = first.setdefault((piece.place, piece.owner, *self._reads(card, piece)[1:]), card)

    def like(self, card: CardId) -> CardId:
        """The one card that stands for all that are like it."""
        return self._like.get(card, _NEW)

    def same_kind(self, one: CardId) -> Iterator[CardId]:
        """All cards like it that there were."""
        return (card for card, like in self._like.items() if like == one)

    def _reads(self, card: CardId, piece: Piece) -> Key:
        """What is known of a card where it lies."""
        known = self._pieces.get((card, id(piece)))
        if known is None:
            marks = tuple(sorted(piece.marks.items()))
            host = self.like(piece.host) if piece.host else 0
            told = (self._like.get(card, _NEW), piece.face, piece.controller, piece.up, piece.stance, host, piece.seen)
            known = self._pieces[card, id(piece)] = piece, (*told, marks)
        return known[1]

    def reads(self, table: Table) -> Key:
        """The whole table: two from which a match goes on alike read the same."""
        pieces = table.pieces
        rows = tuple(
            (place, tuple([self._reads(card, pieces[card]) for card in row]))
            for place, row in sorted(table.places.items())
            if row
        )
        seats = tuple((seat, tuple(sorted(marks.items()))) for seat, marks in table.seats.items())
        lanes = tuple(self.lane(table, name) for name in LANES)
        marks = tuple(sorted(table.marks.items()))
        return rows, seats, marks, lanes, self.effects(table), table.clock, table.result

    def row(self, table: Table, place: Any) -> Key:
        """Which kinds of cards lie in a place, one behind the other."""
        return tuple(self.like(card) for card in table.places.get(place, ()))

    def lane(self, table: Table, name: Any) -> Key:
        """The frames of one lane, whatever their numbers are."""
        numbers = {frame.id: at for at, frame in enumerate(each for other in LANES for each in lane(table, other))}
        return tuple(self._frame(table, frame, numbers) for frame in lane(table, name))

    def _frame(self, table: Table, frame: Frame, numbers: dict[Any, int]) -> Key:
        todo = tuple((each.path, each.seat) for each in frame.todo)
        serves = tuple(numbers.get(wanted, -1) for wanted in frame.frames)
        return frame.kind, frame.by, frame.step, frame.face, todo, serves, *self._columns(table, frame)

    def effects(self, table: Table) -> Key:
        """What goes on, the oldest first, whatever its numbers are."""
        return tuple(
            (
                *(each.kind, each.by, each.until, each.since, each.face, each.path, self._obj(table, each.source)),
                tuple(self._obj(table, obj) for obj in each.on),
                *self._columns(table, each),
            )
            for each in table.effects
        )

    def _columns(self, table: Table, said: Columns) -> Key:
        return (
            tuple(self._obj(table, obj) for obj in said.objs),
            tuple((self._obj(table, left), self._obj(table, right)) for left, right in said.pairs),
            tuple(self._where(table, card) for card in said.cards),
            *(getattr(said, name) for name in _PLAIN),
        )

    def _obj(self, table: Table, obj: Obj) -> Key:
        return (*self._where(table, obj.card), same(table, obj))

    def _where(self, table: Table, card: CardId) -> Key:
        """A card that is pointed at: what is known of it, and where it lies."""
        piece = table.pieces.get(card)
        return (self.like(card),) if piece is None else (piece.place, *self._reads(card, piece))


def _pointed_at(table: Table) -> Iterator[CardId]:
    """Every card that something on the table names."""
    yield from (piece.host for piece in table.pieces.values() if piece.host)
    for said in (*table.effects, *(frame for name in LANES for frame in lane(table, name))):
        yield from (obj.card for obj in said.objs)
        yield from (obj.card for pair in said.pairs for obj in pair)
        yield from said.cards
    for effect in table.effects:
        yield effect.source.card
        yield from (obj.card for obj in effect.on)
