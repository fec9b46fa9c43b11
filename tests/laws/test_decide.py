"""Deciding is pure and refusals are accurate, in random matches of every game."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.law.clause import Refusal
from domain.law.driver import accepts, consult_clauses, decide
from domain.law.game import Game
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.slots import Action
from domain.table.evolve import fold
from domain.table.table import Seat, Table
from tests.laws.samples import MATCHES, moments, sample
from tests.laws.wild import wild

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ENCODE = msgspec.msgpack.Encoder().encode
WILD = 12


def decide_purely(game: Game, rules: Any, table: Table, actor: Seat, action: Action) -> Accepted | Refusal:
    before = ENCODE(table)
    outcome = decide(Law(game, rules), table, actor, action)
    assert ENCODE(table) == before, f"deciding {actor} {action} changed the table"
    assert decide(Law(game, rules), table, actor, action) == outcome, f"{actor} {action} is decided in two ways"
    assert accepts(Law(game, rules), table, actor, action) == isinstance(outcome, Accepted)
    return outcome


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_facts_fold_to_the_table_that_is_returned(key: str, seed: int) -> None:
    one = sample(key, seed)
    for at in moments(key, seed):
        outcome = decide_purely(one.game, one.rules, at.before, at.actor, at.action)
        assert isinstance(outcome, Accepted)
        assert outcome.violations == ()
        assert ENCODE(outcome.table) == ENCODE(fold(at.before, [fact for _, fact in outcome.told]))
        told = [clause for clause, _ in outcome.told]
        assert [clause for clause in told if clause not in one.game.rulebook.clauses] == []


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_a_refusal_changes_nothing_and_cites_the_first_clause_that_fails(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    refused: set[str] = set()
    for at in moments(key, seed):
        for _ in range(WILD):
            actor, action = wild(one.game, at.before, random)
            outcome = decide_purely(one.game, one.rules, at.before, actor, action)
            if isinstance(outcome, Accepted):
                continue
            assert outcome.clause in one.game.rulebook.clauses
            assert not outcome.by_hand
            *held, failed = outcome.trail
            assert failed.clause == outcome.clause and not failed.holds and outcome.about == failed.about
            assert all(step.holds for step in held), f"{action}: {outcome.clause} is not the first that fails"
            assert consult_clauses(one.law, at.before, actor, action)[: len(outcome.trail)] == outcome.trail
            refused.add(outcome.clause)
    assert len(refused) >= 5, "too tame: hardly anything was refused"
