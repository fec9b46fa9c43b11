"""Actions as played, lawful or not: open questions stay open."""

from tests.rows import for_each
from tests.rules.blackpoker.position import ATTACK, position

FIGHT = {
    "p1.soldiers": ("a = HJ",),
    "p1.hand": ("S5", "H8", "C2"),
    "p2.soldiers": ("s = SJ",),
    "p2.hand": ("C10", "D4"),
}


@for_each("line", ["p1: pass", "p2: pass", "p2: set_bulwark", "p1: designate_blockers s>a", "p1: up H8 C2 a"])
def test_4_4_whatever_is_done_before_blockers_are_named(line: str) -> None:
    asked = position(FIGHT).when(*ATTACK).then(asked=["p2 designate_blockers"])
    wrong = asked.when(line, as_played=True).then(asked=["p2 designate_blockers"])
    wrong.when("p2: designate_blockers s>a")


def test_9_2_a_request_before_the_answer_lies_on_the_stage() -> None:
    asked = position(FIGHT).when(*ATTACK).when("p1: up H8 C2 a", as_played=True)
    assert asked.scene.violations == ("BP-4.15", "BP-4.2")
    asked.when("p2: designate_blockers s>a", "pp").then(readings={"a size": 19})


def test_4_4_who_passes_is_asked_still_for_the_bulwark() -> None:
    asked = position({"p1.hand": ("S5",)}).when("p1: set_bulwark").then(asked=["p1 choose_bulwark_card"])
    wrong = asked.when("p1: pass", as_played=True)
    assert wrong.scene.violations and wrong.scene.table == asked.scene.table
    wrong.when("p1: choose_bulwark_card S5").then(asked=[], has={"p1.bulwarks": ["S5"]})


def test_6_3_a_question_that_no_card_is_left_for_is_not_asked_any_longer() -> None:
    asked = position({"p1.hand": ("S5",)}).when("p1: set_bulwark")
    summoned = asked.when("p1: summon_soldier S5", as_played=True)
    summoned.then(asked=[], places={"p1.hand": [], "p1.bulwarks": []})


def test_7_3_a_discard_by_somebody_else_leaves_the_question() -> None:
    hands = {"p1.hand": ("S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"), "p2.hand": ("D2", "D3")}
    asked = position(hands).when("p1: end", "pp").then(asked=["p1 choose_discards"])
    wrong = asked.when("p2: choose_discards D2", as_played=True)
    wrong.then(asked=["p1 choose_discards"], has={"p2.grave": ["D2"], "p2.hand": ["D3"]})
    wrong.when("p1: choose_discards S2").then(has={"p1.grave": ["S2"]})


def test_4_9_passes_that_are_not_forgotten_do_not_end_the_others_chance() -> None:
    kept = {"pass_record.reset": "on_request_only"}
    board = position({"p1.hand": ("H8", "H7", "C2", "C3"), "p1.soldiers": ("u = D3",)}, options=kept)
    resolved = board.when("p1: up H8 C2 u", "p1: up H7 C3 u", "pp").then(stack=["up"], passed=["p1", "p2"])
    resolved.when("p2: pass", as_played=True).then(stack=["up"], awaited=["p1"])
