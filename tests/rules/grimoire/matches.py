"""Random Grimoire matches: legal random decks, two to four players, teams, and the switchable readings."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from domain.games.grimoire import GAME
from domain.games.grimoire.actions import JudgeRelease
from domain.games.grimoire.cards import POOLS, card
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import HELD
from domain.law.driver import decide
from domain.law.entries import Closed, Entry, Played, fold_entries
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.pools import FIRST
from domain.law.rulesets import make_ruleset, pin_cards, with_settings
from domain.table.table import CHANCE, JUDGE, Seat
from recorder import chance, codec
from recorder.simulate import pick, simulate
from tests.laws.samples import Sample, readings

KEY = GAME.key
ENTRIES_MAX = 30_000
"""High enough that no match is cut off. Refills allow a match without end, but random play rarely draws, pays for and
breaks the cards in every round. The longest of many thousands had a tenth of this."""

CASTABLE_WEIGHT = 8
"""Relative probability of spells in the character's colours, or colourless ones."""
MIXED_DECKS = 6
SAMPLE_DECKS = 5
SIDES: dict[int, tuple[str, ...]] = {
    2: ("none",),
    3: ("none", "none", "none", "p1+p2", "p1+p3"),
    4: ("none", "none", "p1+p3/p2+p4", "p1+p2/p3+p4", "p1+p4", "p1+p2+p3/p4", "p2+p3+p4"),
}
CONCEDE = 0.006
PLAYERS = (2, 2, 2, 2, 2, 3, 4, 4)
"""Numbers of players to choose from; larger matches take longer, so they are rarer."""


PRINTED = {pool: dict(POOLS.cards_by_pool[pool]) for pool in (FIRST, *POOLS.published.values())}
"""Cards of the published pools, unaffected by the overlays of tests."""


def characters(rules: Rules) -> tuple[str, ...]:
    return tuple(sorted(face for face, words in PRINTED[rules.cards].items() if words.type == "character"))


def spells(rules: Rules) -> tuple[str, ...]:
    return tuple(sorted(face for face, words in PRINTED[rules.cards].items() if words.type == "spell"))


def castable(rules: Rules, character: str) -> tuple[str, ...]:
    """Return the spells with only colours of the character, including colourless ones."""
    own = set(card(rules.cards, character).colours)
    return tuple(face for face in spells(rules) if own.issuperset(card(rules.cards, face).colours))


def random_deck(random: Random, rules: Rules) -> Deck:
    """Return a random legal deck: a character, a full grimoire of mostly castable spells, and any bookmark."""
    character = random.choice(characters(rules))
    faces = spells(rules)
    favoured = set(castable(rules, character) if random.randrange(MIXED_DECKS) else faces)
    weights = [CASTABLE_WEIGHT if face in favoured else 1 for face in faces]
    size = random.randint(rules.grimoire_min, min(rules.grimoire_max, 2 * rules.grimoire_min))
    aside = random.randint(rules.bookmark_min, rules.bookmark_max)
    copies: Counter[str] = Counter()
    taken: list[str] = []
    while len(taken) < size + aside:
        face = random.choices(faces, weights)[0]
        run = random.randint(1, 4)
        for _ in range(min(run, size + aside - len(taken))):
            if not rules.copy_limit or copies[face] < rules.copy_limit:
                copies[face] += 1
                taken.append(face)
    random.shuffle(taken)
    return Deck((character, *taken[:size]), tuple(taken[size:]))


def random_decks(random: Random, rules: Rules) -> dict[Seat, Deck]:
    if random.randrange(SAMPLE_DECKS) == 0:
        named = GAME.named_decks()
        return {seat: named[random.choice(sorted(named))] for seat in GAME.seats(rules)}
    return {seat: random_deck(random, rules) for seat in GAME.seats(rules)}


@cache
def rules_of(seed: int) -> Rules:
    """Return random rules: the number of players and teams; random readings for odd seeds."""
    random = Random(f"grimoire match {seed}")
    players = random.choice(PLAYERS)
    settings: dict[str, Any] = {"player_count": players, "teams": random.choice(SIDES[players])}
    if seed % 2:
        settings |= readings(GAME, random)
    rules: Rules = with_settings(GAME, make_ruleset(GAME, "1"), settings)
    return rules


@cache
def match(seed: int) -> Sample:
    """Return a complete random match. In half of them, players may concede at any choice."""
    rules = rules_of(seed)
    played: Rules = pin_cards(GAME, rules)
    random = Random(f"grimoire decks {seed}")
    concede = CONCEDE if random.random() < 0.5 else 0.0
    decks = random_decks(random, played)
    return Sample(GAME, played, tuple(simulate(Law(GAME, rules), seed, ENTRIES_MAX, concede=concede, decks=decks)))


def held_match(seed: int) -> Sample:
    """Return a random match under a tight loop guard that a judge releases each time."""
    random = Random(f"grimoire held {seed}")
    rules: Rules = pin_cards(GAME, with_settings(GAME, rules_of(seed), {"loop_guard": random.randint(2, 9)}))
    entries: list[Entry] = list(simulate(Law(GAME, rules), seed, 1, decks=random_decks(random, rules)))
    table = fold_entries(entries)
    while table.result is None:
        answers, table = chance.answers(Law(GAME, rules), table, match="held", seed=b"held", version=len(entries))
        entries += answers
        actor = JUDGE if table.marks.get(HELD) else GAME.awaited(table)[0]
        assert actor != CHANCE
        action = JudgeRelease() if actor == JUDGE else pick(Law(GAME, rules), table, actor, random.randrange)
        outcome = decide(Law(GAME, rules), table, actor, action)
        assert isinstance(outcome, Accepted), outcome
        entries.append(Played(actor=actor, action=codec.raw_action(action), told=outcome.told))
        table = outcome.table
    return Sample(GAME, rules, (*entries, Closed(by=JUDGE)))
