"""Random matches end, far below every limit."""

from importlib import import_module

import pytest

from domain.law.entries import Closed, entry_facts
from domain.law.law import Law
from domain.law.live import FACTS_MAX
from recorder.simulate import ENTRIES_MAX, simulate
from tests.games import PLAYED
from tests.laws.samples import giving_up, moments, rules_of, sample
from tests.rotation import rotate
from tests.rows import for_each

pytestmark = pytest.mark.random

ALL_SEEDS = tuple(range(60))
SEEDS = rotate(ALL_SEEDS, 5)
NATURAL = ALL_SEEDS[:8]
FACTS_SHARE, STEPS_SHARE, ENTRIES_SHARE = 20, 10, 2
"""The largest entry, longest automatic run and longest match stay below these fractions of their limits."""


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_every_random_match_ends_and_no_entry_is_large(key: str) -> None:
    longest = largest = 0
    for seed in SEEDS:
        one = sample(key, seed)
        assert isinstance(one.entries[-1], Closed), f"seed {seed} did not end"
        assert moments(key, seed)[-1].after.result is not None
        longest = max(longest, len(one.entries))
        largest = max(largest, *(len(entry_facts(entry)) for entry in one.entries))
    assert largest < FACTS_MAX / FACTS_SHARE
    assert longest < ENTRIES_MAX / ENTRIES_SHARE


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_automatic_steps_stay_far_below_their_bound(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolution = import_module(PLAYED[key].settle.__module__)
    if not hasattr(resolution, "STEPS_MAX"):
        pytest.skip(f"{key} takes no automatic steps in a loop: {resolution.__name__} has no STEPS_MAX")
    monkeypatch.setattr(resolution, "STEPS_MAX", resolution.STEPS_MAX // STEPS_SHARE)
    for seed in SEEDS:
        game, rules = PLAYED[key], rules_of(key, seed)
        concede = 0.0 if seed in NATURAL else giving_up(game, rules)
        assert isinstance(simulate(Law(game, rules), seed, concede=concede)[-1], Closed)


@for_each("key", sorted(PLAYED))
def test_whoever_gives_up_ends_the_match(key: str) -> None:
    for seed in ALL_SEEDS[:12]:
        entries = simulate(Law(PLAYED[key], rules_of(key, seed)), seed, concede=0.05)
        assert isinstance(entries[-1], Closed)
        if len(entries) < len(sample(key, seed).entries):
            return
    pytest.fail("no match is shorter when players concede")
