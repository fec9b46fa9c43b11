"""The name of a place: its owner, zone and square."""

from domain.table.table import Place, area, seat_of, square, zone
from tests.rows import for_each


@for_each(
    "place, expected",
    [
        ("field", (None, "field", "field", "")),
        ("p1.hand", ("p1", "hand", "p1.hand", "")),
        ("unit:3,4", (None, "unit", "unit", "3,4")),
        ("p2.foreshadow:2", ("p2", "foreshadow", "p2.foreshadow", "2")),
    ],
)
def test_a_place_says_whose_it_is_and_where(place: str, expected: tuple[str | None, str, str, str]) -> None:
    there = Place(place)
    assert (seat_of(there), zone(there), area(there), square(there)) == expected
