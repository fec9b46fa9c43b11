"""Recorded matches judged by other rules or other cards, and their differences."""

from collections.abc import Iterator
from typing import Any

from domain.judging.rejudging import Verdict, rejudge
from domain.law.pools import Pools
from domain.law.rulesets import load, with_settings
from tests.shelves import Shelf


def under(shelf: Shelf, name: str, **settings: object) -> Verdict:
    own = load(shelf.game, shelf.first_entry(name).rules)
    return rejudge(shelf.game, shelf.entries(name), with_settings(shelf.game, own, settings))


def kind(verdict: Verdict) -> tuple[str, int, str]:
    return verdict.kind, verdict.entry, verdict.clause


def winners(verdict: Verdict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    results = verdict.recorded_result, verdict.rejudged_result
    before, after = (() if result is None else tuple(result.winners) for result in results)
    return before, after


def restore_pools(pools: Pools[Any]) -> Iterator[None]:
    known = set(pools.cards_by_pool)
    yield
    for pool in set(pools.cards_by_pool) - known:
        del pools.cards_by_pool[pool]
