"""Fair shuffles: what seats pledge themselves to before the deal, and the seed in force once they have revealed it.

The scheme itself stands in `domain.law.croupier`.
"""

import re
from collections.abc import Sequence
from typing import Final

from domain.law import croupier
from domain.law.docket import Docket, docket_of
from domain.law.entries import Entry, Opened, Pledged, opened_of
from domain.table.table import Seat
from domain.words import Text, listed

_PLEDGE: Final = re.compile("[0-9a-f]{64}")


def misfit_pledge(opened: Opened) -> Text | None:
    """What keeps pledges from being those of a match, if anything does."""
    if not isinstance(opened, Pledged):
        return None
    if not opened.pledges:
        return Text("pledge.nobody")
    for seat, pledge in opened.pledges.items():
        if seat not in opened.seats:
            return Text("pledge.no_seat", {"seat": repr(seat), "seats": listed(opened.seats)})
        if not _PLEDGE.fullmatch(pledge):
            return Text("pledge.unreadable", {"seat": seat, "pledge": repr(pledge[:80])})
    return None


def seed_in_force(pending: Docket, seed: bytes) -> bytes | None:
    """The seed that draws are made with: the croupier's where nobody has pledged; None while a reveal is awaited."""
    if not pending.pledges:
        return seed
    if pending.unrevealed:
        return None
    parts = (
        (seat, pending.revealed[seat][1].secret or pending.pledges[seat])
        for seat in pending.seats
        if seat in pending.pledges
    )
    return croupier.seed_in_force(pending.match, seed, parts)


def seed_behind(entries: Sequence[Entry], seed: bytes) -> bytes | None:
    """The same, behind these entries."""
    return seed_in_force(docket_of(entries), seed) if isinstance(opened_of(entries), Pledged) else seed


def awaited_reveals(entries: Sequence[Entry]) -> tuple[Seat, ...]:
    """The seats whose secret chance waits for."""
    return docket_of(entries).unrevealed if isinstance(opened_of(entries), Pledged) else ()
