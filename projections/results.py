"""Results of a round as a table for the pairing program: winners, penalties, and time to add."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final, Literal
from unicodedata import normalize

from msgspec import Struct

from domain.formats.errors import BOM
from domain.law.disputes import Penalty
from domain.law.docket import SECOND, docket_of
from domain.law.entries import Entry
from domain.table.table import Seat
from projections.tables import TableStatus, natural, read_table_status

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters, also in full width, that make a cell a formula in a spreadsheet."""
HEADING: Final = ("winner", "result", "turns", "penalties", "time extension", "announced", "match")

Outcome = Literal["won", "draw", "no result", "not finished", "damaged"]


class ResultRow(Struct, frozen=True, kw_only=True):
    """The state of a match of a round. `winners` are names; `extension` is the time to add, in seconds. `announced` is
    the announced result. `no result` means closed without one, `damaged` an unreadable record."""

    table: str
    players: tuple[str, ...]
    result: Outcome
    match: str
    winners: tuple[str, ...] = ()
    turns: int = 0
    penalties: tuple[str, ...] = ()
    extension: int = 0
    announced: str = ""


def result_of(match: str, entries: Sequence[Entry], at: int) -> ResultRow:
    """Return the row of a match at a time in milliseconds."""
    state = read_table_status(match, entries)
    return ResultRow(
        table=state.table,
        players=_names(state, state.seats),
        result=_outcome(state),
        match=match,
        winners=() if state.result is None else _names(state, state.result.winners),
        turns=state.turn,
        penalties=tuple(_penalty(state, penalty) for _, penalty in docket_of(entries).penalties),
        extension=sum(state.given_back(at)) // SECOND,
        announced=state.announced,
    )


def bare_row(match: str, opening: Sequence[Entry], result: Outcome) -> ResultRow:
    """Return the row of a match if only its opening can be read, or nothing of the play may be seen."""
    state = read_table_status(match, opening)
    return ResultRow(table=state.table, players=_names(state, state.seats), result=result, match=match)


def list_results(rows: Iterable[ResultRow]) -> tuple[ResultRow, ...]:
    """Return rows by table number. A match closed without a result is omitted if its table has another, as after a
    wrong pairing."""
    ordered = sorted(rows, key=lambda row: (natural(row.table), row.match))
    paired = {row.table for row in ordered if row.table and row.result != "no result"}
    return tuple(row for row in ordered if row.result != "no result" or row.table not in paired)


def write_results(rows: Sequence[ResultRow], *, excel: bool = False) -> str:
    """Return rows as CSV. `excel` adds a byte order mark, without which Excel misreads Japanese."""
    seats = max((len(row.players) for row in rows), default=2)
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("table", *(f"player{number}" for number in range(1, seats + 1)), *HEADING))
    for row in rows:
        players = (*row.players, *("" for _ in range(seats - len(row.players))))
        winners, penalties = " / ".join(row.winners), "; ".join(row.penalties)
        cells = (row.table, *players, winners, row.result)
        rest = (str(row.turns), penalties, str(row.extension), row.announced, row.match)
        writer.writerow([_harmless(cell) for cell in (*cells, *rest)])
    return (BOM if excel else "") + text.getvalue()


def _harmless(cell: str) -> str:
    """Return a cell that a spreadsheet reads as text."""
    return f"'{cell}" if normalize("NFKC", cell).startswith(FORMULA) else cell


def _names(state: TableStatus, seats: Iterable[Seat]) -> tuple[str, ...]:
    return tuple(state.names.get(seat) or seat for seat in seats)


def _outcome(state: TableStatus) -> Outcome:
    if state.result is not None:
        return "won" if state.result.winners else "draw"
    return "no result" if state.closed else "not finished"


def _penalty(state: TableStatus, penalty: Penalty) -> str:
    (name,) = _names(state, (penalty.seat,))
    return f"{name}: {penalty.step} ({penalty.infraction})" if penalty.infraction else f"{name}: {penalty.step}"
