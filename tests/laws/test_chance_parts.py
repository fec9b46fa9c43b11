"""Shuffling and sampling: every order is possible, nothing is lost, and the draws requested are those of the scheme."""

from collections import Counter
from itertools import permutations, product

from domain.law.offers import draw_sample, shuffle


def test_every_order_comes_exactly_once_over_all_draws() -> None:
    seen = Counter()
    for draws in product(range(4), range(3), range(2)):
        left = list(draws)
        asked: list[int] = []

        def below(n: int, left: list[int] = left, asked: list[int] = asked) -> int:
            asked.append(n)
            return left.pop(0)

        seen[shuffle("abcd", below)] += 1
        assert asked == [4, 3, 2]
    assert seen == Counter(permutations("abcd"))


def test_a_sample_has_every_row_of_that_size_exactly_once_over_all_draws() -> None:
    seen = Counter()
    for draws in product(range(4), range(3)):
        left = list(draws)
        seen[draw_sample("abcd", 2, lambda n, left=left: left.pop(0))] += 1
    assert seen == Counter(permutations("abcd", 2))
