"""Who looks at which match, and after which entry: the questions every projection begins with."""

from collections.abc import Sequence

from domain.law.entries import Entry, Opened, fold_entries
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat, Table


class NotInMatch(ValueError):
    """A viewer or an entry that this match does not have; the message names it and what there is."""


def opening(entries: Sequence[Entry]) -> Opened:
    """The first entry of a record. Raises NotInMatch if that is not the opening of a match."""
    if not entries or not isinstance(entries[0], Opened):
        raise NotInMatch("this record does not begin with the opening of a match")
    return entries[0]


def viewer_in(opened: Opened, viewer: str) -> Seat:
    """The viewer, if it can look at this match. Raises NotInMatch."""
    known = (*opened.seats, SPECTATOR, JUDGE)
    if viewer not in known:
        raise NotInMatch(f"there is no viewer {viewer!r} in this match; it has {', '.join(known)}")
    return Seat(viewer)


def entry_in(entries: Sequence[Entry], at: int | None) -> int:
    """The number of the entry that is meant, the last one if None. Raises NotInMatch."""
    if at is None:
        return len(entries)
    if not 1 <= at <= len(entries):
        raise NotInMatch(f"there is no entry {at} in this match; it has 1 to {len(entries)}")
    return at


def table_at(entries: Sequence[Entry], at: int | None) -> tuple[int, Table]:
    """The number of the entry that is meant, and the table after it. Raises NotInMatch."""
    number = entry_in(entries, at)
    return number, fold_entries(entries, number)
