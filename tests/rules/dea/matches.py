"""Random DEA matches: legal plots by chance, on every map, by the switchable readings."""

from functools import cache
from random import Random

from domain.games.dea import GAME
from domain.games.dea.cards import POOLS
from domain.games.dea.rules import MAPS, Rules
from domain.games.dea.text import GIMMICKS
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.pools import FIRST
from domain.law.rulesets import pin_cards, ruleset, with_settings
from domain.table.table import Seat
from recorder.simulate import simulate
from tests.laws.samples import Sample, readings

KEY = GAME.key

SAMPLE_PLOTS = 5
"""In one match of so many everybody plays a sample plot."""
PRESETS = ("5x5", "5x5", *MAPS)
"""The maps that are drawn from: the usual one in half of the matches."""
PRINTED = {pool: dict(POOLS.held[pool]) for pool in (FIRST, *POOLS.published.values())}
"""The cards of the published pools, whatever a test lays over them."""


def faces(rules: Rules, *types: str) -> list[str]:
    return sorted(face for face, words in PRINTED[rules.cards].items() if words.type in types)


def random_plot(random: Random, rules: Rules) -> Deck:
    """A legal plot by chance; of characters who cost too much together one after the other is drawn anew."""
    held = PRINTED[rules.cards]
    characters = random.sample(faces(rules, "character"), rules.characters_per_plot)
    while sum(held[face].cost for face in characters) > rules.character_cost_limit:
        others = [face for face in faces(rules, "character") if face not in characters]
        characters[random.randrange(len(characters))] = random.choice(others)
    gimmicks = random.sample(faces(rules, *GIMMICKS), rules.gimmicks_per_plot)
    foreshadows = random.sample(faces(rules, "foreshadow"), rules.foreshadows_per_plot)
    return Deck((*characters, *gimmicks, *foreshadows))


def random_plots(random: Random, rules: Rules) -> dict[Seat, Deck]:
    """A plot for both writers; now and then the sample plots."""
    if random.randrange(SAMPLE_PLOTS) == 0:
        named = GAME.named_decks()
        return {seat: named[random.choice(sorted(named))] for seat in GAME.seats(rules)}
    return {seat: random_plot(random, rules) for seat in GAME.seats(rules)}


@cache
def rules_of(seed: int) -> Rules:
    """On which map and by which readings: all others at their defaults for even seeds, at random for odd ones."""
    random = Random(f"dea match {seed}")
    settings = readings(GAME, random) if seed % 2 else {}
    rules: Rules = with_settings(GAME, ruleset(GAME, "1"), settings | {"map_preset": random.choice(PRESETS)})
    return rules


@cache
def match(seed: int) -> Sample:
    """A random match, played to its end; both writers act at any time."""
    rules = rules_of(seed)
    played: Rules = pin_cards(GAME, rules)
    plots = random_plots(Random(f"dea plots {seed}"), played)
    return Sample(GAME, played, tuple(simulate(Law(GAME, rules), seed, interrupt=True, decks=plots)))
