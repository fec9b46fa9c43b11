"""A step of a match as seen by the checks: an entry and the tables before and after it."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.law import croupier
from domain.law.entries import Entry, Played, opened_of, tables
from domain.law.game import Game
from domain.law.offers import RandomBelow
from domain.law.slots import Action
from domain.table.physics import Physics
from domain.table.table import Seat, Table

NOBODY = Seat("")


class MatchStep(Struct, frozen=True):
    """An entry with its number, its action if it has one, and the tables around it. `entries` are those up to here, and
    `last` marks the end of the match. `seed` (the match id) makes random checks reproducible, also from a file."""

    number: int
    entry: Entry
    before: Table
    after: Table
    physics: Physics
    entries: Sequence[Entry]
    actor: Seat = NOBODY
    action: Action | None = None
    last: bool = False
    seed: str = ""

    def chance(self, law: str) -> RandomBelow:
        """Return the source of chance of a property at this step."""
        return croupier.make_random_source(f"verify/{law}/{self.seed}", b"verify", self.number)


def steps(game: Game, entries: Sequence[Entry], ended: bool = True) -> Iterator[MatchStep]:
    """Yield the steps of a record. `ended`: the match does not continue after the last entry."""
    physics = Physics(opened_of(entries).schema)
    for number, _, before, after in tables(entries):
        last = ended and number == len(entries)
        yield step_of(game, entries[:number], before, after, physics, last)


def step_of(
    game: Game, entries: Sequence[Entry], before: Table, after: Table, physics: Physics, last: bool
) -> MatchStep:
    """Return the step of the last of these entries."""
    entry, seed = entries[-1], opened_of(entries).match
    actor, action = NOBODY, None
    if isinstance(entry, Played):
        actor = entry.actor
        try:
            action = game.decoder().decode(entry.action)
        except msgspec.DecodeError:
            action = None
    return MatchStep(len(entries), entry, before, after, physics, entries, actor, action, last, seed)
