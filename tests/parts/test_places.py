"""Places of a seat's cards, and the object a card is in each place."""

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts.places import obj, place_in, row_of
from domain.table.facts import Created, Moved
from domain.table.table import CardId, Place, Seat, blank, is_same_object

P1, P2, WHY = Seat("p1"), Seat("p2"), Clause("T-1")
A, B = map(CardId, range(1, 3))


def test_the_rows_of_a_seat_are_read_as_the_cards_lie() -> None:
    t, hand = LiveTable(blank((P1, P2))), row_of("hand")
    t.emit(WHY, Created(place_in(P1, "hand"), (B, A), ("x", "y"), P1))
    assert place_in(P1, "hand") == Place("p1.hand")
    assert (hand(t, P1), hand(t, P2), row_of("deck")(t, P1)) == ((B, A), (), ())


def test_a_card_that_changes_its_area_is_another_object() -> None:
    t = LiveTable(blank((P1, P2)))
    t.emit(WHY, Created(place_in(P1, "hand"), (A,), ("x",), P1))
    was = obj(t, A)
    assert is_same_object(t, was)
    t.emit(WHY, Moved((A,), place_in(P1, "deck")))
    assert not is_same_object(t, was) and is_same_object(t, obj(t, A))
