"""Shuffles of many matches: what is counted, how rare it is, and whom that finds out."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations
from math import factorial, sqrt
from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.shuffles import LATER, OPENING, Counts, Group, Shuffle, Shuffles, judge_shuffles, shuffles
from domain.judging.shuffles.counts import neighbours, rising, summed, unpacked
from domain.judging.shuffles.drawing import rarity, squares
from domain.judging.shuffles.exact import ROUNDING, Spread, middle, neighbours_spread, rising_spread, tails
from domain.judging.shuffles.testing import FAMILY, KINDS, Trial, holm
from domain.judging.shuffles.told import MOST
from domain.law.croupier import draws
from domain.law.entries import Entry, Played, Rewound, Undealt, opened_of, told
from domain.law.law import Law
from domain.law.offers import shuffle as drawn
from domain.table import facts as F
from domain.table.table import CHANCE
from recorder import codec
from recorder.simulate import simulate
from tests.laws.presumed import presume
from tests.laws.samples import sample
from tests.toy import TOY, Rules

ROUGH = 0.1
"""A rate at which few sums are drawn."""
Deal = Callable[[Random, int], tuple[int, ...]]


def fairly(random: Random, size: int) -> tuple[int, ...]:
    return tuple(random.sample(range(size), size))


def with_top_kept(share: float) -> Deal:
    """The card in front stays there in this share of shuffles, beside what chance does."""

    def deal(random: Random, size: int) -> tuple[int, ...]:
        to = list(fairly(random, size))
        if random.random() < share:
            other = to.index(0)
            to[0], to[other] = 0, to[0]
        return tuple(to)

    return deal


def overhand(random: Random, size: int) -> tuple[int, ...]:
    """Three times: packets of a few cards taken off the front, the last one on top."""
    row = list(range(size))
    for _ in range(3):
        done: list[int] = []
        while row:
            cut = random.randint(2, 7)
            done, row = row[:cut] + done, row[cut:]
        row = done
    return tuple(row.index(card) for card in range(size))


def corpus(random: Random, matches: int, size: int, deal: Deal = fairly, later: int = 0) -> Counts:
    """Matches of two seats, with some more shuffles: whether there is one more hangs on how the last came out."""
    counts = Counts()
    for _ in range(matches):
        dealt = [Shuffle(OPENING, f"{seat}.deck", deal(random, size)) for seat in ("p1", "p2")]
        for turn in range(1, later + 1):
            dealt.append(Shuffle(turn, "p1.deck", deal(random, size - turn)))
            if dealt[-1].to[0] == 0:
                break
        counts.add("toy", dealt)
    return counts


def failed(judged: Shuffles) -> set[str]:
    return {test.kind for test in judged.tests if test.failed}


# -- what is counted --------------------------------------------------------------------------------------------------


def test_the_counts_of_two_shuffles_by_hand() -> None:
    counts = Counts()
    counts.add("toy", [Shuffle(OPENING, "p1.deck", (2, 0, 1)), Shuffle(OPENING, "p2.deck", (0, 1, 2))])
    kind = counts.blocks[OPENING]
    rows = {group.pile: summed(blocks, 3) for group, blocks in kind.items()}
    assert unpacked(rows["p1.deck"]) == (0, 0, 1, 1, 0, 0, 0, 1, 0)
    assert unpacked(rows["p2.deck"]) == (1, 0, 0, 0, 1, 0, 0, 0, 1)
    sums = squares((group, summed(blocks, 3)) for group, blocks in kind.items())
    assert (sums.places, sums.front, sums.seats) == (6, 2, 2), "no cell is met twice"
    counts.add("toy", [Shuffle(OPENING, "p1.deck", (2, 0, 1))])
    sums = squares((group, summed(blocks, 3)) for group, blocks in kind.items())
    assert (sums.places, sums.front, sums.seats) == (3 * 2**2 + 3, 2**2 + 1, 2**2 + 1)
    runs = counts.runs[OPENING]
    assert (runs.sizes, runs.rising, runs.neighbours) == (Counter({3: 3}), 2 + 1 + 2, 1 + 2 + 1)


@pytest.mark.parametrize(
    ("to", "runs", "pairs"), [((0, 1, 2, 3), 1, 3), ((3, 2, 1, 0), 4, 0), ((2, 3, 0, 1), 2, 2), ((0, 2, 1, 3), 2, 0)]
)
def test_rising_sequences_and_neighbours_by_hand(to: tuple[int, ...], runs: int, pairs: int) -> None:
    assert (rising(to), neighbours(to)) == (runs, pairs)


def test_shuffles_beyond_those_tested_are_counted_only() -> None:
    counts = Counts()
    counts.add("toy", [Shuffle(LATER + 1, "p1.deck", (1, 0)), Shuffle(OPENING, "p1.deck", tuple(range(MOST + 1)))])
    judged = judge_shuffles(counts)
    assert (judged.beyond, judged.first, judged.later, judged.tests) == (2, 0, 0, ())
    assert judged.suspicious is None and judged.reach is None


# -- what a record tells ----------------------------------------------------------------------------------------------


@cache
def toy() -> tuple[Entry, ...]:
    return tuple(simulate(Law(TOY, Rules()), 3))


def chances(entries: tuple[Entry, ...]) -> list[int]:
    return [n for n, entry in enumerate(entries) if isinstance(entry, Played) and entry.actor == CHANCE]


def test_each_card_is_followed_from_the_decks_list_to_its_place() -> None:
    created = [fact for _, fact in told(toy()[0]) if isinstance(fact, F.Created) and fact.place.endswith(".deck")]
    orders = [fact for n in chances(toy()) for _, fact in told(toy()[n]) if isinstance(fact, F.Arranged)]
    record = shuffles(TOY, toy())
    assert record.unseen == 0 and [one.turn for one in record.shuffles] == [OPENING, OPENING]
    for one, deck, order in zip(record.shuffles, created, orders, strict=True):
        assert one.pile == deck.place == order.place
        assert tuple(deck.cards[one.to.index(at)] for at in range(len(one.to))) == order.cards


def test_what_a_branch_inherits_belongs_to_the_match_it_comes_from() -> None:
    first, second = chances(toy())[:2]
    opened = replace(opened_of(toy()), parent="m")
    assert (
        shuffles(TOY, (replace(opened, parent_at=first + 1), *toy()[1:])).shuffles == shuffles(TOY, toy()).shuffles[1:]
    )
    assert shuffles(TOY, (replace(opened, parent_at=second + 1), *toy()[1:])).shuffles == ()
    assert shuffles(TOY, (opened, *toy()[1:])).shuffles == ()


def test_a_pile_shuffled_again_after_a_rewind_is_a_later_shuffle() -> None:
    at = chances(toy())[1]
    entries = (*toy()[: at + 1], Rewound(to=at, reason="again", by="judge"), toy()[at])
    assert [one.turn for one in shuffles(TOY, entries).shuffles] == [OPENING, OPENING, 1]


def test_a_shuffle_of_which_nobody_knows_how_the_cards_lie_is_not_tested() -> None:
    record = sample("blackpoker", 1)
    known = shuffles(record.game, record.entries)
    at = next(n for n in chances(tuple(record.entries)) if b"shuffle" in bytes(record.entries[n].action))  # type: ignore[union-attr]
    entry = record.entries[at]
    assert isinstance(entry, Played)
    action = replace(record.game.decoder().decode(entry.action), order=())
    (fact,) = [fact for _, fact in entry.told if isinstance(fact, F.Arranged)]
    unseen = [
        (clause, replace(fact, cards=tuple(sorted(fact.cards))) if fact is other else other)
        for clause, other in entry.told
    ]
    entries = (
        *record.entries[:at],
        replace(entry, action=codec.raw_action(action), told=tuple(unseen)),
        *record.entries[at + 1 :],
    )
    hidden = shuffles(record.game, entries)
    assert (hidden.unseen, len(hidden.shuffles)) == (1, len(known.shuffles) - 1)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_shuffle_of_every_game_is_told(key: str) -> None:
    presume(key, "chance")
    record = sample(key, 2)
    told_of = [
        fact for entry in record.entries for _, fact in told(entry) if isinstance(fact, F.Arranged) and fact.shuffled
    ]
    record_tells = shuffles(record.game, record.entries)
    assert [one.pile for one in record_tells.shuffles] == [fact.place for fact in told_of if len(fact.cards) > 1]
    first = [one for one in record_tells.shuffles if one.turn == OPENING]
    assert len(first) == len(record.opened.seats), "each seat's deck, once"
    assert all(sorted(one.to) == list(range(len(one.to))) for one in record_tells.shuffles)


# -- exact spreads and tails -------------------------------------------------------------------------------------------


def test_three_cards_have_one_four_and_one_orders_by_rising_sequences() -> None:
    assert rising_spread(3) == (0, 1 / 6, 4 / 6, 1 / 6)
    assert neighbours_spread(3) == (3 / 6, 2 / 6, 1 / 6)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7])
def test_the_spreads_are_those_of_all_orders(size: int) -> None:
    for spread, count in ((rising_spread, rising), (neighbours_spread, neighbours)):
        found = Counter(count(to) for to in permutations(range(size)))
        assert spread(size) == tuple(found[k] / factorial(size) for k in range(len(spread(size))))
        assert sum(found.values()) == factorial(size)


def convolved(spread: Spread, sizes: dict[int, int]) -> list[float]:
    row = [1.0]
    for size, number in sizes.items():
        for _ in range(number):
            wider = [0.0] * (len(row) + len(spread(size)) - 1)
            for at, share in enumerate(row):
                for k, own in enumerate(spread(size)):
                    wider[at + k] += share * own
            row = wider
    return row


@pytest.mark.parametrize("spread", [rising_spread, neighbours_spread])
@pytest.mark.parametrize("sizes", [{4: 1}, {3: 2, 9: 5}, {5: 150, 8: 60}])
def test_tails_of_sums_are_those_of_the_sum_itself(spread: Spread, sizes: dict[int, int]) -> None:
    row = convolved(spread, sizes)
    mean, deviation = middle(spread, sizes)
    assert mean == pytest.approx(sum(k * share for k, share in enumerate(row)))
    for total in {0, len(row) - 1, *(round(mean + z * deviation) for z in (-30, -4, -1, 0, 0.5, 2, 5, 30))}:
        if 0 <= total < len(row):
            low, high = tails(spread, sizes, total)
            for told_tail, whole in ((low, sum(row[: total + 1])), (high, sum(row[total:]))):
                assert whole <= told_tail <= whole + 2 * ROUNDING or told_tail == 1.0


# -- how rare ----------------------------------------------------------------------------------------------------------


def test_three_shuffles_of_three_cards_that_are_one_are_as_rare_as_they_are() -> None:
    counts = Counts()
    counts.add("toy", [Shuffle(OPENING, "p1.deck", (1, 2, 0))] * 3)
    rare = rarity(counts.blocks[OPENING], OPENING, 4999)
    assert 1 / 36 * 0.5 < rare.places < 1 / 36 * 2, "each of the others is the first one in one case of six"
    assert 1 / 9 * 0.5 < rare.front < 1 / 9 * 2 and rare.seats == rare.front
    assert rarity(counts.blocks[OPENING], OPENING, 4999) == rare, "the same record, the same answer"


@pytest.mark.random
def test_p_is_as_small_as_it_says_no_more_often_than_it_says() -> None:
    random, below = Random(4), Counter[tuple[str, float]]()
    trials, levels = 160, (0.05, 0.2, 0.5)
    for _ in range(trials):
        counts = corpus(random, 12, 5, later=1)
        for turn, kind in counts.blocks.items():
            rare = rarity(kind, turn, 99)
            for name, p in rare._asdict().items():
                below.update((f"{name} {turn}", level) for level in levels if p <= level)
        for name, spread in (("rising", rising_spread), ("neighbours", neighbours_spread)):
            runs = counts.runs[OPENING]
            p = 2 * min(tails(spread, runs.sizes, getattr(runs, name)))
            below.update((name, level) for level in levels if p <= level)
    assert len({name for name, _ in below}) == 3 * 2 + 2
    for (name, level), count in below.items():
        most = trials * level + 3.5 * sqrt(trials * level * (1 - level))
        assert count <= most, f"{name}: p at most {level} in {count} of {trials}"
    for name in ("places 0", "front 0"):
        assert below[name, 0.2] >= trials * 0.2 - 3.5 * sqrt(trials * 0.2 * 0.8), f"{name} is no better than said"


@pytest.mark.random
def test_sound_corpora_are_called_suspicious_no_more_often_than_the_rate() -> None:
    random, rate, trials = Random(9), 0.3, 80
    called = sum(judge_shuffles(corpus(random, 10, 5, later=2), rate).suspicious is True for _ in range(trials))
    assert called <= trials * rate + 3 * sqrt(trials * rate * (1 - rate))


def test_holm_looks_at_the_least_p_first_and_stops_at_the_first_that_is_too_large() -> None:
    rate = FAMILY / 1000
    first, second, third = 1 / 1000, rate / (FAMILY - 1), rate / (FAMILY - 2)
    tests = [Trial("front", 1, 9, 0.5), Trial("places", 0, 9, second), Trial("front", 0, 9, first)]
    assert [test.failed for test in holm(tests, rate)] == [False, True, True]
    assert [test.failed for test in holm([*tests, Trial("seats", 0, 9, third)], rate)] == [False, True, True, True]
    late = [Trial("front", 0, 9, first * 1.01), Trial("places", 0, 9, second)]
    assert not any(test.failed for test in holm(late, rate)), "the least of them is too large for the first bound"


def test_one_pile_that_was_not_shuffled_at_all_shows_by_what_stayed_together() -> None:
    counts = Counts()
    counts.add("toy", [Shuffle(turn, "p1.deck", tuple(range(30))) for turn in range(LATER + 1)])
    judged = judge_shuffles(counts, ROUGH)
    assert len(judged.tests) == FAMILY == len(KINDS) * (LATER + 1)
    assert failed(judged) == {"rising", "neighbours"}, "of one shuffle nobody can say where cards should have come to"


# -- whom it finds out -------------------------------------------------------------------------------------------------


def test_the_top_card_that_stays_in_three_of_ten_shuffles_is_named() -> None:
    judged = judge_shuffles(corpus(Random(1), 60, 12, with_top_kept(0.3)), ROUGH)
    assert judged.suspicious is True and {"front", "places"} <= failed(judged)
    (test,) = [test for test in judged.tests if test.kind == "front"]
    case = test.cases[0]
    assert (case.pile, case.size, case.before, case.after, case.all) == ("", 12, 1, 1, 120)
    assert case.count > 30 and case.expected == 10


def test_a_deck_shuffled_overhand_keeps_its_runs() -> None:
    judged = judge_shuffles(corpus(Random(2), 3, 40, overhand), 0.01)
    assert judged.suspicious is True and {"rising", "neighbours"} <= failed(judged)
    (test,) = [test for test in judged.tests if test.kind == "neighbours"]
    assert test.mean is not None and test.expected is not None and test.mean > 10 > test.expected


def test_a_croupier_that_chooses_among_seeds_is_found_out_though_every_draw_is_its_seeds() -> None:
    counts, favourites = Counts(), {3, 4, 5}
    for match in range(60):
        for seed in range(1000):
            below = draws(f"m{match}", seed.to_bytes(16, "big"), 2)
            order = drawn(range(20), below)
            if order[0] in favourites:
                break
        other = drawn(range(20), draws(f"m{match}", seed.to_bytes(16, "big"), 3))
        rows = (("p1.deck", order), ("p2.deck", other))
        counts.add("toy", [Shuffle(OPENING, pile, tuple(row.index(n) for n in range(20))) for pile, row in rows])
    judged = judge_shuffles(counts, ROUGH)
    assert "seats" in failed(judged)
    (test,) = [test for test in judged.tests if test.kind == "seats"]
    assert {(case.pile, case.before - 1, case.after) for case in test.cases} == {("p1.deck", n, 1) for n in favourites}


def test_too_few_shuffles_are_never_called_fair() -> None:
    few = judge_shuffles(corpus(Random(3), 5, 20), ROUGH)
    assert few.suspicious is None and few.reach is not None and few.reach.shuffles > few.first == 10
    many = judge_shuffles(corpus(Random(3), few.reach.shuffles, 20), ROUGH)
    assert many.suspicious is False and many.reach is not None
    assert abs(many.reach.shuffles - few.reach.shuffles) <= 2, "how many it takes hangs on the piles alone"


@pytest.mark.random
def test_the_tilt_that_is_said_to_be_found_is_found_about_as_often_as_said() -> None:
    random, trials = Random(8), 30
    reach = judge_shuffles(corpus(random, 2, 8), 0.3).reach
    assert reach is not None
    tilted = with_top_kept(reach.tilt)
    found = sum(
        "front" in failed(judge_shuffles(corpus(random, reach.shuffles // 2, 8, tilted), 0.3)) for _ in range(trials)
    )
    assert found >= trials * (reach.found - 0.17)


def test_piles_of_two_and_games_beside_each_other_are_told_apart() -> None:
    counts = Counts()
    counts.add("one", [Shuffle(OPENING, "p1.deck", (1, 0)), Shuffle(OPENING, "p1.deck", (0, 1))])
    counts.add("other", [Shuffle(OPENING, "p1.deck", (1, 0, 2))])
    assert counts.number[OPENING] == {Group("one", "p1.deck", 2): 2, Group("other", "p1.deck", 3): 1}
    assert judge_shuffles(counts, ROUGH).suspicious is None


def test_real_cards_have_no_order_to_test() -> None:
    opened = opened_of(toy())
    fields = {name: getattr(opened, name) for name in opened.__struct_fields__}
    record = shuffles(TOY, (Undealt(**fields), *toy()[1:]))
    assert (record.shuffles, record.unseen) == ((), 2)
