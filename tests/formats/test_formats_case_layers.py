"""Many squares on one line: rows, columns and whole grids in a case's places."""

import pytest

from domain.formats.casebook import load_casebook
from domain.formats.casebook.start_position import build
from domain.formats.errors import FormatError
from domain.table.schema import Area, Schema, Visibility
from domain.table.table import Seat
from tests.rows import for_each

OPEN = Visibility("each", "each", "each")
BOARD = Schema(
    areas=(Area("hand", True, "bag", OPEN), Area("ground", False, "grid", OPEN, up=True, most=1, size=(3, 2))),
    stances=("",),
    marks=(),
    kinds=(),
    phases=("play",),
)
SEATS = (Seat("p1"), Seat("p2"))
HEAD = """
game = "chart"
[given]
phase = "play"
[given.places]
"ground:2,1" = ["start owner=p2"]
"ground:*,*" = ["sand owner=p1"]
"ground:*,2" = ["moor owner=p1", "fen owner=p1", "rock owner=p2"]
[[case]]
id = "c"
"""


def ground(body: str) -> dict[str, str]:
    (case,) = load_casebook(HEAD + body).cases
    table = build(BOARD, SEATS, case.given).table
    return {place.partition(":")[2]: table.pieces[card].face or "?" for place, (card,) in table.places.items()}


def test_a_square_goes_before_its_row_and_a_row_before_the_whole() -> None:
    written = {"1,1": "sand", "2,1": "start", "3,1": "sand", "1,2": "moor", "2,2": "fen", "3,2": "rock"}
    assert ground("") == written


def test_a_case_lays_its_own_squares_over_those_of_its_file() -> None:
    written = {"1,1": "sand", "2,1": "start", "1,2": "moor", "2,2": "lake", "3,2": "rock"}
    assert ground('given.places = { "ground:3,1" = [], "ground:2,2" = ["lake owner=p1"] }') == written


def test_a_column_is_written_from_the_lowest_row_up() -> None:
    written = ground(
        'given.places = { "ground:3,*" = ["low owner=p1", "high owner=p1"], "ground:*,2" = ["moor owner=p1"] }'
    )
    assert (written["3,1"], written["3,2"]) == ("low", "moor")


@for_each(
    "place, wrong",
    [
        ('"ground:*,2" = ["a", "b"]', "places: ground:*,2: 2 pieces for 3 squares"),
        ('"grund:*,2" = ["a"]', "places: grund:*,2: there is no place 'grund:*,2' (did you mean ground?)"),
        ('"p1.hand:*" = ["a"]', "places: p1.hand:*: there is no place 'p1.hand:*'"),
        ('"ground:*,3" = ["a"]', "places: there is no place 'ground:1,3'"),
        ('"ground:*" = ["a"]', "places: there is no place 'ground:1,'"),
        ('"ground:1,*" = ["a"]', "places: ground:1,1: 'a' needs owner=seat"),
    ],
)
def test_a_layer_that_is_none_is_named(place: str, wrong: str) -> None:
    with pytest.raises(FormatError) as caught:
        ground(f"[case.given.places]\n{place}")
    assert wrong in caught.value.message.say("en")
