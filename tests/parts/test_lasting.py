"""Effects that last for a limited time."""

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts.places import obj, place_in
from domain.parts.timed_effects import begin
from domain.table.facts import Created
from domain.table.table import CardId, Effect, EffectId, Frame, FrameId, Seat, Todo, blank

P1, WHY = Seat("p1"), Clause("T-1")
A, B = map(CardId, range(1, 3))


def test_an_effect_says_by_which_words_it_came_and_on_what_it_lies() -> None:
    t = LiveTable(blank((P1, Seat("p2"))))
    t.emit(WHY, Created(place_in(P1, "hand"), (A, B), ("x", "y"), P1))
    spell = Frame(
        id=FrameId(1), lane="stack", kind="spell", by=P1, face="x", objs=(obj(t, A),), todo=(Todo((0, 2), P1),)
    )
    begin(t, WHY, spell, "mod", (B,), "turn_end", 3, numbers=(1,), words=("power",))
    begin(t, WHY, Frame(id=FrameId(2), lane="stack", kind="spell", by=P1, objs=spell.objs), "ban", (), "", 4)
    assert list(t.effects) == [
        Effect(
            id=EffectId(1),
            kind="mod",
            by=P1,
            source=obj(t, A),
            on=(obj(t, B),),
            until="turn_end",
            since=3,
            face="x",
            path=(0, 2),
            numbers=(1,),
            words=("power",),
        ),
        Effect(id=EffectId(2), kind="ban", by=P1, source=obj(t, A), since=4),
    ]
