"""Matches in which players sometimes ignored the rules, recorded as played and flagged."""

from functools import cache
from random import Random

from msgspec import Struct

from domain.law.clause import Clause, Refusal
from domain.law.driver import decide, decide_as_played
from domain.law.entries import Entry, Played, fold_entries
from domain.law.law import Law
from domain.law.offers import RandomBelow
from domain.law.outcome import Accepted
from domain.table.table import CHANCE
from recorder import codec
from recorder.simulate import pick
from tests.laws.samples import Sample, sample
from tests.laws.wild import wild

ODDS = 0.45
ENTRIES_MAX = 250


class Loose(Struct, frozen=True):
    sample: Sample
    entries: tuple[Entry, ...]
    flagged: dict[int, tuple[Clause, ...]]
    by_hand: int


@cache
def loose(key: str, seed: int) -> Loose:
    one, random = sample(key, seed), Random(f"loose {key} {seed}")
    below: RandomBelow = random.randrange
    game, rules = one.game, one.rules
    entries: list[Entry] = [one.first_entry]
    table = fold_entries(entries)
    flagged: dict[int, tuple[Clause, ...]] = {}
    by_hand = 0
    while game.awaited(table) and len(entries) < ENTRIES_MAX:
        actor, action = wild(game, table, random)
        outcome = decide_as_played(Law(game, rules), table, actor, action) if random.random() < ODDS else None
        ends = isinstance(outcome, Accepted) and outcome.table.result is not None
        if outcome is None or isinstance(outcome, Refusal) or (ends and random.random() < 0.95):
            by_hand += isinstance(outcome, Refusal)
            actor = random.choice(game.awaited(table))
            drawn = game.chance(rules, table, below) if actor == CHANCE else pick(Law(game, rules), table, actor, below)
            assert drawn is not None
            action, outcome = drawn, decide(Law(game, rules), table, actor, drawn)
        assert isinstance(outcome, Accepted)
        told, violations = outcome.told, outcome.violations
        entries.append(Played(actor=actor, action=codec.raw_action(action), told=told, violations=violations))
        if violations:
            flagged[len(entries)] = violations
        table = outcome.table
    return Loose(one, tuple(entries), flagged, by_hand)
