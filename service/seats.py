"""Who holds the seats of matches: the entries that say so, and those who watch the match told of them."""

from collections.abc import Iterable

from domain.table.table import Seat
from recorder import seating
from recorder.keyring import Holder
from service.house import House


def record_invited(house: House, invited: Holder, by: str) -> None:
    """Record in each open match where somebody is invited to a seat that they are: it shows a hand. Raises
    StoreError."""
    for match in seating.record_invited(house.store, house.keys, invited, by, house.clock()):
        house.wake(match)


def record_seated(house: House, match: str, seats: Iterable[Seat], by: str) -> None:
    """Record in a match that was opened just now who holds its seats. Raises StoreError."""
    if seating.record_seated(house.store, house.keys, match, seats, by, house.clock()):
        house.wake(match)
