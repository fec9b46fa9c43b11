"""Who holds the seats of matches: the entries that say so, and those who watch the match told of them."""

from collections.abc import Iterable

from domain.table.table import Seat
from recorder import seating
from service.context import AppContext


def record_seated(context: AppContext, match: str, seats: Iterable[Seat], by: str) -> None:
    """Record in a match that was opened just now who holds its seats. Raises StoreError."""
    if seating.record_seated(context.store, context.keys, match, seats, by, context.clock()):
        context.wake(match)
