"""The croupier: the same draws for the same seed, and a fair distribution."""

from collections import Counter
from hashlib import sha256

import pytest

from domain.law import croupier
from recorder import chance

SEED = bytes(range(16))
KNOWN_DRAWS = [3, 79, 65, 30, 5, 54, 88, 26]
KNOWN_IDS = [1, 6, 10, 3, 9, 5, 4, 2, 7, 8]


def test_draws_are_those_of_the_written_scheme() -> None:
    text = "shinpan/draw/000102030405060708090a0b0c0d0e0f/m/7/"
    words = [
        int.from_bytes(sha256(f"{text}{counter}".encode()).digest()[at : at + 8], "big")
        for counter in range(3)
        for at in (0, 8, 16, 24)
    ]
    below = croupier.make_random_source("m", SEED, 7)
    assert [below(54) for _ in range(12)] == [word % 54 for word in words]
    assert croupier.commitment("m", SEED) == (
        sha256(b"shinpan/commitment/000102030405060708090a0b0c0d0e0f/m").hexdigest()
    )


def test_known_draws_stay_what_they_were() -> None:
    below = croupier.make_random_source("m", SEED, 7)
    assert [below(100) for _ in range(8)] == KNOWN_DRAWS
    assert list(croupier.card_ids("m", SEED, 10)) == KNOWN_IDS


def test_a_word_beyond_the_last_whole_multiple_is_skipped() -> None:
    # A range just over half of all words makes the croupier skip nearly every second word.
    n = 2**63 + 1
    below = croupier.make_random_source("m", SEED, 1)
    drawn = [below(n) for _ in range(40)]
    words = croupier._words(f"shinpan/draw/{SEED.hex()}/m/1/")
    assert drawn == [word for word, _ in zip((w for w in words if w < n), range(40), strict=False)]
    assert croupier.make_random_source("m", SEED, 1)(1) == 0


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_what_cannot_be_drawn_is_an_error(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        croupier.make_random_source("m", SEED, 1)(n)


def test_entries_matches_and_seeds_draw_apart() -> None:
    def first(match: str, seed: bytes, number: int) -> tuple[int, ...]:
        below = croupier.make_random_source(match, seed, number)
        return tuple(below(2**32) for _ in range(4))

    seen = {first(match, seed, number) for match in "ab" for seed in (SEED, bytes(16)) for number in range(50)}
    assert len(seen) == 2 * 2 * 50
    assert first("a", SEED, 3) == first("a", SEED, 3)
    assert len({croupier.commitment(match, seed) for match in "ab" for seed in (SEED, bytes(16))}) == 4
    assert chance.new_seed() != chance.new_seed()
    assert len(chance.new_seed()) == 16


@pytest.mark.parametrize("sides", [2, 3, 6, 7])
def test_draws_are_even(sides: int) -> None:
    count = 6_000
    rolled = Counter(croupier.make_random_source("m", SEED, number)(sides) for number in range(count))
    share = count / sides
    assert set(rolled) == set(range(sides))
    # With six degrees of freedom, one seed in a million exceeds 30; this seed is fixed.
    assert sum((rolled[side] - share) ** 2 / share for side in range(sides)) < 30


def test_card_ids_are_a_permutation_and_every_place_is_even() -> None:
    assert sorted(croupier.card_ids("m", SEED, 108)) == list(range(1, 109))
    assert croupier.card_ids("m", SEED, 0) == ()
    orders = Counter(croupier.card_ids(f"m{n}", SEED, 3) for n in range(3_000))
    assert len(orders) == 6
    assert all(400 < times < 600 for times in orders.values())
