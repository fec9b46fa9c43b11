"""Sample matches for the laws: random matches of every game, in every frame and seating, with random readings and the
sample decks against each other."""

from functools import cache
from itertools import combinations_with_replacement
from os import environ
from random import Random
from typing import Any

from msgspec import Struct

from domain.law.entries import Entry, Opened, Played, opened_of, tables
from domain.law.game import Deck, Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError, make_ruleset, pin_cards, with_settings
from domain.law.slots import Action
from domain.table.redact import TableViewer
from domain.table.table import CardId, Seat, Table
from recorder.simulate import simulate
from tests.games import PLAYED, tried
from tests.rotation import in_turn, rotate

TIER = 1
ALL_SEEDS = tuple(range(int(environ.get("SHINPAN_SEEDS", "12"))))
"""Even seeds play a published ruleset, odd seeds random readings of it. `SHINPAN_SEEDS` sets the number."""
SEEDS = rotate(ALL_SEEDS, 2)
"""Seeds of this run: one of each kind, or all in a nightly run."""


def hidden_cards(eyes: TableViewer, table: Table) -> list[CardId]:
    """Return the cards whose faces a viewer does not know, in the order of their ids."""
    return sorted(card for card in table.pieces if not eyes.knows(table, card))


class Sample(Struct, frozen=True):
    game: Game
    rules: Any
    entries: tuple[Entry, ...]

    @property
    def law(self) -> Law:
        return Law(self.game, self.rules)

    @property
    def first_entry(self) -> Opened:
        return opened_of(self.entries)


class Moment(Struct, frozen=True):
    number: int
    actor: Seat
    action: Action
    entry: Played
    before: Table
    after: Table


def readings(game: Game, random: Random) -> dict[str, Any]:
    """Return random values for about a third of the switchable options and half of the numbers."""
    tuned = {one.key: (one.values, 0.35) for one in game.options if one.tier == TIER}
    tuned = {key: values for key, values in tuned.items() if key not in tried(game.key).undrawn}
    tuned |= {key: (values, 0.5) for key, values in tried(game.key).numbers.items()}
    return {key: random.choice(values) for key, (values, odds) in tuned.items() if random.random() < odds}


@cache
def rules_of(key: str, seed: int) -> Any:
    """Return a random ruleset: the seed determines version, frame and table; odd seeds also set options."""
    game, random = PLAYED[key], Random(f"rules {key} {seed}")
    version = random.choice(tuple(game.versions))
    frames = game.regulations_in(version) or ("",)
    rules = with_seating(game, make_ruleset(game, version, frames[seed // 2 % len(frames)]), seed // 2)
    if seed % 2 == 0:
        return rules
    settings = readings(game, random)
    while True:
        try:
            return with_settings(game, rules, settings)
        except RulesetError:  # some options exclude each other, so drop one
            settings.pop(random.choice(tuple(settings)))


def with_seating(game: Game, rules: Any, number: int) -> Any:
    tables = tried(game.key).tables
    return with_settings(game, rules, dict(tables[number % len(tables)]))


def decks_of(game: Game, rules: Any, number: int) -> dict[Seat, Deck] | None:
    """Return sample decks for the seats, cycling through every pairing; further seats take the next pairings."""
    decks = [deck for deck in game.named_decks().values() if is_accepted(game, rules, deck)]
    if not decks:
        return None
    pairings = tuple(combinations_with_replacement(decks, 2))
    row = [deck for place in range(2) for deck in pairings[(number + place) % len(pairings)]]
    return dict(zip(game.seats(rules), row, strict=False))


def is_accepted(game: Game, rules: Any, deck: Deck) -> bool:
    return all(holds for _, holds, *_ in game.deck_checks(rules, game.seats(rules)[0], deck))


def giving_up(game: Game, rules: Any) -> float:
    return tried(game.key).concede * (len(game.seats(rules)) - 2)


@cache
def sample(key: str, seed: int) -> Sample:
    game, rules = PLAYED[key], rules_of(key, seed)
    decks = decks_of(game, rules, seed)
    entries = simulate(Law(game, rules), seed, concede=giving_up(game, rules), decks=decks)
    return Sample(game, pin_cards(game, rules), tuple(entries))


@cache
def moments(key: str, seed: int) -> tuple[Moment, ...]:
    return moments_of(sample(key, seed))


def moments_of(one: Sample) -> tuple[Moment, ...]:
    decoder = one.game.decoder()
    return tuple(
        Moment(number, entry.actor, decoder.decode(entry.action), entry, before, after)
        for number, entry, before, after in tables(one.entries)
        if isinstance(entry, Played)
    )


def seeds_of(key: str) -> tuple[int, ...]:
    return rotate(all_seeds_of(key), len(SEEDS))


def all_seeds_of(key: str) -> tuple[int, ...]:
    return ALL_SEEDS[: round(len(ALL_SEEDS) * tried(key).share)]


def seeds_in_turn(key: str) -> tuple[int, ...]:
    """Return all seeds of a game's samples, starting with those of this run, for tests that continue until they have
    enough."""
    return in_turn(all_seeds_of(key), len(SEEDS))


MATCHES = [(key, seed) for key in sorted(PLAYED) for seed in seeds_of(key)]
FURTHER = [(key, seed) for key in sorted(PLAYED) for seed in seeds_in_turn(key) if (key, seed) not in MATCHES]


def few(count: int) -> list[tuple[str, int]]:
    """Return parameters for one sample of every game, or `count` of them in a nightly run."""
    return [(key, seed) for key in sorted(PLAYED) for seed in rotate((tried(key).first or ALL_SEEDS)[:count], 1)]
