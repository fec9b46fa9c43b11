"""Seat commitments for fair shuffles. `domain.law.croupier` defines the scheme."""

import re
from collections.abc import Sequence
from typing import Final

from domain.law import croupier
from domain.law.docket import Docket, docket_of
from domain.law.entries import Entry, Opened, Pledged, opened_of
from domain.table.table import Seat
from domain.words import Text, listed

_PLEDGE: Final = re.compile("[0-9a-f]{64}")


def check_pledges(opened: Opened) -> Text | None:
    """Return why the pledges of an opening are invalid; None if they are valid."""
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
    """Return the seed for draws: the croupier's in a match without pledges; None while a reveal is awaited."""
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


def seed_after(entries: Sequence[Entry], seed: bytes) -> bytes | None:
    """Return the seed for draws after these entries; None while a reveal is awaited."""
    return seed_in_force(docket_of(entries), seed) if isinstance(opened_of(entries), Pledged) else seed


def awaited_reveals(entries: Sequence[Entry]) -> tuple[Seat, ...]:
    return docket_of(entries).unrevealed if isinstance(opened_of(entries), Pledged) else ()
