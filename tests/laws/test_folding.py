"""Folding many facts at once comes to the same table as letting one happen after the other."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.clause import BY_HAND
from domain.law.entries import fold_entries, told
from domain.table import facts as F
from domain.table.evolve import evolve, fold
from domain.table.folding import Folding
from domain.table.table import LANES, NO_CLOCK, Columns, Frame, FrameId, Seat, Table, blank
from tests.laws.samples import sample

SEATS = (Seat("p1"), Seat("p2"))
TWICE = 0.1
"""How often a frame is given an id that may be there."""


def same(one: Table, other: Table) -> bool:
    """Equal, and what they hold lies in the same order."""
    orders = ((tuple(t.pieces), tuple(t.places), tuple(t.seats)) for t in (one, other))
    return one == other and len(set(orders)) == 1


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.parametrize("seed", [1, 2])
def test_folding_a_match_is_letting_one_fact_happen_after_the_other(key: str, seed: int) -> None:
    entries = sample(key, seed).entries
    facts = [fact for entry in entries for fact in told(entry)]
    one_by_one = [blank(entries[0].seats)]  # type: ignore[union-attr]
    for _, fact in facts:
        one_by_one.append(evolve(one_by_one[-1], fact))
    assert same(fold_entries(entries), one_by_one[-1])
    random = Random(f"{key} {seed}")
    for _ in range(30):
        first, last = sorted(random.choices(range(len(facts) + 1), k=2))
        folding = Folding(one_by_one[first])
        middle = random.randint(first, last)
        folding.apply(facts[first:middle])
        folding.apply(facts[middle:last])
        assert same(folding.freeze(), one_by_one[last]), (first, middle, last)


def flow(random: Random, pushed: list[int], twice: bool) -> F.AnyFact:
    """A fact of the flow about a frame that was pushed lately, or was not; with `twice` ids may be given twice."""
    number, lane = FrameId(random.randint(max(1, len(pushed) - 4), len(pushed) + 1)), random.choice(LANES)
    to = random.choice((None, lane))
    match random.randrange(8):
        case 0 | 1 | 2:
            pushed.append(len(pushed) + 1)
            new = number if twice and random.random() < TWICE else FrameId(pushed[-1])
            return F.Pushed(Frame(id=new, lane=lane, kind=random.choice("ab"), by=SEATS[0]))
        case 3 | 4:
            return F.Popped(number, "resolved")
        case 5:
            return F.Clocked(replace(NO_CLOCK, turn=random.randint(1, 9)))
        case 6:
            return F.Altered(number, lane=to, step=random.choice((None, "x", "y")))
        case _:
            return F.Altered(number, columns=Columns(seats=random.choice(((), SEATS))), lane=to)


@pytest.mark.parametrize("twice", [False, True])
def test_whatever_flows_comes_to_the_same(twice: bool) -> None:
    """Frames that are gone, that move to another lane and back, and two by the same id, which no law tells."""
    random, held, doubled = Random(1), 0, 0
    for _ in range(400):
        pushed: list[int] = []
        facts = [flow(random, pushed, twice) for _ in range(random.randint(1, 40))]
        first = random.randrange(len(facts))
        before = fold(blank(SEATS), facts[:first])
        folding = Folding(before)
        folding.apply((BY_HAND, fact) for fact in facts[first:])
        table = folding.freeze()
        assert same(table, fold(before, facts[first:])), facts
        frames = [frame.id for name in LANES for frame in getattr(table, name)]
        held += len(frames)
        doubled += len(frames) > len(set(frames))
    assert held > 400 and (doubled > 10) == twice


def test_a_table_that_was_frozen_stays_as_it_was() -> None:
    folding = Folding(blank(SEATS))
    folding.apply([(BY_HAND, F.Pushed(Frame(id=FrameId(1), lane="stack", kind="a", by=SEATS[0])))])
    first = folding.freeze()
    folding.apply([(BY_HAND, F.Altered(FrameId(1), step="x")), (BY_HAND, F.Marked(SEATS[0], "life", 3))])
    second = folding.freeze()
    assert (first.stack[0].step, second.stack[0].step) == ("", "x")
    assert (first.seats[SEATS[0]], second.seats[SEATS[0]]) == ({}, {"life": 3})
