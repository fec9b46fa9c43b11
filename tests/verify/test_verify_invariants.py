"""Every invariant of a game's dossier exists under its number and is checked at the right time."""

import inspect
from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from archive.verify.laws import LAWS
from domain.law.entries import Played, Restored, Rewound
from domain.law.invariants import Invariant, match_of, of_every_game, of_fact, of_match, of_table
from domain.law.law import Law
from domain.table.facts import Clocked, Moved
from recorder.simulate import simulate
from tests.breaking import first_broken
from tests.games import PLAYED, tried
from tests.laws.samples import MATCHES
from tests.rows import for_each
from tests.rules.fault_injection import WAYS

pytestmark = pytest.mark.random

SHARED = ("test_offers", "test_decide", "test_replay", "test_leaks")


def every(key: str) -> tuple[Invariant, ...]:
    game = PLAYED[key]
    return game.invariants(next(iter(game.versions.values())))


def looks(one: Invariant) -> list[Any]:
    return [getattr(one, way) for way in WAYS if getattr(one, way) is not None]


@for_each("key", sorted(PLAYED))
def test_every_number_of_the_dossier_is_there(key: str) -> None:
    assert {one.number for one in every(key)} == set(range(1, tried(key).invariants + 1))
    assert [one.number for one in every(key)] == sorted(one.number for one in every(key))
    assert len({one.name for one in every(key)}) == len(every(key))


@for_each("key", sorted(PLAYED))
def test_each_looks_at_matches_or_names_laws_of_every_game(key: str) -> None:
    known = {law.name for law in LAWS}
    for one in every(key):
        assert bool(looks(one)) != bool(one.laws), one.name
        assert set(one.laws) <= known, one.name
        assert all(holds.__doc__ for holds in looks(one) if holds.__name__ == one.name), one.name
    assert {key} <= {played for played, _ in MATCHES}


@for_each("module", SHARED)
def test_laws_of_every_game_are_tested_for_each(module: str) -> None:
    found = [one for name, one in vars(import_module(f"tests.laws.{module}")).items() if name.startswith("test_")]
    assert any("key" in inspect.signature(one).parameters for one in found)


@for_each("key", sorted(PLAYED))
def test_facts_are_look_at_by_their_types_and_matches_once(key: str) -> None:
    game, seen = PLAYED[key], []
    rules = next(iter(game.versions.values()))

    def noted(what: str) -> Any:
        def holds(*given: Any) -> bool:
            seen.append((what, type(given[-1])))
            return True

        return holds

    own = (
        of_fact(1, noted("clocked"), Clocked),
        of_fact(2, noted("two"), Clocked, Moved),
        of_fact(3, noted("all")),
        of_table(4, noted("table"), within=True),
        of_match(5, noted("match")),
        of_every_game(6, "elsewhere", "fold"),
    )
    entries = simulate(Law(game, rules), 3)
    assert first_broken(Law(replace(game, invariants=lambda rules: own), rules), entries) is None
    facts = [type(fact) for one in entries for _, fact in getattr(one, "told", ())]
    kinds = {
        what: [kind for name, kind in seen if name == what] for what in ("clocked", "two", "all", "match", "table")
    }
    assert kinds["all"] == facts and set(kinds["clocked"]) == {Clocked} and set(kinds["two"]) == {Clocked, Moved}
    assert len(kinds["clocked"]) == facts.count(Clocked)
    assert len(kinds["table"]) == len(facts) + len(entries) and len(kinds["match"]) == 1


@for_each("key", sorted(PLAYED))
def test_the_first_one_broken_is_named_with_its_entry(key: str) -> None:
    game = PLAYED[key]
    rules = next(iter(game.versions.values()))
    entries = simulate(Law(game, rules), 3)
    own = (of_table(8, lambda rules, t: t.clock.turn < 2), of_match(9, lambda rules, match: False))
    found = first_broken(Law(replace(game, invariants=lambda rules: own), rules), entries)
    assert found is not None and found[1].number == 8 and isinstance(entries[found[0] - 1], Played)
    found = first_broken(Law(replace(game, invariants=lambda rules: own[1:]), rules), entries)
    assert found is not None and (found[0], found[1].number) == (len(entries), 9)


@for_each("key", sorted(PLAYED))
def test_a_line_that_was_left_is_no_part_of_the_match(key: str) -> None:
    game = PLAYED[key]
    rules = next(iter(game.versions.values()))
    entries = simulate(Law(game, rules), 5)
    to = min(30, len(entries) // 2)
    left = [*entries[:-4], Rewound(to=to, reason="misheard", by="judge"), *entries[to:]]
    assert match_of(game.decoder(), left) == match_of(game.decoder(), entries)
    assert first_broken(Law(game, rules), left) is None
    restored = [*entries, Rewound(to=to, reason="x", by="judge"), Restored(to=len(entries), reason="y", by="judge")]
    assert match_of(game.decoder(), restored) == match_of(game.decoder(), entries)
