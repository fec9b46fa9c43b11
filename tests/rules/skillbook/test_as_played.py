"""Actions as played, lawful or not: the match continues."""

from random import Random

import pytest

from domain.law.clause import Refusal
from domain.law.driver import decide_as_played
from domain.table.physics import Physics
from tests.laws.samples import moments_of
from tests.laws.test_as_played import stands
from tests.laws.wild import wild
from tests.rows import for_each
from tests.rules.skillbook import matches
from tests.rules.skillbook.position import position


@pytest.mark.random
@for_each("seed", (0, 2, 5))
def test_whatever_is_done_at_whatever_time_play_goes_on(seed: int) -> None:
    one, random = matches.match(seed), Random(seed)
    physics = Physics(one.first_entry.schema)
    carried_out = 0
    for at in moments_of(one):
        for _ in range(3):
            actor, action = wild(one.game, at.before, random)
            outcome = decide_as_played(one.law, at.before, actor, action)
            if not isinstance(outcome, Refusal):
                stands(one, physics, at.before, outcome)
                carried_out += bool(outcome.violations)
    assert carried_out > len(moments_of(one)) / 2


def test_who_ends_the_turn_in_mid_move_ends_the_move() -> None:
    board = position({"4,4": "hound = S01 owner=p1"}).when("p1: declare_move hound")
    ended = board.when("p1: end_turn", as_played=True)
    ended.then(violations=["SB-4.13"], turn=4, active="p2", phase="draw")


def test_a_choice_not_to_charge_that_comes_too_late_changes_nothing() -> None:
    board = position()
    late = board.when("p2: decline_charge", as_played=True)
    late.then(violations=["SB-11.1", "SB-4.11"], phase="main", step="idle", awaited=["p1"])


def test_nothing_is_played_before_the_toss() -> None:
    board = position(phase="set_up", step="decks", active="p1", awaited=[], frames=[{"kind": "toss", "by": "chance"}])
    board.when("p1: end_turn", as_played=True).then(asked=["chance toss"], step="decks")


def test_who_uses_a_skill_instead_of_charging_is_asked_after_it() -> None:
    board = position(places={"p1.table": ["S45"]}, phase="charge", step="choice")
    used = board.when("p1: use_skill S45 targets=hero1", as_played=True)
    used.then(violations=["SB-5.4"], phase="charge", step="choice", awaited=["p1"]).when("p1: charge")


@for_each("line", ["p2: charge", "p2: decline_charge", "p2: end_turn", "p1: end_turn", "p1: pass"])
def test_nobody_else_decides_whether_to_charge(line: str) -> None:
    board = position(phase="charge", step="choice")
    wrong = board.when(line, as_played=True).then(phase="charge", step="choice", awaited=["p1"])
    wrong.when("p1: charge")


def test_a_second_pass_does_not_stand_for_the_opponents() -> None:
    board = position({"4,4": "hound = S01 owner=p1"}, places={"p1.hand": ["S45"], "p2.hand": ["S45"]})
    passed = board.when("p1: declare_move hound", "p2: pass").then(awaited=["p1"])
    again = passed.when("p2: pass", as_played=True).then(awaited=["p1"])
    again.when("p1: use_skill S45 targets=hero1")


@for_each("line", ["p1: end_turn", "p1: start_battle hound", "p1: pass", "p2: stop_move", "p2: end_turn"])
def test_a_window_over_a_move_stays_open(line: str) -> None:
    board = position({"4,4": "hound = S01 owner=p1"}, places={"p1.hand": ["S45"], "p2.hand": ["S45"]})
    wrong = board.when("p1: declare_move hound").when(line, as_played=True)
    wrong.then(awaited=["p2"]).when("p2: use_skill S45 targets=hero2")
