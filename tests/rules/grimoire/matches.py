"""Random Grimoire matches: legal decks by chance, two to four players, teams, the switchable readings."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from domain.games.grimoire import GAME
from domain.games.grimoire.cards import CARDS, card
from domain.games.grimoire.rules import Rules
from domain.law.game import Deck
from domain.law.rulesets import ruleset, with_settings
from domain.table.table import Seat
from recorder.simulate import simulate
from tests.laws.samples import Sample, readings

KEY = GAME.key
ENTRIES_MAX = 30_000
"""No match is cut off. Refills make a match without end possible, but the cards that refill have to be drawn, paid for
and broken again in every round: at random that soon fails. Of many thousands the longest had a tenth of this."""

CHARACTERS = tuple(sorted(face for face, words in CARDS.items() if words.type == "character"))
SPELLS = tuple(sorted(face for face, words in CARDS.items() if words.type == "spell"))
CASTABLE_WEIGHT = 8
"""How much likelier a deck takes a spell of its character's colours, or of none, than another."""
MIXED_DECKS = 6
"""One deck in so many takes all spells alike."""
SAMPLE_DECKS = 5
"""In one match of so many everybody plays a sample deck."""
SIDES: dict[int, tuple[str, ...]] = {
    2: ("none",),
    3: ("none", "none", "none", "p1+p2", "p1+p3"),
    4: ("none", "none", "p1+p3/p2+p4", "p1+p2/p3+p4", "p1+p4"),
}
"""Who may play with whom, by the number of players."""
PLAYERS = (2, 2, 2, 3, 4)


def castable(character: str) -> tuple[str, ...]:
    """The spells whose colours are all among the character's own, the colourless ones too."""
    own = set(card(character).colours)
    return tuple(face for face in SPELLS if own.issuperset(card(face).colours))


def random_deck(random: Random, rules: Rules) -> Deck:
    """A legal deck by chance: a character, a full grimoire, any bookmark; what can be cast dominates."""
    character = random.choice(CHARACTERS)
    favoured = set(castable(character)) if random.randrange(MIXED_DECKS) else set(SPELLS)
    weights = {face: CASTABLE_WEIGHT if face in favoured else 1 for face in SPELLS}
    size = random.randint(rules.grimoire_min, min(rules.grimoire_max, 2 * rules.grimoire_min))
    aside = random.randint(rules.bookmark_min, rules.bookmark_max)
    copies: Counter[str] = Counter()
    taken: list[str] = []
    while len(taken) < size + aside:
        face = random.choices(SPELLS, [weights[one] for one in SPELLS])[0]
        run = random.randint(1, 4)
        for _ in range(min(run, size + aside - len(taken))):
            if not rules.copy_limit or copies[face] < rules.copy_limit:
                copies[face] += 1
                taken.append(face)
    random.shuffle(taken)
    return Deck((character, *taken[:size]), tuple(taken[size:]))


def random_decks(random: Random, rules: Rules) -> dict[Seat, Deck]:
    """A deck for every chair; now and then the sample decks."""
    if random.randrange(SAMPLE_DECKS) == 0:
        named = GAME.named_decks()
        return {seat: named[random.choice(sorted(named))] for seat in GAME.seats(rules)}
    return {seat: random_deck(random, rules) for seat in GAME.seats(rules)}


@cache
def rules_of(seed: int) -> Rules:
    """Who plays and by which readings: all defaults for even seeds, switchable options at random for odd ones."""
    random = Random(f"grimoire match {seed}")
    players = random.choice(PLAYERS)
    settings: dict[str, Any] = {"player_count": players, "teams": random.choice(SIDES[players])}
    if seed % 2:
        settings |= readings(GAME, random)
    rules: Rules = with_settings(GAME, ruleset(GAME, "1"), settings)
    return rules


@cache
def match(seed: int) -> Sample:
    """A random match, played to its end. Now and then somebody concedes."""
    rules = rules_of(seed)
    random = Random(f"grimoire decks {seed}")
    concede = 0.002 if random.random() < 0.3 else 0.0
    decks = random_decks(random, rules)
    return Sample(GAME, rules, tuple(simulate(GAME, rules, seed, ENTRIES_MAX, concede=concede, decks=decks)))
