"""Grids: names of squares, neighbours at corners, edges and inside, and the two distances."""

from itertools import product

import pytest

from domain.parts import grid as G
from domain.table.table import Place
from tests.rows import for_each

SIZE = G.Size(4, 3)
ALL = tuple(G.squares(SIZE))


def test_a_square_has_one_place_on_each_layer() -> None:
    assert G.place_of("unit", G.Square(3, 2)) == "unit:3,2"
    assert [G.square_of(G.place_of("unit", at)) for at in ALL] == list(ALL)


@for_each("place", ["field", "p1.hand", "p1.slot:2", "unit:a,b"])
def test_a_place_off_the_grid_has_no_square(place: str) -> None:
    with pytest.raises(ValueError):
        G.square_of(Place(place))


def test_squares_go_row_by_row_and_end_at_the_edge() -> None:
    assert len(ALL) == len(set(ALL)) == 12 and ALL[:5] == ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2))
    assert all(G.is_on_grid(SIZE, at) for at in ALL)
    assert not any(G.is_on_grid(SIZE, G.Square(*at)) for at in ((0, 1), (1, 0), (5, 1), (1, 4)))


@for_each(
    "at, beside, around",
    [
        (G.Square(1, 1), ((2, 1), (1, 2)), ((2, 1), (1, 2), (2, 2))),
        (G.Square(4, 2), ((4, 1), (3, 2), (4, 3)), ((3, 1), (4, 1), (3, 2), (3, 3), (4, 3))),
        (
            G.Square(2, 2),
            ((2, 1), (1, 2), (3, 2), (2, 3)),
            ((1, 1), (2, 1), (3, 1), (1, 2), (3, 2), (1, 3), (2, 3), (3, 3)),
        ),
    ],
)
def test_neighbours_are_those_on_the_grid_row_by_row(at: G.Square, beside: object, around: object) -> None:
    assert (G.edge_neighbours(SIZE, at), G.neighbours(SIZE, at)) == (beside, around)


def test_neighbours_are_the_squares_at_distance_one() -> None:
    for at in ALL:
        assert G.edge_neighbours(SIZE, at) == tuple(other for other in ALL if G.taxicab_distance(at, other) == 1)
        assert G.neighbours(SIZE, at) == tuple(other for other in ALL if G.king_distance(at, other) == 1)


def test_distances_are_alike_both_ways_and_a_king_is_never_slower() -> None:
    assert (G.taxicab_distance(G.Square(1, 1), G.Square(4, 3)), G.king_distance(G.Square(1, 1), G.Square(4, 3))) == (
        5,
        3,
    )
    for one, other in product(ALL, ALL):
        assert G.taxicab_distance(one, other) == G.taxicab_distance(other, one) and G.king_distance(
            one, other
        ) == G.king_distance(other, one)
        assert G.king_distance(one, other) <= G.taxicab_distance(one, other) <= 2 * G.king_distance(one, other)
        assert (G.king_distance(one, other) == 0) is (one == other)
