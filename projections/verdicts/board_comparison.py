"""The recorded and the rejudged table after the first difference, side by side, for one viewer."""

from msgspec import Struct

from domain.judging.rejudging.verdict import EntryDifference
from domain.law.law import Law
from domain.law.record import Record
from domain.table.redact import TableViewer, View
from domain.table.schema import Schema
from domain.words import Lang, say
from projections.board import board_of, render_board
from projections.rows import Row, plain
from projections.verdicts.seen_verdicts import hide_unknown_faces


class Boards(Struct, frozen=True):
    """Both boards after the entry where the sides first differ."""

    recorded: View
    rejudged: View


class BoardComparisonRow(Struct, frozen=True):
    """A place, seat or lane with its content on both tables."""

    name: str
    recorded: str
    rejudged: str

    @property
    def differs(self) -> bool:
        return self.recorded != self.rejudged


def boards(record: Record, eyes: TableViewer, law: Law, first: EntryDifference) -> Boards:
    """Return both boards for a viewer. The rejudged one shows nothing that the record hides."""
    other = hide_unknown_faces(eyes, first.recorded_table, first.rejudged_table)
    return Boards(
        board_of(record, eyes, first.entry, first.recorded_table),
        board_of(Record(law, record.entries), eyes, first.entry, other),
    )


def compare_boards(both: Boards, law: Law, schema: Schema, lang: Lang) -> list[BoardComparisonRow]:
    """Return both boards line by line, without lines that are empty on both sides."""
    recorded, rejudged = (_lines(board, law, schema, lang) for board in (both.recorded, both.rejudged))
    names = dict.fromkeys((*recorded, *rejudged))
    lines = (BoardComparisonRow(name, recorded.get(name, ""), rejudged.get(name, "")) for name in names)
    return [line for line in lines if line.recorded or line.rejudged]


def _lines(board: View, law: Law, schema: Schema, lang: Lang) -> dict[str, str]:
    """Return the texts of a board by the names of its lines, which are comparable between boards."""
    texts_by_name: dict[str, list[str]] = {}
    seat = name = ""
    for row in render_board(board, law, schema, lang)[1:]:
        head, rest = row.cells[0].text, row.cells[1:]
        match row.role:
            case "clock" | "result" | "marks":
                name, rest = say(f"beside.{row.role}", lang), row.cells
            case "seat":
                name = seat = head
            case "map" | "words":  # equal on both sides
                continue
            case "lane" | "square" | "covered":
                name = head
            case "place" if seat and row.depth == 0:
                name, seat = head, ""
            case "place" if seat:
                name = f"{seat} {head}"
            case "place" if row.depth == 0:
                name = head
            case _:  # a frame or an effect of the lane, a card of the place before it
                rest = row.cells
        texts_by_name.setdefault(name, []).extend([plain((Row(row.role, rest),))] if rest else [])
    return {name: "; ".join(texts) for name, texts in texts_by_name.items()}
