"""Who looks at which match, and after which entry: the questions every projection begins with."""

from collections.abc import Sequence

from domain.formats.errors import quote_input, unknown
from domain.formats.names import called
from domain.law.entries import Closed, Entry, Opened, opened_of
from domain.law.record import Record
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from domain.words import Text, TextError, listed


class NotInMatch(TextError):
    """A viewer or an entry that this match does not have; `text` names it and what there is."""


def look_at(record: Record, viewer: str) -> TableViewer:
    """The eyes of a viewer, by seat or by a player's name, who can look at this match. Raises NotInMatch."""
    if not record.entries or not isinstance(record.entries[0], Opened):
        raise NotInMatch(Text("match.not_opened"))
    opened = record.opening
    known = (*opened.seats, SPECTATOR, JUDGE)
    if viewer in known:
        return record.eyes(Seat(viewer))
    seats = [seat for seat in called(opened.names, viewer) if seat in opened.seats]
    if len(seats) > 1:
        raise NotInMatch(Text("name.two_players", {"name": quote_input(viewer), "seats": listed(seats)}))
    if not seats:
        raise NotInMatch(unknown("viewer", viewer, known))
    return record.eyes(seats[0])


def entry_in(entries: Sequence[Entry], at: int | None) -> int:
    """The number of the entry that is meant, the last one if None. Raises NotInMatch."""
    last = len(entries)
    if at is None:
        return last
    if not 1 <= at <= last:
        raise NotInMatch(Text("match.no_entry", {"entry": at, "last": last}))
    return at


def is_over(entries: Sequence[Entry], upto: int | None = None) -> bool:
    """Is a match closed, by the first `upto` of its entries or all, so that what lay hidden in it may be told?

    A branch hides what its parent goes on hiding.
    """
    last = len(entries) if upto is None else min(upto, len(entries))
    return isinstance(entries[last - 1], Closed) and not opened_of(entries).parent
