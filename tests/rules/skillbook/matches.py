"""Random Skillbook matches: legal random decks from the whole pool, random layouts, and the switchable readings."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

from msgspec.structs import replace

from domain.games.skillbook import GAME
from domain.games.skillbook.actions import Charge, DiscardAura, EndTurn, ShowGraveyard, StopMove
from domain.games.skillbook.cards import POOLS
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.text import SKILLS
from domain.law.actions import Concede
from domain.law.driver import accepts
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.pools import FIRST
from domain.law.rulesets import make_ruleset, pin_cards, with_settings
from domain.table.table import Seat, Table
from recorder.simulate import simulate
from tests.laws.samples import Sample, readings

KEY = GAME.key
SAMPLE_DECKS = 5
USABLE_WEIGHT = 6
"""Relative probability of skills with the hero's element, or without one."""
RELUCTANT = (Charge, DiscardAura, EndTurn, ShowGraveyard, StopMove)
TRIED = 60
"""Maximum number of expansions per template that are checked for a legal one."""
LIVELY = 4
"""Reluctant actions are offered one time in four, so that skills are used and units meet."""
PRINTED = {pool: dict(POOLS.cards_by_pool[pool]) for pool in (FIRST, *POOLS.published.values())}
"""Cards of the published pools, unaffected by the overlays of tests."""


def faces(rules: Rules, *types: str) -> list[str]:
    return sorted(face for face, words in PRINTED[rules.cards].items() if words.type in types)


def random_deck(random: Random, rules: Rules) -> Deck:
    """Return a random legal deck: any hero, a book of mostly usable skills, and a map where they are usable."""
    held = PRINTED[rules.cards]
    hero = random.choice(faces(rules, "hero"))
    skills = faces(rules, *SKILLS)
    own = held[hero].element
    weights = [USABLE_WEIGHT if held[face].element in (own, None) else 1 for face in skills]
    book: Counter[str] = Counter()
    for _ in range(random.randint(rules.book_min, rules.book_max)):
        room = [face for face in skills if book[face] < (rules.cast_max if held[face].cast else rules.same_name_max)]
        book[random.choices(room, [weights[skills.index(face)] for face in room])[0]] += 1
    starts = random.randint(rules.start_cards_min, min(3, rules.start_cards_max))
    area: Counter[str] = Counter({"start": starts})
    basic, special = faces(rules, "basic"), faces(rules, "special")
    for _ in range(rules.map_size - starts):
        room = [face for face in special if area[face] < rules.special_terrain_max]
        area[random.choice(room if room and random.random() < 0.6 else basic)] += 1
    return Deck((hero, *book.elements(), *area.elements()))


def random_decks(random: Random, rules: Rules) -> dict[Seat, Deck]:
    if random.randrange(SAMPLE_DECKS) == 0:
        named = GAME.named_decks()
        return {seat: named[random.choice(sorted(named))] for seat in GAME.seats(rules)}
    return {seat: random_deck(random, rules) for seat in GAME.seats(rules)}


def lively(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    """Yield the offers, but rarely those that only end the turn if there are others."""
    templates = list(GAME.offers(rules, t, actor))
    law = Law(GAME, rules)
    eager = [
        one
        for one in templates
        if one.action not in RELUCTANT and any(accepts(law, t, actor, done) for done in islice(one.expansions(), TRIED))
    ]
    idle = all(one.action is Concede for one in eager)
    yield from templates if idle or (t.minted + t.framed) % LIVELY == 0 else eager


@cache
def rules_of(seed: int) -> Rules:
    random = Random(f"skillbook match {seed}")
    rules: Rules = with_settings(GAME, make_ruleset(GAME, "1"), readings(GAME, random) if seed % 2 else {})
    return rules


@cache
def match(seed: int) -> Sample:
    rules = rules_of(seed)
    played: Rules = pin_cards(GAME, rules)
    decks = random_decks(Random(f"skillbook decks {seed}"), played)
    law = Law(replace(GAME, offers=lively), rules)
    return Sample(GAME, played, tuple(simulate(law, seed, match=f"sim-{KEY}-{seed}", decks=decks)))
