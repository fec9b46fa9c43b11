"""When the entries of a record were: in which turn of the match, and by the wall clock where that was written down."""

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
"""Its number and whose it is; none has begun where it is 0."""
NO_TURN: Turn = (0, None)


class Moments(Struct, frozen=True):
    """`turns` after each entry and `at` milliseconds (0: not said), both counted from 1; 0 is before the first."""

    names: dict[Seat, str]
    turns: tuple[Turn, ...]
    at: tuple[int, ...]
    zone: tzinfo | None = UTC
    """The time zone that times are written in; None is the machine's."""

    def back(self, number: int) -> int:
        """Return the milliseconds by which the clock went back before entry `number`; 0 if it did not."""
        return clock_back(self.at[number - 1], self.at[number])

    def turn(self, number: int, lang: Lang, *, after: bool = False) -> str:
        """A heading for entry `number`: the turn it was done in, or the one that it led to."""
        turn, seat = self.turns[number if after else number - 1]
        if not turn:
            return _before(lang)
        name = self.names.get(seat, "") if seat else ""
        who = say("heading.player", lang, name=name, seat=seat) if name else seat
        words = say("clock.turn", lang, n=turn)
        return say("heading", lang, what=say("list.comma", lang).join((words, who) if who else (words,)))

    def day(self, number: int, lang: Lang) -> str:
        """A heading for entry `number`: the day it was recorded on, if that is known."""
        day, zone = (stamp(self.at[number], form, self.zone) for form in ("%Y-%m-%d", "%Z"))
        return say("heading", lang, what=say("heading.day", lang, day=day, zone=zone)) if day else ""

    def time(self, number: int) -> str:
        """The time of day at which entry `number` was recorded, if that is known."""
        return stamp(self.at[number], "%H:%M:%S", self.zone)


def moments(record: Record, zone: tzinfo | None = UTC) -> Moments:
    """When each entry of a record was; a rewind leads back to the turn of the entry it goes to."""
    turns = [NO_TURN]
    for entry in record.entries:
        clocks = [fact.clock for _, fact in entry_facts(entry) if isinstance(fact, Clocked)]
        turn = (clocks[-1].turn, clocks[-1].active) if clocks else turns[-1]
        turns.append(turns[entry.to] if isinstance(entry, Rewound) else turn)
    return Moments(record.opening.names, tuple(turns), (0, *(entry.at for entry in record.entries)), zone)


def moments_seen(names: dict[Seat, str], entries: Iterable[SeenEntry], zone: tzinfo | None = UTC) -> Moments:
    """The same of entries as somebody sees them, from the first on, with the flow of play."""
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


def under_headings(parts: Iterable[tuple[tuple[str, ...], Iterable[Row]]], lang: Lang) -> list[Row]:
    """Rows, each part with what stands over it: a heading is said where it is another than over the part before."""
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
