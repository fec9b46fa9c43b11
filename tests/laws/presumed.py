"""Requirements of the laws, and the skipping of a law on a game that lacks one."""

from functools import cache

import pytest

from domain.law.entries import tables
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import CHANCE
from tests.games import Presumed
from tests.laws.samples import all_seeds_of, hidden_cards, sample


def presume(key: str, *wanted: Presumed) -> None:
    """Skip a law that needs a feature absent from this game; the reason gives the number of matches searched."""
    for one in wanted:
        if one in lacks(key):
            pytest.skip(f"{key} has no {one}: none in {len(all_seeds_of(key))} matches of {_entries(key)} entries")


@cache
def lacks(key: str) -> frozenset[Presumed]:
    has = {"frames": _frames, "secrets": _secrets, "chance": _chance}
    return frozenset(name for name, met in has.items() if not any(met(key, seed) for seed in all_seeds_of(key)))


def _entries(key: str) -> int:
    return sum(len(sample(key, seed).entries) for seed in all_seeds_of(key))


def _frames(key: str, seed: int) -> bool:
    return bool(sample(key, seed).first_entry.schema.kinds)


def _secrets(key: str, seed: int) -> bool:
    match = sample(key, seed)
    physics = Physics(match.first_entry.schema)
    viewers = (*match.first_entry.seats, SPECTATOR)
    eyes = [TableViewer(physics, viewer) for viewer in viewers]
    return any(hidden_cards(one, after) for *_, after in tables(match.entries) for one in eyes)


def _chance(key: str, seed: int) -> bool:
    match = sample(key, seed)
    return any(CHANCE in match.game.awaited(after) for *_, after in tables(match.entries))
