"""Times of the entries of a record: the turn, and the wall clock if recorded."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from itertools import zip_longest

from msgspec import Struct

from domain.law.entries import Rewound, entry_facts
from domain.law.record import Record
from domain.table.facts import Clocked
from domain.table.table import Seat
from domain.words import Lang, say
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry

Turn = tuple[int, Seat | None]
"""Number and seat of a turn. The number is 0 before the first turn."""
NO_TURN: Turn = (0, None)


class Moments(Struct, frozen=True):
    """`turns` after each entry, and times `at` in milliseconds (0 if unknown). Index 0 is before the first entry."""

    names: dict[Seat, str]
    turns: tuple[Turn, ...]
    at: tuple[int, ...]
    zone: tzinfo | None = UTC
    """Time zone for output; None is that of the machine."""

    def back(self, number: int) -> int:
        """Return the milliseconds by which the clock went back before entry `number`; 0 if it did not."""
        return clock_back(self.at[number - 1], self.at[number])

    def turn(self, number: int, lang: Lang, *, after: bool = False) -> str:
        """Return a heading for entry `number`: its turn, or with `after` the turn it led to."""
        turn, seat = self.turns[number if after else number - 1]
        if not turn:
            return _before(lang)
        name = self.names.get(seat, "") if seat else ""
        who = say("heading.player", lang, name=name, seat=seat) if name else seat
        words = say("clock.turn", lang, n=turn)
        return say("heading", lang, what=say("list.comma", lang).join((words, who) if who else (words,)))

    def day(self, number: int, lang: Lang) -> str:
        """Return a heading with the day of entry `number`, or '' if it is unknown."""
        day, zone = (stamp(self.at[number], form, self.zone) for form in ("%Y-%m-%d", "%Z"))
        return say("heading", lang, what=say("heading.day", lang, day=day, zone=zone)) if day else ""

    def time(self, number: int) -> str:
        """Return the time of day of entry `number`, or '' if it is unknown."""
        return stamp(self.at[number], "%H:%M:%S", self.zone)


def moments(record: Record, zone: tzinfo | None = UTC) -> Moments:
    """Return the times of all entries. A rewind leads back to the turn of its target."""
    turns = [NO_TURN]
    for entry in record.entries:
        clocks = [fact.clock for _, fact in entry_facts(entry) if isinstance(fact, Clocked)]
        turn = (clocks[-1].turn, clocks[-1].active) if clocks else turns[-1]
        turns.append(turns[entry.to] if isinstance(entry, Rewound) else turn)
    return Moments(record.opening.names, tuple(turns), (0, *(entry.at for entry in record.entries)), zone)


def list_seen_moments(names: dict[Seat, str], entries: Iterable[SeenEntry], zone: tzinfo | None = UTC) -> Moments:
    """Return the times of redacted entries, which must start at the first and include the flow of play."""
    turns, at = [NO_TURN], [0]
    for entry in entries:
        clocks = [fact.clock for fact in entry.facts if fact.clock is not None]
        turn = (clocks[-1].turn, clocks[-1].active) if clocks else turns[-1]
        turns.append(turn if entry.to is None else turns[entry.to])
        at.append(entry.at)
    return Moments(names, tuple(turns), tuple(at), zone)


def clock_back(before: int, at: int) -> int:
    """Return the milliseconds by which a clock went back between two entries; 0 if it did not or no time is known."""
    return max(0, before - at) if before and at else 0


def stamp(at: int, form: str, zone: tzinfo | None = UTC) -> str:
    """Write milliseconds since 1970 in a time zone; None is the machine's. Return "" for 0 or a year out of range."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).strftime(form) if at else ""
    except (ValueError, OverflowError, OSError):
        return ""


def group_by_headings(parts: Iterable[tuple[tuple[str, ...], Iterable[Row]]], lang: Lang) -> list[Row]:
    """Return the rows of all parts, each heading only where it changes."""
    rows: list[Row] = []
    last: tuple[str, ...] = ()
    for headings, below in parts:
        both = list(zip_longest(headings, last, fillvalue=_before(lang)))
        rows += [Row("heading", (Cell(text, "heading"),)) for text, before in both if text not in ("", before)]
        rows += below
        last = tuple(text or before for text, before in both)
    return rows


def _before(lang: Lang) -> str:
    return say("heading", lang, what=say("heading.before", lang))
