"""What the suites of the law are run over: random matches of every game, in every frame, at every kind of table, under
random readings, with the sample decks against each other."""

from functools import cache
from itertools import combinations_with_replacement
from os import environ
from random import Random
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.law.entries import Entry, Opened, Played, tables
from domain.law.game import Deck, Game
from domain.law.rulesets import RulesetError, ruleset, with_settings
from domain.law.slots import Action
from domain.table.table import Seat, Table
from recorder.simulate import simulate

TIER = 1
"""Options of this tier can be switched."""
SEEDS = tuple(range(int(environ.get("SHINPAN_SEEDS", "12"))))
"""Even seeds play by a published ruleset, odd ones with random readings of it. More by `SHINPAN_SEEDS`."""


class Sample(Struct, frozen=True):
    """A random match and what it was played by."""

    game: Game
    rules: Any
    entries: tuple[Entry, ...]

    @property
    def opened(self) -> Opened:
        """Its first entry."""
        first = self.entries[0]
        assert isinstance(first, Opened)
        return first


class Moment(Struct, frozen=True):
    """An action of a match, and the tables before and after it."""

    number: int
    actor: Seat
    action: Action
    entry: Played
    before: Table
    after: Table


NUMBERS: dict[str, dict[str, tuple[Any, ...]]] = {
    "blackpoker": {
        "hand.limit": (0, 2, 1),
        "setup.hand_size": (3, 5, 7),
        "draw.mode": ("two_or_one",),
        "draw.low_life": (1, 4),
        "draw.optional": (0, 1),
        "attack.requests_per_turn": (2, 3),
        "set_bulwark.requests_per_turn": (2, 3),
        "counter.max_keys": (1, 2),
        "block.controller": ("defender",),
        "winner.both_zero": ("draw",),
        "attack.empty_chain": (True,),
        "fog.enabled": (False,),
        "sickness.model": ("unit_of_new_cards",),
        "equip.consecutive": (True,),
        "judge.smaller_dies": (False,),
    }
}
"""Other values of a game that can be tuned, besides its options."""

CONCEDE = {"grimoire": 0.006}
"""How likely somebody gives up at any choice, for each player more than two, where matches are long otherwise."""
TABLES: dict[str, tuple[dict[str, Any], ...]] = {
    "grimoire": (
        {"player_count": 2},
        {"player_count": 3},
        {"player_count": 4},
        {"player_count": 4, "teams": "p1+p3/p2+p4"},
    )
}
"""Who sits against whom, in games where that can be set."""


def readings(game: Game, random: Random) -> dict[str, Any]:
    """About a third of the switchable options and half of the numbers, each at a random value."""
    tuned = {one.key: (one.values, 0.35) for one in game.options if one.tier == TIER}
    tuned |= {key: (values, 0.5) for key, values in NUMBERS.get(game.key, {}).items()}
    return {key: random.choice(values) for key, (values, odds) in tuned.items() if random.random() < odds}


@cache
def rules_of(key: str, seed: int) -> Any:
    """A ruleset of a game by chance: version, frame and table by the seed, options for odd seeds."""
    game, random = GAMES[key], Random(f"rules {key} {seed}")
    version = random.choice(tuple(game.versions))
    frames = game.frames_in(version) or ("",)
    rules = seated(game, ruleset(game, version, frames[seed // 2 % len(frames)]), seed // 2)
    if seed % 2 == 0:
        return rules
    settings = readings(game, random)
    while True:
        try:
            return with_settings(game, rules, settings)
        except RulesetError:  # some options exclude each other: one less
            settings.pop(random.choice(tuple(settings)))


def seated(game: Game, rules: Any, number: int) -> Any:
    """These rules for one kind of table."""
    tables = TABLES.get(game.key, ({},))
    return with_settings(game, rules, tables[number % len(tables)])


def decks_of(game: Game, rules: Any, number: int) -> dict[Seat, Deck] | None:
    """Sample decks against each other, every pairing in turn; with more seats the next pairings besides."""
    decks = [deck for deck in game.named_decks().values() if accepted(game, rules, deck)]
    if not decks:
        return None
    pairings = tuple(combinations_with_replacement(decks, 2))
    row = [deck for place in range(2) for deck in pairings[(number + place) % len(pairings)]]
    return dict(zip(game.seats(rules), row, strict=False))


def accepted(game: Game, rules: Any, deck: Deck) -> bool:
    """Is this deck allowed under these rules?"""
    return all(holds for _, holds, *_ in game.deck_checks(rules, game.seats(rules)[0], deck))


def giving_up(game: Game, rules: Any) -> float:
    """How likely somebody concedes at any choice."""
    return CONCEDE.get(game.key, 0.0) * (len(game.seats(rules)) - 2)


@cache
def sample(key: str, seed: int) -> Sample:
    """A random match of a game, played to its end."""
    game, rules = GAMES[key], rules_of(key, seed)
    decks = decks_of(game, rules, seed)
    return Sample(game, rules, tuple(simulate(game, rules, seed, concede=giving_up(game, rules), decks=decks)))


@cache
def moments(key: str, seed: int) -> tuple[Moment, ...]:
    """The actions of a random match."""
    return moments_of(sample(key, seed))


def moments_of(one: Sample) -> tuple[Moment, ...]:
    """The actions of a match, with the tables before and after each."""
    decoder = one.game.decoder()
    return tuple(
        Moment(number, entry.actor, decoder.decode(entry.action), entry, before, after)
        for number, entry, before, after in tables(one.entries)
        if isinstance(entry, Played)
    )


FEWER = {"grimoire": 2 / 3}
"""What part of the seeds is enough, where matches are long: of twelve, each table twice."""
MATCHES = [(key, seed) for key in sorted(GAMES) for seed in SEEDS[: round(len(SEEDS) * FEWER.get(key, 1))]]
"""Parameters of a test that is run over every sample."""
FIRST = {"grimoire": (0, 7, 2, 5)}
"""Samples of different tables, two of them with random readings."""


def few(count: int) -> list[tuple[str, int]]:
    """Parameters of a test that is run over some samples of every game."""
    return [(key, seed) for key in sorted(GAMES) for seed in FIRST.get(key, SEEDS)[:count]]
