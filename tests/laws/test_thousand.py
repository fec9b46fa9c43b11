"""Random matches with all switchable options at random values are sound, end, and audit clean.

A nightly run plays a thousand matches of a game with short matches. `make soak` plays any number.
"""

from random import Random

import pytest

from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError, make_ruleset, with_settings
from recorder.simulate import simulate
from tests.games import PLAYED, tried
from tests.laws.samples import decks_of, giving_up, with_seating
from tests.laws.soundness import faultless, require_possible
from tests.rotation import rotate

pytestmark = [pytest.mark.rotates(3), pytest.mark.random]

BATCHES = 20


def random_rules(game: Game, random: Random, seed: int) -> object:
    version = random.choice(tuple(game.versions))
    frame = random.choice(game.regulations_in(version) or ("",))
    options = {one.key: random.choice(one.values) for one in game.options if len(one.values) > 1}
    rules = with_seating(game, make_ruleset(game, version, frame), seed)
    while True:
        try:
            return with_settings(game, rules, options)
        except RulesetError:  # some options exclude each other, so drop one
            options.pop(random.choice(tuple(options)))


@pytest.mark.parametrize("batch", rotate(range(BATCHES), 1))
@pytest.mark.parametrize("key", sorted(PLAYED))
def test_a_thousand_matches_under_random_options(key: str, batch: int) -> None:
    game, each = PLAYED[key], tried(key).batch
    for seed in range(batch * each, (batch + 1) * each):
        rules = random_rules(game, Random(f"{key} {seed}"), seed)
        decks = decks_of(game, rules, seed // len(tried(key).tables))
        entries = simulate(Law(game, rules), seed, decks=decks, concede=giving_up(game, rules))
        require_possible(game, entries)
        faultless(game, entries)
