"""Values in a frame, by position; None where the frame has fewer."""

from domain.parts.frames import number_at, obj_at, with_columns, with_number, word_at
from domain.table.table import NO_OBJ, CardId, Frame, FrameId, Obj, Place, Seat, ValueColumns

OBJ = Obj(CardId(1), 2)
HELD = Frame(
    id=FrameId(1),
    lane="stack",
    kind="spell",
    by=Seat("p1"),
    objs=(OBJ,),
    places=(Place("deck"),),
    numbers=(4, 0, 6),
    words=("fire",),
)


def test_what_stands_there_is_read_and_what_does_not_is_nothing() -> None:
    assert [obj_at(place)(HELD) for place in range(2)] == [OBJ, NO_OBJ]
    assert [number_at(place)(HELD) for place in range(4)] == [4, 0, 6, 0]
    assert [word_at(place)(HELD) for place in range(2)] == ["fire", ""]


def test_columns_change_where_it_is_said_and_nowhere_else() -> None:
    assert with_number(HELD, 1, 5) == ValueColumns(
        objs=(OBJ,), places=(Place("deck"),), numbers=(4, 5, 6), words=("fire",)
    )
    assert with_columns(HELD, objs=(), words=("ice",)) == ValueColumns(
        places=(Place("deck"),), numbers=(4, 0, 6), words=("ice",)
    )
