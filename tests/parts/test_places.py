"""Places of a seat's cards, and the object a card is in each place."""

from domain.law.clause import Clause
from domain.law.live import Live
from domain.parts.places import at, obj, row_of
from domain.table.facts import Created, Moved
from domain.table.table import CardId, Place, Seat, blank, same

P1, P2, WHY = Seat("p1"), Seat("p2"), Clause("T-1")
A, B = map(CardId, range(1, 3))


def test_the_rows_of_a_seat_are_read_as_the_cards_lie() -> None:
    t, hand = Live(blank((P1, P2))), row_of("hand")
    t.tell(WHY, Created(at(P1, "hand"), (B, A), ("x", "y"), P1))
    assert at(P1, "hand") == Place("p1.hand")
    assert (hand(t, P1), hand(t, P2), row_of("deck")(t, P1)) == ((B, A), (), ())


def test_a_card_that_changes_its_area_is_another_object() -> None:
    t = Live(blank((P1, P2)))
    t.tell(WHY, Created(at(P1, "hand"), (A,), ("x",), P1))
    was = obj(t, A)
    assert same(t, was)
    t.tell(WHY, Moved((A,), at(P1, "deck")))
    assert not same(t, was) and same(t, obj(t, A))
