"""Visible things of a table."""

from collections.abc import Iterable, Iterator

from domain.table.redact import SeenCard, SeenPlace, View


def things_on(view: View) -> Iterator[tuple[SeenCard, SeenPlace]]:
    """Yield every card that the viewer can point at, with its place. Tied cards follow their host."""
    for place in (*view.shared, *(place for seat in view.seats for place in seat.places)):
        yield from ((card, place) for card in _list_with_tied(place.cards) if card.thing)


def _list_with_tied(cards: Iterable[SeenCard]) -> Iterator[SeenCard]:
    for card in cards:
        yield card
        yield from _list_with_tied(card.tied)
