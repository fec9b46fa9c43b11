"""Who looks at which match, and after which entry: the questions every projection begins with."""

from collections.abc import Sequence

from domain.formats.errors import listed, shown, unknown
from domain.formats.names import called
from domain.law.entries import Entry, Opened, fold_entries
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat, Table
from domain.words import Text, TextError


class NotInMatch(TextError):
    """A viewer or an entry that this match does not have; `text` names it and what there is."""


def opening(entries: Sequence[Entry]) -> Opened:
    """The first entry of a record. Raises NotInMatch if that is not the opening of a match."""
    if not entries or not isinstance(entries[0], Opened):
        raise NotInMatch(Text("match.not_opened"))
    return entries[0]


def viewer_in(opened: Opened, viewer: str) -> Seat:
    """The viewer, by seat or by a player's name, if it can look at this match. Raises NotInMatch."""
    known = (*opened.seats, SPECTATOR, JUDGE)
    if viewer in known:
        return Seat(viewer)
    seats = [seat for seat in called(opened.names, viewer) if seat in opened.seats]
    if len(seats) > 1:
        raise NotInMatch(Text("name.two_players", {"name": shown(viewer), "seats": listed(seats)}))
    if not seats:
        raise NotInMatch(unknown("viewer", viewer, known))
    return seats[0]


def entry_in(entries: Sequence[Entry], at: int | None) -> int:
    """The number of the entry that is meant, the last one if None. Raises NotInMatch."""
    if at is None:
        return len(entries)
    if not 1 <= at <= len(entries):
        raise NotInMatch(Text("match.no_entry", {"entry": at, "last": len(entries)}))
    return at


def table_at(entries: Sequence[Entry], at: int | None) -> tuple[int, Table]:
    """The number of the entry that is meant, and the table after it. Raises NotInMatch."""
    number = entry_in(entries, at)
    return number, fold_entries(entries, number)
