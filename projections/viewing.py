"""Lookup of the viewer and the entry that a request names."""

from collections.abc import Sequence

from domain.formats.errors import explain_unknown, quote_input
from domain.formats.names import seats_of_player
from domain.law.entries import Closed, Entry, Opened, opened_of
from domain.law.record import Record
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from domain.words import Text, TextError, listed


class NotInMatch(TextError):
    """The match has no such viewer or entry; `text` names the possible ones."""


def find_viewer(record: Record, viewer: str) -> TableViewer:
    """Return a viewer by seat or player name. Raises NotInMatch."""
    if not record.entries or not isinstance(record.entries[0], Opened):
        raise NotInMatch(Text("match.not_opened"))
    opened = record.opening
    known = (*opened.seats, SPECTATOR, JUDGE)
    if viewer in known:
        return record.eyes(Seat(viewer))
    seats = [seat for seat in seats_of_player(opened.names, viewer) if seat in opened.seats]
    if len(seats) > 1:
        raise NotInMatch(Text("name.two_players", {"name": quote_input(viewer), "seats": listed(seats)}))
    if not seats:
        raise NotInMatch(explain_unknown("viewer", viewer, known))
    return record.eyes(seats[0])


def resolve_entry(entries: Sequence[Entry], at: int | None) -> int:
    """Return the number of an entry, by default the last. Raises NotInMatch."""
    last = len(entries)
    if at is None:
        return last
    if not 1 <= at <= last:
        raise NotInMatch(Text("match.no_entry", {"entry": at, "last": last}))
    return at


def is_over(entries: Sequence[Entry], upto: int | None = None) -> bool:
    """True if a match is closed after `upto` entries (default: all), so that hidden cards may be disclosed. A branch
    still hides what its parent hides."""
    last = len(entries) if upto is None else min(upto, len(entries))
    return isinstance(entries[last - 1], Closed) and not opened_of(entries).parent
