"""What the suites of the law are run over: random matches of every game, in every frame, under random readings."""

from functools import cache
from os import environ
from random import Random
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.law.entries import Entry, Opened, Played, tables
from domain.law.game import Game
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
        "hand.limit": (1, 2, 3),
        "setup.hand_size": (3, 5, 7),
        "draw.mode": ("two_or_one",),
        "draw.low_life": (1, 4),
        "draw.optional": (0, 1),
        "attack.requests_per_turn": (2, 3),
        "set_bulwark.requests_per_turn": (2, 3),
        "counter.max_keys": (1, 2),
        "block.controller": ("defender",),
    }
}
"""Other values of a game that can be tuned, besides its options."""


def readings(game: Game, random: Random) -> dict[str, Any]:
    """About a third of the switchable options and half of the numbers, each at a random value."""
    tuned = {one.key: (one.values, 0.35) for one in game.options if one.tier == TIER}
    tuned |= {key: (values, 0.5) for key, values in NUMBERS.get(game.key, {}).items()}
    return {key: random.choice(values) for key, (values, odds) in tuned.items() if random.random() < odds}


@cache
def rules_of(key: str, seed: int) -> Any:
    """A ruleset of a game by chance: version and frame by the seed, options for odd seeds."""
    game, random = GAMES[key], Random(f"rules {key} {seed}")
    frame = game.frames[seed // 2 % len(game.frames)] if game.frames else ""
    rules = ruleset(game, random.choice(tuple(game.versions)), frame)
    if seed % 2 == 0:
        return rules
    settings = readings(game, random)
    while True:
        try:
            return with_settings(game, rules, settings)
        except RulesetError:  # some options exclude each other: one less
            settings.pop(random.choice(tuple(settings)))


@cache
def sample(key: str, seed: int, *, concede: float = 0.0) -> Sample:
    """A random match of a game, played to its end."""
    rules = rules_of(key, seed)
    return Sample(GAMES[key], rules, tuple(simulate(GAMES[key], rules, seed, concede=concede)))


@cache
def moments(key: str, seed: int) -> tuple[Moment, ...]:
    """The actions of a random match."""
    one = sample(key, seed)
    decoder = one.game.decoder()
    return tuple(
        Moment(number, entry.actor, decoder.decode(entry.action), entry, before, after)
        for number, entry, before, after in tables(one.entries)
        if isinstance(entry, Played)
    )


MATCHES = [(key, seed) for key in sorted(GAMES) for seed in SEEDS]
"""Parameters of a test that is run over every sample."""
