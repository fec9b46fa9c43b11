"""Who plays whom in a round, as organisers' programs write it: a table with a heading, its columns apart by commas."""

import csv
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from domain.formats.errors import BOM, FormatError, unknown
from domain.table.table import Seat
from domain.words import Text

TABLE: Final = "table"
DECK: Final = "_deck"
"""What a column of decks is called behind its seat."""
ROWS_MAX: Final = 10_000
CELL_MAX: Final = 200
"""So many characters a cell has at most."""


class Pairing(Struct, frozen=True):
    """A table of a round: who sits there, with which decks where that is said, and its line in the file."""

    line: int
    table: str
    names: dict[Seat, str]
    decks: dict[Seat, str]


def read_pairings(text: str, seats: Sequence[Seat], name: str = "") -> tuple[Pairing, ...]:
    """The tables of a round. Columns are `table`, each seat, and `p1_deck` and so on; a table stands there once, and
    has somebody in it. Raises FormatError with the line.
    """
    rows = csv.reader(text.removeprefix(BOM).splitlines(keepends=True), strict=True)
    pairings: list[Pairing] = []
    lines: dict[str, int] = {}
    try:
        heads = _heads(next(rows, []), seats, name)
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            pairing = _pairing(heads, [cell.strip() for cell in cells], seats, rows.line_num, name)
            if (before := lines.setdefault(pairing.table, pairing.line)) != pairing.line:
                raise FormatError(
                    Text("pairings.twice", {"table": pairing.table, "line": before}), pairing.line, name=name
                )
            pairings.append(pairing)
            if len(pairings) > ROWS_MAX:
                raise FormatError(Text("pairings.many", {"most": f"{ROWS_MAX:,}"}), rows.line_num, name=name)
    except csv.Error as error:
        raise FormatError(Text("pairings.no_csv", {"why": f"{error}"}), max(rows.line_num, 1), name=name) from None
    if not pairings:
        raise FormatError(Text("pairings.none"), name=name)
    return tuple(pairings)


def decks_named(pairings: Iterable[Pairing]) -> tuple[str, ...]:
    """The decks that are brought along, each once."""
    return tuple(dict.fromkeys(deck for pairing in pairings for deck in pairing.decks.values()))


def _heads(cells: Sequence[str], seats: Sequence[Seat], name: str) -> tuple[str, ...]:
    known = (TABLE, *seats, *(f"{seat}{DECK}" for seat in seats))
    heads = tuple(cell.strip().lower() for cell in cells)
    for head in heads:
        if head not in known:
            raise FormatError(unknown("column", head, known), name=name)
        if heads.count(head) > 1:
            raise FormatError(Text("pairings.column_twice", {"column": head}), name=name)
    if TABLE not in heads:
        raise FormatError(Text("pairings.no_table"), name=name)
    return heads


def _pairing(heads: Sequence[str], cells: Sequence[str], seats: Sequence[Seat], line: int, name: str) -> Pairing:
    if len(cells) != len(heads):
        raise FormatError(Text("pairings.cells", {"n": len(cells), "heads": len(heads)}), line, name=name)
    if any(len(cell) > CELL_MAX for cell in cells):
        raise FormatError(Text("pairings.long", {"most": CELL_MAX}), line, name=name)
    row = dict(zip(heads, cells, strict=True))
    names = {seat: row[seat] for seat in seats if row.get(seat)}
    decks = {seat: row[f"{seat}{DECK}"] for seat in seats if row.get(f"{seat}{DECK}")}
    if not row[TABLE] or not names:
        raise FormatError(Text("pairings.empty"), line, name=name)
    return Pairing(line, row[TABLE], names, decks)
