"""Random DEA matches: legal random plots, every map, and the switchable readings."""

from functools import cache
from random import Random

from domain.games.dea import GAME
from domain.games.dea.cards import POOLS
from domain.games.dea.rules import MAPS, Rules
from domain.games.dea.text import GIMMICKS
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.pools import FIRST
from domain.law.rulesets import make_ruleset, pin_cards, with_settings
from domain.table.table import Seat
from recorder.simulate import simulate
from tests.laws.samples import Sample, readings

KEY = GAME.key

SAMPLE_PLOTS = 5
PRESETS = ("5x5", "5x5", *MAPS)
"""Maps to choose from; half of the matches use the usual one."""
PRINTED = {pool: dict(POOLS.cards_by_pool[pool]) for pool in (FIRST, *POOLS.published.values())}
"""Cards of the published pools, unaffected by the overlays of tests."""


def faces(rules: Rules, *types: str) -> list[str]:
    return sorted(face for face, words in PRINTED[rules.cards].items() if words.type in types)


def random_plot(random: Random, rules: Rules) -> Deck:
    """Return a random legal plot. Characters that cost too much together are replaced one by one."""
    held = PRINTED[rules.cards]
    characters = random.sample(faces(rules, "character"), rules.characters_per_plot)
    while sum(held[face].cost for face in characters) > rules.character_cost_limit:
        others = [face for face in faces(rules, "character") if face not in characters]
        characters[random.randrange(len(characters))] = random.choice(others)
    gimmicks = random.sample(faces(rules, *GIMMICKS), rules.gimmicks_per_plot)
    foreshadows = random.sample(faces(rules, "foreshadow"), rules.foreshadows_per_plot)
    return Deck((*characters, *gimmicks, *foreshadows))


def random_plots(random: Random, rules: Rules) -> dict[Seat, Deck]:
    if random.randrange(SAMPLE_PLOTS) == 0:
        named = GAME.named_decks()
        return {seat: named[random.choice(sorted(named))] for seat in GAME.seats(rules)}
    return {seat: random_plot(random, rules) for seat in GAME.seats(rules)}


@cache
def rules_of(seed: int) -> Rules:
    """Return random rules: any map; default readings for even seeds, random ones for odd seeds."""
    random = Random(f"dea match {seed}")
    settings = readings(GAME, random) if seed % 2 else {}
    rules: Rules = with_settings(GAME, make_ruleset(GAME, "1"), settings | {"map_preset": random.choice(PRESETS)})
    return rules


@cache
def match(seed: int) -> Sample:
    """Return a complete random match in which either writer may act at any time."""
    rules = rules_of(seed)
    played: Rules = pin_cards(GAME, rules)
    plots = random_plots(Random(f"dea plots {seed}"), played)
    return Sample(GAME, played, tuple(simulate(Law(GAME, rules), seed, interrupt=True, decks=plots)))
