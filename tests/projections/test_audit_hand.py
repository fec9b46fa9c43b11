"""Manual corrections that leave an effect inconsistent with its card, and some that do not."""

from domain.judging.audit.judge import find_stale_effect
from domain.law.clause import BY_HAND
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.table import CardId, Effect, EffectId, Obj, Place, Seat, blank
from tests.rows import for_each

P1 = Seat("p1")
FOG, HAND, GRAVE = Place("p1.fog"), Place("p1.hand"), Place("p1.grave")
KEY, OTHER, SOLDIER = CardId(1), CardId(2), CardId(3)
EFFECT = Effect(id=EffectId(1), kind="up", by=P1, source=Obj(KEY, 1), on=(Obj(SOLDIER, 3),), numbers=(8,), until="turn")
BEFORE = fold(
    blank((P1,)),
    (F.Created(FOG, (KEY,), ("H8",), P1), F.Created(HAND, (OTHER, SOLDIER), ("H9", "S4"), P1), F.Began(EFFECT)),
)
SWAP = (F.Moved((KEY,), HAND), F.Moved((OTHER,), FOG, up=True))


def odd(*facts: F.AnyFact) -> str:
    told = tuple((BY_HAND, fact) for fact in facts)
    why = find_stale_effect(BEFORE, told, fold(BEFORE, facts))
    return "" if why is None else why.say("en")


def test_a_swap_leaves_the_old_number_behind() -> None:
    assert "(+8)" in odd(*SWAP) and "H8" in odd(*SWAP) and "H9" in odd(*SWAP)


def test_a_card_that_is_another_face_leaves_it_too() -> None:
    assert "H9" in odd(F.Learned(KEY, "H9"))


@for_each(
    "facts",
    [
        (*SWAP, F.Adjusted(EffectId(1), (9,))),
        (*SWAP, F.Ended((EffectId(1),))),
        (F.Moved((KEY,), GRAVE),),
        (F.Moved((OTHER,), FOG),),
        (F.Learned(KEY, "H8"),),
        (F.Marked((KEY,), "entered", 1),),
    ],
)
def test_what_is_set_right_or_touches_no_effect_is_nothing(facts: tuple[F.AnyFact, ...]) -> None:
    assert odd(*facts) == ""
