"""Who plays whom, as organisers' programs write it."""

import pytest

from domain.formats.errors import FormatError
from domain.formats.pairings import CELL_MAX, ROWS_MAX, Pairing, read_pairings
from domain.table.table import Seat
from tests.rows import for_each

P1, P2 = Seat("p1"), Seat("p2")
SEATS = (P1, P2)


def test_tables_are_read_with_who_sits_there() -> None:
    text = 'Table, P2 ,p1,p1_deck\r\n1,Bo,Ann,\n\n 2 ,"Ueno, Jun",,standard\n'
    assert read_pairings(text, SEATS) == (
        Pairing(2, "1", {P1: "Ann", P2: "Bo"}, {}),
        Pairing(4, "2", {P2: "Ueno, Jun"}, {P1: "standard"}),
    )


@for_each(
    "text, line, words",
    [
        ("", 1, "no column `table`"),
        ("table,p1,p2\n", 1, "no table stands below"),
        ("p1,p2\nAnn,Bo\n", 1, "no column `table`"),
        ("table,p1,p3\n", 1, "there is no column 'p3'"),
        ("table,p1,p1\n", 1, "stands there twice"),
        ("table,p1,p2\n1,Ann\n", 2, "2 cells, and the heading has 3"),
        ("table,p1,p2\n1,Ann,Bo\n1,Cy,Di\n", 3, "table 1 stands in line 2 already"),
        ("table,p1,p2\n,Ann,Bo\n", 2, "needs its number"),
        ("table,p1,p2\n1,,\n", 2, "needs its number"),
        (f"table,p1,p2\n1,{'x' * (CELL_MAX + 1)},Bo\n", 2, "more than 200 characters"),
        ('table,p1,p2\n1,"Ann,Bo\n', 2, "no CSV"),
        ("table,p1\n" + "".join(f"{n},A\n" for n in range(ROWS_MAX + 1)), ROWS_MAX + 2, "more than 10,000 tables"),
    ],
)
def test_what_is_no_table_of_pairings_is_refused_by_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_pairings(text, SEATS, "round.csv")
    assert (refused.value.line, refused.value.name) == (line, "round.csv") and words in str(refused.value)
