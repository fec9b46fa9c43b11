"""A match is skipped only if the changed values cannot have been read; skipped matches are identical."""

from functools import cached_property
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.skipping import SOURCES, changed_fields, code_digest, may_skip, reads, watch
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import pin_cards, values, with_settings
from recorder.simulate import simulate
from tests.rotation import in_turn, is_nightly
from tests.rows import for_each
from tools.architecture import module_imports

pytestmark = pytest.mark.random

SEEDS = range(4)
KEYS = sorted(GAMES)


def latest(key: str) -> tuple[Game, Any]:
    game = GAMES[key]
    return game, game.versions[{"blackpoker": "8.1-lite"}.get(key, next(reversed(game.versions)))]


def corpus(key: str) -> list[list[Entry]]:
    game, rules = latest(key)
    return [simulate(Law(game, rules), seed) for seed in SEEDS]


@pytest.mark.parametrize("key", KEYS)
def test_what_is_skipped_is_identical_and_what_differs_is_never_skipped(key: str) -> None:
    game, rules = latest(key)
    skipped = differing = 0
    records, rules = corpus(key), pin_cards(game, rules)
    known = [reads(game, record) for record in records]
    assert all(one.own and one.fields and one.clauses for one in known)
    count = len(game.options) // 3
    enough = min(3, len(game.options) - 2)
    for place, option in enumerate(in_turn(game.options, count)):
        if place >= count and skipped > enough < differing and not is_nightly():
            break
        for value in option.values:
            other = with_settings(game, rules, {option.key: value})
            changed = changed_fields(game, values(rules), other)
            if other == rules:
                assert not changed
                continue
            assert changed == {option.key}
            skipping = [record for record, found in zip(records, known, strict=True) if may_skip(found, changed)]
            skipped += len(skipping)
            for record in skipping[:2]:
                assert rejudge(game, record, other).kind == "identical", option.key
            if not skipping:
                differing += rejudge(game, records[0], other).kind != "identical"
    assert skipped > enough and differing > enough, "the sample tells nothing"


@for_each("key", KEYS)
def test_what_a_ruleset_works_out_once_is_read_by_its_fields_all_the_same(key: str) -> None:
    _, rules = latest(key)
    kept = [name for name, value in vars(type(rules)).items() if isinstance(value, cached_property)]
    for name in kept:
        known, read = getattr(rules, name), set[str]()
        assert getattr(watch(rules, read), name) == known and read, name


def test_a_match_on_a_map_of_other_rows_is_never_skipped() -> None:
    game, rules = latest("dea")
    record = simulate(Law(game, rules), 0)
    other = with_settings(game, pin_cards(game, rules), {"centre_rows": 2})
    assert rejudge(game, record, other).kind != "identical"
    assert not may_skip(reads(game, record), changed_fields(game, values(pin_cards(game, rules)), other))


def test_a_record_that_differs_from_its_own_rules_is_never_skipped() -> None:
    game, rules = latest("blackpoker")
    other = with_settings(game, rules, {"throwing.damage_suit": "club"})
    forged = None
    for seed in range(60):
        record = simulate(Law(game, rules), seed)
        if rejudge(game, record, other).kind != "identical":
            opened = msgspec.structs.replace(record[0], rules=values(other))
            forged = [opened, *record[1:]]
            break
    assert forged is not None
    found = reads(game, forged)
    assert not found.own
    assert not may_skip(found, ())


@for_each("key", KEYS)
def test_a_watched_ruleset_answers_like_the_ruleset(key: str) -> None:
    _, rules = latest(key)
    read: set[str] = set()
    seen = watch(rules, read)
    for field in msgspec.structs.fields(type(rules)):
        assert getattr(seen, field.name) == getattr(rules, field.name)
    assert read == set(values(rules))
    for name, one in vars(type(rules)).items():
        if isinstance(one, property):
            read.clear()
            assert getattr(seen, name) == getattr(rules, name)
            assert read, f"{name} reads nothing"


@for_each("key", KEYS)
def test_a_new_field_of_the_rules_stands_at_its_default_in_an_old_record(key: str) -> None:
    _, rules = latest(key)
    plain = type(rules)()
    first = next(iter(values(plain)))
    without = {name: value for name, value in values(plain).items() if name != first}
    assert changed_fields(GAMES[key], without, plain) == frozenset()


def test_code_has_a_digest_for_each_game() -> None:
    digests = {code_digest(key) for key in KEYS}
    assert len(digests) == len(KEYS) and all(len(one) == 16 for one in digests)


def test_the_digest_covers_whatever_a_law_is_made_of() -> None:
    arrows = module_imports()
    for key in KEYS:
        covered = (*SOURCES, f"domain.games.{key}", "domain.words")
        law = {module: names for module, names in arrows.items() if module.startswith(covered)}
        assert len(law) > len(covered)
        beside = {(module, name) for module, names in law.items() for name in names if not name.startswith(covered)}
        assert beside == set(), "a change of this code would leave an index as it is"
