"""Invariant 27: on a map rotated by half a turn, the writers' permitted actions are exchanged."""

from collections import Counter
from random import Random

from domain.games.dea import GAME, actions as A, table_queries as R
from domain.games.dea.invariants.matches import is_symmetric, sides
from domain.games.dea.offers import offers
from domain.games.dea.rules import MAPS
from domain.law.rulesets import make_ruleset, with_settings
from domain.law.slots import verb
from domain.table.table import Place
from tests.laws.samples import moments, sample
from tests.rows import for_each
from tests.rules.dea.matches import PRESETS

KEY = GAME.key
POSITIONS = 25
SEEDS = range(8)


@for_each("seed", SEEDS)
def test_either_side_may_do_the_same(seed: int) -> None:
    rules, random = sample(KEY, seed).rules, Random(seed)
    everything = moments(KEY, seed)
    for at in random.sample(everything, min(POSITIONS, len(everything))):
        assert is_symmetric(rules, at.before)
        there = sides(rules).mirrored(at.before)
        assert sides(rules).mirrored(there) == at.before != there


def test_the_positions_hold_what_differs_between_the_sides() -> None:
    assert {sample(KEY, seed).rules.map_preset for seed in SEEDS} == set(MAPS) == set(PRESETS)
    offered: Counter[str] = Counter()
    for seed in SEEDS:
        rules = sample(KEY, seed).rules
        for at in moments(KEY, seed):
            for seat in R.SEATS:
                meant = sides(rules).meanings(offers(rules, at.before, seat), turned=True)
                offered.update(name for name, _ in meant)
    wanted = (A.PlaceCharacter, A.Move, A.Attack, A.UseAbility, A.PlayEvent, A.PlayEquipment, A.UseForeshadow)
    assert all(offered[verb(action)] for action in wanted)


@for_each(
    "preset, cell, turned",
    [("5x5", "c3", "c3"), ("5x5", "a1", "e5"), ("5x6", "b2", "d5"), ("3x5", "a1", "c5"), ("5x7", "e1", "a7")],
)
def test_a_cell_lies_opposite(preset: str, cell: str, turned: str) -> None:
    rules = with_settings(GAME, make_ruleset(GAME, "1"), {"map_preset": preset})
    assert sides(rules).mirror_place(at(cell)) == at(turned)
    assert sides(rules).mirror_place(Place("p1.foreshadow:2")) == "p2.foreshadow:2"
    assert [sides(rules).other(seat) for seat in R.SEATS] == list(R.SEATS)[::-1]


def at(cell: str) -> Place:
    return Place(f"map:{'abcde'.index(cell[0]) + 1},{cell[1]}")
