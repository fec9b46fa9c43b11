"""Who holds the seats of matches: the entries that say so, and those who watch the match told of them."""

from collections.abc import Iterable

from domain.table.table import Seat
from recorder import seating
from service.house import House


def record_seated(house: House, match: str, seats: Iterable[Seat], by: str) -> None:
    """Record in a match that was opened just now who holds its seats. Raises StoreError."""
    if seating.record_seated(house.store, house.keys, match, seats, by, house.clock()):
        house.wake(match)
