"""Where the cards of a seat lie, and as which object a card lies there."""

from collections.abc import Callable
from functools import cache

from domain.table.table import CardId, Obj, Place, Seat, Table


@cache
def at(seat: Seat, area: str) -> Place:
    """A seat's place."""
    return Place(f"{seat}.{area}")


class Places(dict[Seat, Place]):
    """Every seat's place in one area: what is asked for most is looked up by the seat alone."""

    def __init__(self, area: str) -> None:
        super().__init__()
        self._area = area

    def __missing__(self, seat: Seat) -> Place:
        place = self[seat] = at(seat, self._area)
        return place


def row_of(area: str) -> Callable[[Table, Seat], tuple[CardId, ...]]:
    """The cards of a seat in an area, in the order in which they lie."""
    places = Places(area)

    def row(t: Table, seat: Seat) -> tuple[CardId, ...]:
        return t.places.get(places[seat], ())

    return row


def obj(t: Table, card: CardId) -> Obj:
    """A card as the object it is now, to be recognised later."""
    return Obj(card, t.pieces[card].thing)
