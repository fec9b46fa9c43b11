"""Results of a round as spreadsheets and pairing programs import them."""

import csv
from io import StringIO

from msgspec.structs import replace

from projections.results import ResultRow, list_results, write_results

ANN = ResultRow(
    table="10", players=("Ann", "=HYPERLINK(1)"), result="won", winners=("=HYPERLINK(1)",), match="bp-1", turns=7,
    penalties=("Ann: warning (slow)", "Ann: loss"), extension=185, announced="＋1, 0",
)  # fmt: skip
BO = ResultRow(table="9", players=("佐藤", "@Bo", "-Cy"), result="not finished", match="bp-2")


def test_rows_are_written_with_a_column_for_each_seat() -> None:
    rows = list(csv.reader(StringIO(write_results(list_results((ANN, BO))), newline="")))
    assert rows[0] == [
        "table", "player1", "player2", "player3", "winner", "result", "turns", "penalties", "time extension",
        "announced", "match",
    ]  # fmt: skip
    assert rows[1] == ["9", "佐藤", "'@Bo", "'-Cy", "", "not finished", "0", "", "0", "", "bp-2"]
    assert rows[2] == [
        "10", "Ann", "'=HYPERLINK(1)", "", "'=HYPERLINK(1)", "won", "7", "Ann: warning (slow); Ann: loss", "185",
        "'＋1, 0", "bp-1",
    ]  # fmt: skip


def test_no_cell_is_a_formula_to_a_spreadsheet() -> None:
    for sign in ("=", "+", "-", "@", "\t", "\r", "＝", "－", "＠"):
        evil = f"{sign}cmd|' /C calc'!A0"
        row = ResultRow(table=evil, players=(evil, evil), result="draw", match="m", penalties=(evil,), announced=evil)
        (_, cells) = csv.reader(StringIO(write_results((row,)), newline=""))
        assert not any(cell.startswith(sign) for cell in cells)


def test_a_file_for_excel_begins_with_a_byte_order_mark() -> None:
    assert write_results((BO,), excel=True).encode().startswith(b"\xef\xbb\xbftable,")
    assert write_results((BO,)).startswith("table,")


def test_a_match_that_was_given_up_is_left_out_once_its_table_is_paired_again() -> None:
    wrong = replace(BO, result="no result", match="bp-0")
    assert list_results((wrong, BO, ANN)) == (BO, ANN)
    alone = replace(wrong, table="11")
    assert list_results((alone, BO)) == (BO, alone), "nothing else was played there"
    nameless = replace(wrong, table="")
    assert list_results((nameless, replace(BO, table=""))) == (nameless, replace(BO, table=""))
