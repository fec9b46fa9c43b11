"""A thousand random matches, each with every switchable option at a random value: sound, ended, audited to nothing."""

from random import Random

import pytest

from domain.games import GAMES
from domain.law.game import Game
from domain.law.rulesets import RulesetError, ruleset, with_settings
from recorder.simulate import simulate
from tests.laws.samples import TIER
from tests.laws.soundness import faultless, physical

MATCHES, BATCHES = 1_000, 20
EACH = MATCHES // BATCHES


def random_rules(game: Game, random: Random) -> object:
    """A published ruleset with every switchable option at a random value."""
    version = random.choice(tuple(game.versions))
    frame = random.choice(game.frames) if game.frames else ""
    options = {one.key: random.choice(one.values) for one in game.options if one.tier == TIER}
    while True:
        try:
            return with_settings(game, ruleset(game, version, frame), options)
        except RulesetError:  # some options exclude each other: one less
            options.pop(random.choice(tuple(options)))


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_thousand_matches_under_random_options(key: str, batch: int) -> None:
    game = GAMES[key]
    for seed in range(batch * EACH, (batch + 1) * EACH):
        rules = random_rules(game, Random(f"{key} {seed}"))
        entries = simulate(game, rules, seed)
        physical(game, entries)
        faultless(game, entries)
