"""The tables of a room: which match is played at each, in which round, and which of them want a judge first."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.law.entries import Closed, Entry, Played, line, opened_of
from domain.table.table import Result, Seat
from projections.standing import standing, turn_of
from projections.viewing import is_over

Round = tuple[str, str]
"""An event and one of its rounds, as people call them; both are empty where nobody said."""


class Called(Struct, frozen=True):
    """Somebody waits for a judge: since which entry, and since when (milliseconds; 0: not said)."""

    entry: int
    at: int


class TableNow(Struct, frozen=True, kw_only=True):
    """A match as it stands at its table. `broken`: so many entries that count were recorded against the rules.

    `over`: nothing hangs any more on what lay hidden in it; a closed branch hides what its parent goes on hiding.
    """

    match: str
    table: str
    of: Round
    game: str
    edition: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str]
    opened: int
    entries: int
    last: int
    turn: int
    active: Seat | None
    closed: bool
    over: bool
    result: Result | None
    announced: str
    broken: int
    calls: tuple[Called, ...] = ()


def table_now(match: str, entries: Sequence[Entry], calls: Sequence[Called] = ()) -> TableNow:
    """A match with these entries. Nothing is folded, and no law is asked."""
    opened, stands = opened_of(entries), standing(entries)
    played = (entries[number - 1] for number in line(entries))
    return TableNow(
        match=match,
        table=stands.occasion.table,
        of=(stands.occasion.event, stands.occasion.round),
        game=opened.game,
        edition=opened.version,
        seats=opened.seats,
        names=opened.names,
        opened=opened.at,
        entries=len(entries),
        last=stands.last,
        turn=stands.turn,
        active=turn_of(entries).active,
        closed=isinstance(entries[-1], Closed),
        over=is_over(entries),
        result=stands.result,
        announced=stands.announced,
        broken=sum(isinstance(entry, Played) and bool(entry.violations) for entry in played),
        calls=tuple(calls),
    )


def rounds(tables: Iterable[TableNow]) -> tuple[Round, ...]:
    """The rounds that are played, the newest first; matches of none come last."""
    newest: dict[Round, tuple[int, int]] = {}
    for at, table in enumerate(tables):
        newest[table.of] = max(newest.get(table.of, (0, 0)), (table.opened, at))
    return tuple(sorted(newest, key=lambda each: (any(each), newest[each]), reverse=True))


def by_need(tables: Iterable[TableNow], *, judging: bool) -> tuple[TableNow, ...]:
    """For a judge those first who wait for one, the longest wait first, then those with something to look at; in each
    sort, and for everybody else, by the numbers of the tables."""

    def need(table: TableNow) -> tuple[object, ...]:
        waiting = min((call.at for call in table.calls), default=0)
        sort = (0 if table.calls else 1 if table.broken and not table.closed else 2) if judging else 2
        return sort, waiting if sort == 0 else 0, table.closed, natural(table.table), table.opened, table.match

    return tuple(sorted(tables, key=need))


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which table 9 stands before table 10, and what has no number behind both."""
    parts = re.findall(r"\d+|\D+", name, re.ASCII)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts) or ((2, 0, ""),)
