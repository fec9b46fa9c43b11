"""Who holds the seats of matches: an invitation to a seat of an open match is an entry of the match."""

from collections.abc import Iterable

from domain.law.entries import Closed
from domain.table.table import Seat
from domain.words import Text
from recorder.keyring import Holder
from recorder.matches import note
from recorder.remarks import remark
from recorder.store import Conflict
from service.house import House

TRIES = 100
"""How often an entry is put behind those that others record at the same time."""


def record_invited(house: House, invited: Holder, by: str) -> None:
    """Record in each open match that somebody is invited to one of its seats: it shows a hand. Raises StoreError."""
    if not invited.seat:
        return
    for match in invited.matches:
        held = bool(house.keys.holders(match, invited.seat, house.clock()))
        key = "remark.seat_held" if held else "remark.seat"
        _record(house, match, by, Text(key, {"seat": invited.seat, "name": invited.name}))


def record_seated(house: House, match: str, seats: Iterable[Seat], by: str) -> None:
    """Record in a match that was opened just now which of its seats several people hold. Raises StoreError."""
    for seat in seats:
        holders = house.keys.holders(match, seat, house.clock())
        if len(holders) > 1:
            _record(house, match, by, Text("remark.seats", {"seat": seat, "n": len(holders)}))


def _record(house: House, match: str, by: str, says: Text) -> None:
    """Record a note in a match that is open; nothing in one that is not there or closed."""
    for _ in range(TRIES):
        version = house.store.version(match)
        if not version or any(isinstance(entry, Closed) for entry in house.store.read(match, after=version - 1)):
            return
        if not isinstance(note(house.store, match, by, remark("seat", says), at=house.clock()), Conflict):
            house.wake(match)
            return
