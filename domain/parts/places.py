"""Places of a seat's cards, and references to cards as objects."""

from collections.abc import Callable
from functools import cache

from domain.table.table import CardId, Obj, Place, Seat, Table


@cache
def place_in(seat: Seat, area: str) -> Place:
    return Place(f"{seat}.{area}")


class Places(dict[Seat, Place]):
    """Each seat's place in an area, cached because lookups are frequent."""

    def __init__(self, area: str) -> None:
        super().__init__()
        self._area = area

    def __missing__(self, seat: Seat) -> Place:
        place = self[seat] = place_in(seat, self._area)
        return place


def row_of(area: str) -> Callable[[Table, Seat], tuple[CardId, ...]]:
    """Return a reader of a seat's cards in an area, in their order."""
    places = Places(area)

    def row(t: Table, seat: Seat) -> tuple[CardId, ...]:
        return t.places.get(places[seat], ())

    return row


def obj(t: Table, card: CardId) -> Obj:
    """Return a reference to a card as the object it is on this table."""
    return Obj(card, t.pieces[card].thing)
