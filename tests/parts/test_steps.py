"""Named steps: run in order, stopped by a question, repeated on request, and limited in number."""

from collections.abc import Callable
from importlib import import_module

import pytest

from domain.games import GAMES
from domain.games.blackpoker import resolution
from domain.law.clause import Clause
from domain.law.lane import LAW_BUILD
from domain.law.live import LiveTable
from domain.law.outcome import EndlessError
from domain.parts import steps as S
from domain.parts.asking import ask, push
from domain.table.facts import Finished
from domain.table.table import Frame, Result, Seat, blank

P1, WHY = Seat("p1"), Clause("T-1")
TAKEN: list[str] = []


def noting(name: str, does: Callable[[LiveTable], bool | None] = lambda t: None) -> S.Step[None]:
    def step(rules: None, t: LiveTable, process: Frame) -> bool | None:
        TAKEN.append(name)
        return does(t)

    return step


def asking(t: LiveTable) -> None:
    ask(t, WHY, "which", P1)


def ending(t: LiveTable) -> None:
    t.emit(WHY, Finished(Result((), "over")))


def start(step: str) -> tuple[LiveTable, Frame]:
    TAKEN.clear()
    t = LiveTable(blank((P1,)))
    push(t, WHY, "running", "meal", P1, step=step)
    return t, t.running[0]


def test_steps_are_taken_in_order_from_the_one_that_is_named() -> None:
    steps = {"meal": {name: noting(name) for name in ("cook", "eat", "wash")}}
    t, process = start("eat")
    S.advance(None, t, process, steps, WHY)
    assert TAKEN == ["eat", "wash"] and S.first_step(steps, "meal") == "cook"


def test_where_a_step_asks_the_process_names_the_next() -> None:
    t, process = start("cook")
    S.advance(None, t, process, {"meal": {"cook": noting("cook", asking), "eat": noting("eat")}}, WHY)
    assert TAKEN == ["cook"] and t.running[0].step == "eat"


def test_where_the_last_step_asks_nothing_is_left_to_name() -> None:
    t, process = start("cook")
    S.advance(None, t, process, {"meal": {"cook": noting("cook", asking)}}, WHY)
    assert t.running[0].step == "cook" and t.fact_count == 2


def test_a_step_that_says_so_is_taken_once_more() -> None:
    t, process = start("cook")
    again = noting("cook", lambda t: len(TAKEN) < 3)
    S.advance(None, t, process, {"meal": {"cook": again, "eat": noting("eat")}}, WHY)
    assert TAKEN == ["cook"] * 3 + ["eat"]


def test_a_step_that_asks_and_is_to_be_taken_again_stays_named() -> None:
    def both(t: LiveTable) -> bool:
        asking(t)
        return True

    t, process = start("cook")
    S.advance(None, t, process, {"meal": {"cook": noting("cook", both), "eat": noting("eat")}}, WHY)
    assert TAKEN == ["cook"] and t.running[0].step == "cook"


def test_nothing_follows_the_end_of_the_match() -> None:
    t, process = start("cook")
    S.advance(None, t, process, {"meal": {"cook": noting("cook", ending), "eat": noting("eat")}}, WHY)
    assert TAKEN == ["cook"]


def test_one_step_alone_is_taken_by_its_name() -> None:
    t, process = start("eat")
    S.take_step(None, t, process, {"meal": {"cook": noting("cook"), "eat": noting("eat")}})
    assert TAKEN == ["eat"]


def test_the_only_step_of_a_kind_is_taken_under_any_name() -> None:
    t, process = start("lined up by hand")
    S.take_step(None, t, process, {"meal": {"eat": noting("eat")}})
    assert TAKEN == ["eat"]


def test_going_on_ends_where_nothing_is_left_or_at_the_bound() -> None:
    t, _ = start("cook")
    left = iter((True, True, False))
    S.repeat_until_done(lambda rules, there: next(left), None, t, 3)
    with pytest.raises(EndlessError, match="3"):
        S.repeat_until_done(lambda rules, there: True, None, t, 3)


@pytest.mark.skipif(LAW_BUILD == "compiled", reason="a compiler takes the bound in: it cannot be set to another here")
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_game_that_never_comes_to_rest_is_endless(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[key]
    module = import_module(game.settle.__module__)
    if not hasattr(module, "STEPS_MAX"):
        pytest.skip(f"{key} goes on by itself without `go_on`: there is no bound to reach")
    monkeypatch.setattr(module, "STEPS_MAX", 0)
    with pytest.raises(EndlessError):
        game.settle(game.latest, LiveTable(blank(game.seats(game.latest))))


def test_the_steps_of_a_request_are_those_of_the_schema() -> None:
    game = GAMES["blackpoker"]
    kinds = {kind.name: kind.steps for kind in game.schema(game.latest).kinds if kind.steps}
    assert {kind: tuple(steps) for kind, steps in resolution.STEPS.items()} == kinds
