"""Actions as played, lawful or not: open questions stay open."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.grimoire import GAME
from tests.rows import for_each
from tests.scenario import Scenario, scenario

PLENTY = {"mana": 5, "capacity": 5, "od": 4, **{f"chroma.{colour}": 3 for colour in "ROYGBIV"}}
HANDS = {"p1.hand": ("S01", "S03"), "p2.hand": ("S15",)}


def position(places: Mapping[str, Sequence[str]], **more: Any) -> Scenario:
    laid = {"p1.personal": ("C01",), "p2.personal": ("C02",), "p1.grimoire": ("x20",), "p2.grimoire": ("x20",)}
    clock = {"turn": 7, "active": "p1", "first": "p1", "phase": "main", "step": "priority", "awaited": ["p1"]}
    seats = {"p1": PLENTY, "p2": PLENTY}
    return scenario(GAME, {**laid, **places}, version="1", **{**clock, "seats": seats, **more})


@for_each("line", ["p1: pass", "p2: pass", "p2: choose_yes_no no", "p1: trance_skip", "p1: cast S01"])
def test_a_question_of_an_effect_stays_whatever_is_done_before_its_answer(line: str) -> None:
    field = ("a = S08 owner=p1", "b = S03 owner=p2 spended")
    asked = position({"field": field, **HANDS}).when("p1: play a b", "pp").then(asked=["p1 yes_no"])
    wrong = asked.when(line, as_played=True).then(asked=["p1 yes_no"])
    wrong.when("p1: choose_yes_no yes").then(asked=[], awaited=["p1"])


@for_each("line", ["p1: pass", "p2: pass", "p1: cast S01", "p2: trance_skip", "p2: trance_buy_draw"])
def test_the_choice_of_trance_stays_whatever_is_done_before_it(line: str) -> None:
    board = position(HANDS, phase="trance", step="trance_choice")
    wrong = board.when(line, as_played=True).then(phase="trance", step="trance_choice", awaited=["p1"])
    wrong.when("p1: trance_hand S03").then(phase="main", awaited=["p1"])


def test_a_card_that_is_cast_before_an_answer_is_cast() -> None:
    board = position(HANDS, phase="trance", step="trance_choice").when("p1: cast S01", as_played=True)
    assert board.scene.violations
    board.then(has={"field": ["S01"], "p1.hand": ["S03"]})


@for_each("line", ["p2: pass", "p2: trance_skip"])
def test_who_holds_priority_goes_on_holding_it(line: str) -> None:
    wrong = position(HANDS).when(line, as_played=True).then(phase="main", step="priority", awaited=["p1"])
    wrong.when("p1: cast S01").then(has={"field": ["S01"]})


def test_a_wrong_answer_of_trance_in_its_own_time_is_the_choice() -> None:
    poor = {"p1": {**PLENTY, "capacity": 0}, "p2": PLENTY}
    board = position(HANDS, phase="trance", step="trance_choice", seats=poor)
    board.when("p1: trance_buy_draw", as_played=True).then(phase="main", awaited=["p1"], count={"p1.hand": 3})
