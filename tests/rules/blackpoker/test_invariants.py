"""The dossier's 28 invariants hold in random matches in every frame, with default and random readings."""

from collections import Counter
from random import Random

import msgspec
import pytest

from domain.games.blackpoker import GAME
from domain.games.blackpoker.invariants.tables import KEYS
from domain.games.blackpoker.table_queries import SEATS
from domain.law.clause import Refusal
from domain.law.driver import accepts, decide
from domain.law.entries import tables
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import RulesetError, make_ruleset, with_settings
from domain.table.facts import Altered, Popped
from domain.table.table import frame
from recorder.simulate import simulate
from tests.breaking import first_broken
from tests.laws.samples import SEEDS, Moment, moments, rules_of, sample, seeds_in_turn
from tests.laws.wild import universe, wild
from tests.rotation import in_turn, is_nightly
from tests.rules.fault_injection import whole

KEY = GAME.key
each = pytest.mark.parametrize("seed", SEEDS)
MATCHES, ENDINGS = range(40), 8
pytestmark = pytest.mark.random


@each
def test_random_matches_keep_every_invariant_and_end(seed: int) -> None:
    one = sample(KEY, seed)
    assert first_broken(Law(GAME, one.rules), one.entries) is None
    assert moments(KEY, seed)[-1].after.result is not None


def test_random_matches_end_by_life_or_by_giving_up() -> None:
    reasons: Counter[str] = Counter()
    for place, seed in enumerate(in_turn(MATCHES, ENDINGS)):
        if place >= ENDINGS and len(reasons) == 2 and not is_nightly():
            break
        rules = rules_of(KEY, seed)
        entries = simulate(Law(GAME, rules), seed, concede=0.01)
        *_, (_, _, _, last) = tables(entries)
        assert last.result is not None and len(last.result.winners) == 1
        reasons[last.result.reason] += 1
        assert first_broken(Law(GAME, rules), entries) is None
    assert set(reasons) == {"life", "concede"}


def some(random: Random, seed: int, most: int) -> list[Moment]:
    all_of_it = moments(KEY, seed)
    return random.sample(all_of_it, min(most, len(all_of_it)))


@each
def test_invariant_21_a_rejection_changes_nothing_and_names_one_clause(seed: int) -> None:
    one, random = sample(KEY, seed), Random(seed)
    for at in some(random, seed, 20):
        before = msgspec.msgpack.encode(at.before)
        for _ in range(20):
            outcome = decide(Law(GAME, one.rules), at.before, *wild(GAME, at.before, random))
            assert msgspec.msgpack.encode(at.before) == before
            if isinstance(outcome, Refusal):
                assert outcome.clause in GAME.rulebook.clauses
                assert [step.clause for step in outcome.trail if not step.holds] == [outcome.clause]


@each
def test_invariant_22_what_is_legal_is_what_decide_accepts(seed: int) -> None:
    one, random, met = sample(KEY, seed), Random(seed), 0
    for at in some(random, seed, 10):
        for seat in SEATS:
            offered = {template.action for template in GAME.offers(one.rules, at.before, seat)}
            for action_type in GAME.action_types:
                for action in universe(GAME, at.before, seat, action_type, random, 40):
                    allowed = accepts(Law(GAME, one.rules), at.before, seat, action)
                    assert allowed == isinstance(decide(Law(GAME, one.rules), at.before, seat, action), Accepted)
                    assert not allowed or action_type in offered
                    met += allowed
    assert met > 15


@each
def test_invariant_25_deciding_again_gives_the_same_facts_byte_for_byte(seed: int) -> None:
    one = sample(KEY, seed)
    again = simulate(Law(GAME, one.rules), seed)
    assert msgspec.msgpack.encode(again) == msgspec.msgpack.encode(one.entries)
    for at in moments(KEY, seed):
        outcome = decide(Law(GAME, one.rules), at.before, at.actor, at.action)
        assert isinstance(outcome, Accepted)
        assert msgspec.msgpack.encode(outcome.told) == msgspec.msgpack.encode(at.entry.told)


def test_readings_out_of_reach_in_lite_cannot_be_set() -> None:
    for option in GAME.options:
        for value in option.unoffered:
            with pytest.raises(RulesetError, match=r"has no option|is not available"):
                with_settings(GAME, make_ruleset(GAME, "8.1-lite-seed"), {option.key: value})


def test_the_samples_hold_what_the_invariants_are_about() -> None:
    kinds: Counter[str] = Counter()
    wanted = (*KEYS, "up", "down", "twist", "counter", "equip", "summon_hero", "search")

    def missing() -> list[str]:
        prevented = kinds["up nullified"] + kinds["twist nullified"] + kinds["down nullified"] + kinds["altered"]
        return [kind for kind in wanted if not kinds[f"{kind} resolved"]] + ([] if prevented else ["prevented"])

    for seed in seeds_in_turn(KEY):
        if not missing():
            break
        for _, fact, t in whole(sample(KEY, seed)).facts():
            if isinstance(fact, Popped):
                done = frame(t, fact.id)
                kinds[f"{done.kind if done else '?'} {fact.how}"] += 1
            elif isinstance(fact, Altered):
                kinds["altered"] += 1
    assert missing() == []
