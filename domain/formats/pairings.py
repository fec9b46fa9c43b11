"""Pairings of a round: the CSV files of organisers' programs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, get_args
from unicodedata import normalize

from msgspec import Struct

from domain.formats.csv_tables import CsvRow, read_csv
from domain.formats.errors import FormatError, explain_unknown
from domain.table.table import Seat
from domain.words import Text

TableKind = Literal["dealt", "real", "phones"]
"""`dealt`: dealt by the program, recorded by a scorekeeper. `real`: real cards. `phones`: dealt by the program, and
players act on their phones."""
TABLE_KINDS: Final[tuple[TableKind, ...]] = get_args(TableKind)
TABLE: Final = "table"
CARDS: Final = "cards"
DECK: Final = "_deck"
"""Suffix of a seat's column of decks."""
SEATS: Final = tuple(Seat(f"p{number}") for number in range(1, 10))
"""Seats that a heading may name."""
ROWS_MAX: Final = 10_000
CELL_MAX: Final = 200
"""Maximum characters of a cell."""
KIND_WORDS: Final[Mapping[str, TableKind]] = {
    "配る": "dealt", "実物": "real", "スマホ": "phones", "スマートフォン": "phones",
    **{kind: kind for kind in TABLE_KINDS},
}  # fmt: skip


class Pairing(Struct, frozen=True):
    """A table of a round: its players, their decks if given, and its line in the file. `cards` is the kind of play, or
    empty if the file does not say."""

    line: int
    table: str
    names: dict[Seat, str]
    decks: dict[Seat, str]
    cards: TableKind | Literal[""] = ""


def read_pairings(text: str, seats: Sequence[Seat], name: str = "") -> tuple[Pairing, ...]:
    """Read the tables of a round from the columns `table`, each seat, `p1_deck` and so on, and `cards`. Each table
    occurs once, and each seat of the heading has a name. Raises FormatError with the line."""
    rows = read_csv(text, name)
    first = next(rows, CsvRow(1, ()))
    columns = _read_columns(first, seats, name)
    pairings: list[Pairing] = []
    lines: dict[str, int] = {}
    for row in rows:
        pairing = _read_pairing(columns, row, seats, name)
        if (earlier := lines.setdefault(pairing.table, pairing.line)) != pairing.line:
            raise FormatError(Text("pairings.twice", {"table": pairing.table, "line": earlier}), row.line, name=name)
        pairings.append(pairing)
        if len(pairings) > ROWS_MAX:
            raise FormatError(Text("pairings.many", {"most": f"{ROWS_MAX:,}"}), row.line, name=name)
    if not pairings:
        raise FormatError(Text("pairings.none"), name=name)
    return tuple(pairings)


def count_seats(text: str, name: str = "") -> int:
    """Return the highest seat number in the heading, 0 without one. Raises FormatError for a malformed file."""
    heading = next(read_csv(text, name), CsvRow(1, ()))
    known = _columns_by_heading(SEATS)
    columns = {known.get(_plain(cell)) for cell in heading.cells}
    return max((number for number, seat in enumerate(SEATS, start=1) if seat in columns), default=0)


def deck_names(pairings: Iterable[Pairing]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(deck for pairing in pairings for deck in pairing.decks.values()))


def _columns_by_heading(seats: Sequence[Seat]) -> dict[str, str]:
    """Return the columns by all their headings, in lower case without spaces."""
    known = {TABLE: TABLE, "卓": TABLE, "卓番号": TABLE, "tablenumber": TABLE, CARDS: CARDS, "カード": CARDS}
    for seat in seats:
        number = seat.removeprefix("p")
        known |= dict.fromkeys((seat, f"player{number}", f"プレイヤー{number}", f"選手{number}"), seat)
        known |= dict.fromkeys((f"{seat}{DECK}", f"deck{number}", f"デッキ{number}"), f"{seat}{DECK}")
    return known


def _plain(heading: str) -> str:
    return "".join(normalize("NFKC", heading).lower().split())


def _read_columns(row: CsvRow, seats: Sequence[Seat], name: str) -> tuple[str, ...]:
    known = _columns_by_heading(seats)
    columns: list[str] = []
    for cell in row.cells:
        column = known.get(_plain(cell))
        if column is None:
            allowed = (TABLE, *seats, *(f"{seat}{DECK}" for seat in seats), CARDS)
            raise FormatError(explain_unknown("column", cell, allowed), row.line, name=name)
        if column in columns:
            raise FormatError(Text("pairings.column_twice", {"column": column}), row.line, name=name)
        columns.append(column)
    if TABLE not in columns:
        raise FormatError(Text("pairings.no_table"), row.line, name=name)
    return tuple(columns)


def _read_pairing(columns: Sequence[str], row: CsvRow, seats: Sequence[Seat], name: str) -> Pairing:
    if len(row.cells) != len(columns):
        raise FormatError(Text("pairings.cells", {"n": len(row.cells), "heads": len(columns)}), row.line, name=name)
    cells = dict(zip(columns, row.cells, strict=True))
    for column, cell in cells.items():
        if len(cell) > CELL_MAX:
            raise FormatError(Text("pairings.long", {"most": CELL_MAX}), row.line, name=name)
        if not cell and column in (TABLE, *seats):
            raise FormatError(Text("pairings.blank", {"column": column}), row.line, name=name)
    names = {seat: cells[seat] for seat in seats if seat in cells}
    if not names:
        raise FormatError(Text("pairings.empty"), row.line, name=name)
    kind = normalize("NFKC", cells.get(CARDS, "")).lower()
    if kind and kind not in KIND_WORDS:
        raise FormatError(explain_unknown(Text("noun.cards"), kind, TABLE_KINDS), row.line, name=name)
    decks = {seat: deck for seat in seats if (deck := cells.get(f"{seat}{DECK}", ""))}
    return Pairing(row.line, cells[TABLE], names, decks, KIND_WORDS[kind] if kind else "")
