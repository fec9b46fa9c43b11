"""A table that is being changed. Dicts are copied before their first write after a freeze."""

from collections.abc import Mapping

from domain.table.table import CardId, Piece, Place, Seat, Table


class Draft(Table):
    """A mutable table. Only `evolve` and `folding` write to it.

    `cards_changed` is True if a card or a place may have changed since a law set it to False.
    """

    __slots__ = ("_own_pieces", "_own_places", "_own_seats", "cards_changed")

    def __init__(self, table: Table) -> None:
        self.pieces = table.pieces
        self.places = table.places
        self.seats = table.seats
        self.marks = table.marks
        self.stack = table.stack
        self.running = table.running
        self.waiting = table.waiting
        self.asked = table.asked
        self.effects = table.effects
        self.clock = table.clock
        self.minted = table.minted
        self.framed = table.framed
        self.begun = table.begun
        self.result = table.result
        self._own_pieces: dict[CardId, Piece] | None = None
        self._own_places: dict[Place, tuple[CardId, ...]] | None = None
        self._own_seats: dict[Seat, Mapping[str, int]] | None = None
        self.cards_changed = True

    def writable_pieces(self) -> dict[CardId, Piece]:
        self.cards_changed = True
        if self._own_pieces is None:
            self.pieces = self._own_pieces = dict(self.pieces)
        return self._own_pieces

    def writable_places(self) -> dict[Place, tuple[CardId, ...]]:
        self.cards_changed = True
        if self._own_places is None:
            self.places = self._own_places = dict(self.places)
        return self._own_places

    def writable_seats(self) -> dict[Seat, Mapping[str, int]]:
        if self._own_seats is None:
            self.seats = self._own_seats = dict(self.seats)
        return self._own_seats

    def freeze(self) -> Table:
        """Return the present table. Later writes go to copies."""
        self._own_pieces = self._own_places = self._own_seats = None
        return Table(
            self.pieces,
            self.places,
            self.seats,
            self.marks,
            self.stack,
            self.running,
            self.waiting,
            self.asked,
            self.effects,
            self.clock,
            self.minted,
            self.framed,
            self.begun,
            self.result,
        )
