"""Who holds the seats of matches: an invitation to a seat of an open match is an entry of the match."""

from collections.abc import Iterable

from domain.table.table import Seat
from domain.words import Text
from recorder.answers import Recorded
from recorder.keyring import Holder
from recorder.matches import note
from recorder.remarks import remark
from recorder.store import Conflict
from service.house import House
from service.recording import TRIES


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
    """Record a note in a match; nothing in one that is not open."""
    for _ in range(TRIES):
        done = note(house.store, match, by, remark("seat", says), at=house.clock())
        if isinstance(done, Recorded):
            house.wake(match)
        if not isinstance(done, Conflict):
            return
