"""Random DEA matches: legal plots by chance, on every map."""

from random import Random

from domain.games.dea import GAME
from domain.games.dea.cards import POOLS
from domain.games.dea.rules import MAPS, Rules
from domain.games.dea.text import GIMMICKS
from domain.law.game import Deck
from domain.law.pools import FIRST
from domain.table.table import Seat

SAMPLE_PLOTS = 5
"""In one match of so many everybody plays a sample plot."""
PRESETS = ("5x5", "5x5", *MAPS)
"""The maps that are drawn from: the usual one in half of the matches."""
PRINTED = {pool: dict(POOLS.held[pool]) for pool in (FIRST, *POOLS.published.values())}
"""The cards of the published pools, whatever a test lays over them."""


def faces(rules: Rules, *types: str) -> list[str]:
    """The cards of these types that these rules are played with."""
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
