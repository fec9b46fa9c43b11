"""Pairings in the formats of organisers' programs."""

import pytest

from domain.formats.csv_tables import decode_csv
from domain.formats.errors import FormatError
from domain.formats.pairings import CELL_MAX, ROWS_MAX, Pairing, read_pairings
from domain.table.table import Seat
from tests.rows import for_each

P1, P2 = Seat("p1"), Seat("p2")
SEATS = (P1, P2)


def test_tables_are_read_with_who_sits_there() -> None:
    text = 'Table, P2 ,p1,p1_deck,Cards\r\n1,Bo,Ann,,\n\n 2 ,"Ueno, Jun",Cy,standard,Real\n'
    assert read_pairings(text, SEATS) == (
        Pairing(2, "1", {P1: "Ann", P2: "Bo"}, {}),
        Pairing(4, "2", {P1: "Cy", P2: "Ueno, Jun"}, {P1: "standard"}, "real"),
    )


@for_each(
    "text, line, words",
    [
        ("", 1, "no column `table`"),
        ("table,p1,p2\n", 1, "there is no table below"),
        ("p1,p2\nAnn,Bo\n", 1, "no column `table`"),
        ("table,p1,p3\n", 1, "there is no column 'p3'"),
        ("table,p1,p1\n", 1, "appears twice"),
        ("table,p1,p2\n1,Ann\n", 2, "the line has 2 cells, but the header has 3"),
        ("table,p1,p2\n1,Ann,Bo\n1,Cy,Di\n", 3, "table 1 is already in line 2"),
        ("table,p1,p2\n,Ann,Bo\n", 2, "column table is empty"),
        ("table,p1,p2\n1,Ann, \n", 2, "column p2 is empty"),
        ("table\n1\n", 2, "needs a number"),
        ('table,p1,p2\n1,"Ann" x,Bo\n', 2, "text follows a closing quotation mark"),
        ("table,p1,cards\n1,Ann,paper\n", 2, "there is no kind of table 'paper'"),
        ("sep=;\ntable;p1;p2\n1;Ann\n", 3, "2 cells"),
        (f"table,p1,p2\n1,{'x' * (CELL_MAX + 1)},Bo\n", 2, "more than 200 characters"),
        ('table,p1,p2\n1,"Ann,Bo\n', 2, "never closes"),
        ("table,p1\n" + "".join(f"{n},A\n" for n in range(ROWS_MAX + 1)), ROWS_MAX + 2, "more than 10,000 tables"),
    ],
)
def test_what_is_no_table_of_pairings_is_refused_by_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_pairings(text, SEATS, "round.csv")
    assert (refused.value.line, refused.value.name) == (line, "round.csv") and words in str(refused.value)


ROUND = "卓,選手１,Player 2\n1,佐藤,鈴木\n"
READ = ((2, {P1: "佐藤", P2: "鈴木"}),)


@for_each(
    "data",
    [
        ROUND.encode(),
        ROUND.encode("utf-8-sig"),
        ROUND.encode("utf-16"),
        b"\xfe\xff" + ROUND.encode("utf-16-be"),
        ROUND.encode("cp932"),
        ROUND.replace("\n", "\r").encode("cp932"),
        ROUND.replace("\n", "\r\n").replace(",", ";").encode(),
        ROUND.replace(",", "\t").encode("utf-16"),
        ROUND.replace("佐藤", '"佐藤"').encode(),
    ],
)
def test_whatever_excel_saves_is_read(data: bytes) -> None:
    read = read_pairings(decode_csv(data), SEATS)
    assert tuple((pairing.line, pairing.names) for pairing in read) == READ


def test_a_sep_line_names_the_separator_and_counts_as_a_line() -> None:
    (pairing,) = read_pairings('"sep=|"\r\ntable|p1|p2\r\n1|Ueno, Jun|Bo\r\n', SEATS)
    assert (pairing.line, pairing.names) == (3, {P1: "Ueno, Jun", P2: "Bo"})


def test_a_cell_of_several_lines_is_found_where_it_begins() -> None:
    with pytest.raises(FormatError) as refused:
        read_pairings('table,p1,p2\n1,"Ann\nx",Bo\n2,"Cy\nx"\n', SEATS)
    assert refused.value.line == 4


@for_each("data", ["1,André".encode("latin-1"), b"1,Ann \xff", b"1,Andr\xe9a", b"\xff\xfe\x00"])
def test_bytes_in_no_known_encoding_are_refused_with_what_to_do(data: bytes) -> None:
    with pytest.raises(FormatError, match="CSV UTF-8"):
        decode_csv(data, "round.csv")
