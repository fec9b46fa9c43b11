"""Chapter 13: end of the match, conduct."""

from tests.rows import for_each
from tests.rules.blackpoker.position import position

THROW = {"p1.hand": ("S2", "CK")}


def test_13_1_an_empty_life_loses_at_the_win_check() -> None:
    lost = (
        position({**THROW, "p2.life": ("x5",)}).when("p1: throwing S2,CK p2", "pp").emits("BP-10.6 move", "BP-13.1 end")
    )
    lost.then(result={"winners": ["p1"], "reason": "life", "clause": "BP-13.1"}, awaited=[])


def test_13_2_of_two_empty_lives_the_turn_players_is_looked_at_first() -> None:
    board = {"p1.hand": ("HA",), "p1.life": ("S2",), "p2.hand": ("JK",), "p2.life": ("S9",)}
    lines = ("p1: summon_ace HA", "p1: pass", "p2: search JK", "p2: choose_search_card S9")
    position(board).when(*lines).emits("BP-13.2 end").then(result={"winners": ["p2"], "clause": "BP-13.2"})


def test_13_4_a_seat_may_concede_whoever_is_awaited() -> None:
    position().when("p2: concede").emits("BP-13.4 end").then(result={"winners": ["p1"], "reason": "concede"})
    for nobody in ("chance", "judge"):
        position().when(f"{nobody}: concede").refused_by("BP-13.4")


@for_each("line", ['judge: judge_end p2 ""', 'judge: judge_end p2 "  "', 'p1: judge_end p1 "mine"'])
def test_13_5_a_decision_is_the_judges_and_has_a_reason(line: str) -> None:
    position().when(line).refused_by("BP-13.5")


def test_13_5_a_judge_names_winner_and_reason() -> None:
    decided = position().when('judge: judge_end p2 "time"').emits("BP-13.5 end")
    decided.then(result={"winners": ["p2"], "reason": "time", "clause": "BP-13.5"})


@for_each("line", ["p1: pass", "p2: concede", "p1: attack", "p1: designate_blockers -"])
def test_13_6_nothing_is_accepted_after_the_end(line: str) -> None:
    position().when("p2: concede", line).refused_by("BP-13.6")
