"""Folding many facts at once gives the same table as folding them one by one."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.clause import BY_HAND
from domain.law.entries import Restored, Rewound, entry_facts, fold_entries, tables
from domain.table import facts as F
from domain.table.evolve import evolve, fold
from domain.table.folding import Folding
from domain.table.table import LANES, NO_CLOCK, CardId, Frame, FrameId, Place, Seat, Table, ValueColumns, blank
from tests.laws.samples import sample

SEATS = (Seat("p1"), Seat("p2"))
PLACES = tuple(map(Place, ("p1.hand", "p2.hand", "deck", "unit", "unit:1,1", "unit:1,2", "strip:1,1")))
TWICE = 0.1


def same(one: Table, other: Table) -> bool:
    orders = ((tuple(t.pieces), tuple(t.places), tuple(t.seats)) for t in (one, other))
    return one == other and len(set(orders)) == 1


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.parametrize("seed", [1, 2])
def test_folding_a_match_is_letting_one_fact_happen_after_the_other(key: str, seed: int) -> None:
    entries = sample(key, seed).entries
    facts = [fact for entry in entries for fact in entry_facts(entry)]
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


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_rewind_gives_back_the_whole_table_and_its_clock(key: str) -> None:
    played = sample(key, 1).entries[:40]
    left, back = len(played), 2
    entries = (*played, Rewound(to=back, reason="x", by="judge"), Restored(to=left, reason="x", by="judge"))
    after = {number: table for number, _, _, table in tables(entries)}
    assert after[left].clock != after[back].clock
    assert all(same(table, fold_entries(entries, number)) for number, table in after.items())
    assert same(after[left + 1], after[back]) and same(after[left + 2], after[left])


def flow(random: Random, pushed: list[int], twice: bool) -> F.AnyFact:
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
            return F.Altered(number, columns=ValueColumns(seats=random.choice(((), SEATS))), lane=to)


@pytest.mark.parametrize("twice", [False, True])
def test_whatever_flows_comes_to_the_same(twice: bool) -> None:
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


def random_fact(random: Random, table: Table) -> F.AnyFact:
    cards = tuple(random.sample(tuple(table.pieces), k=min(len(table.pieces), random.randint(1, 3))))
    place, mark, to = random.choice(PLACES), random.choice("xyz"), random.randint(0, 2)
    match random.randrange(9 if cards else 1):
        case 0:
            new = tuple(CardId(table.minted + n) for n in (1, 2))
            return F.Created(place, new, ("a", None), random.choice(SEATS))
        case 1:
            row = table.places.get(place, ())
            return F.Arranged(place, tuple(random.sample(row, k=len(row))), random.random() < 0.5)
        case 2:
            return F.Removed(cards[:1])
        case 3:
            return F.Marked(random.choice((None, *SEATS, cards)), mark, to)
        case 4:
            return random.choice((F.Stanced(cards, to), F.Turned(cards, bool(to)), F.Shown(cards, SEATS, lasting=True)))
        case _:
            return F.Moved(cards, place, random.choice((-1, -1, 0, 1)), bool(to))


def test_whatever_lies_on_a_table_comes_to_the_same() -> None:
    random = Random(2)
    for _ in range(100):
        first = before = blank(SEATS)
        folding = Folding(before)
        facts: list[F.AnyFact] = []
        for _ in range(random.randint(1, 60)):
            facts.append(random_fact(random, before))
            before = evolve(before, facts[-1])
        middle = random.randrange(len(facts))
        folding.apply((BY_HAND, fact) for fact in facts[:middle])
        between = folding.freeze()
        folding.apply((BY_HAND, fact) for fact in facts[middle:])
        assert same(folding.freeze(), before), facts
        assert same(between, fold(first, facts[:middle])), facts


def test_a_table_that_was_frozen_stays_as_it_was() -> None:
    folding = Folding(blank(SEATS))
    folding.apply([(BY_HAND, F.Pushed(Frame(id=FrameId(1), lane="stack", kind="a", by=SEATS[0])))])
    first = folding.freeze()
    folding.apply([(BY_HAND, F.Altered(FrameId(1), step="x")), (BY_HAND, F.Marked(SEATS[0], "life", 3))])
    second = folding.freeze()
    assert (first.stack[0].step, second.stack[0].step) == ("", "x")
    assert (first.seats[SEATS[0]], second.seats[SEATS[0]]) == ({}, {"life": 3})
