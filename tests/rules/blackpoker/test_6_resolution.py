"""Chapter 6: resolution, win check, triggers."""

from tests.rules.blackpoker.position import ATTACK, position

DUEL = {
    "p1.hand": ("H8", "C2", "C3"),
    "p1.soldiers": ("u = D3",),
    "p2.hand": ("S3", "C10", "C5", "D4"),
    "p2.soldiers": ("s = S4",),
}
PICK = {"lane": "asked", "kind": "order_triggers", "by": "p1"}


def test_6_1_a_resolved_request_leaves_then_its_keys_go() -> None:
    board = {"p1.hand": ("H8", "D3"), "p2.bulwarks": ("w = C8",)}
    position(board).when("p1: destroy_bulwark H8,D3 w", "pp").emits("BP-10.3 move", "BP-6.1 pop", "BP-6.5 move")


def test_6_2_without_its_target_a_request_does_nothing() -> None:
    gone = position(DUEL).when("p1: up H8 C2 u", "p1: pass", "p2: down S3 C5 u", "p2: pass", "p1: pass", "pp")
    gone.emits("BP-6.1 pop", "BP-6.5 move").then(untold=["BP-9.3"], has={"p1.grave": ["H8", "D3"]}, stack=[])


def test_6_3_what_cannot_be_done_is_skipped() -> None:
    empty = position({"p1.hand": ()}).when("p1: set_bulwark").emits("BP-5.4 move", "BP-6.1 pop")
    empty.then(asked=[], places={"p1.bulwarks": []}, awaited=["p1"])


def test_6_6_a_nullified_request_is_not_resolved() -> None:
    board = {"p1.hand": ("S2", "CK"), "p2.hand": ("CA", "D4")}
    thrown = position(board).when(
        "p1: throwing S2,CK p2", "p1: pass", "p2: counter CA D4 @throwing", "p2: pass", "p1: pass"
    )
    thrown.emits("BP-9.15 pop", "BP-9.16 move", "BP-2.9 push").then(stack=["counter"])
    thrown.when("p1: choose_grave_top CK").emits("BP-6.1 pop", "BP-6.5 move").then(count={"p2.life": 12}, stack=[])


def test_6_9_the_turn_players_triggers_come_first() -> None:
    board = {"p1.soldiers": ("a = HJ",), "p2.soldiers": ("s = SJ",), "p1.life": ("S2", "S3"), "p2.life": ("x10",)}
    both = position(board).when(*ATTACK, "p2: designate_blockers s>a", "pp").emits("BP-7.27 move", "BP-7.36 push")
    both.then(result={"winners": ["p2"], "clause": "BP-13.1"}, count={"p2.life": 10})


def test_6_10_the_owner_of_several_triggers_names_one_of_them() -> None:
    waiting = [
        {"lane": "waiting", "kind": "block", "by": "p1", "label": "blocking"},
        {"lane": "waiting", "kind": "draw", "by": "p1", "label": "drawing"},
        {"lane": "stack", "kind": "end", "by": "p1", "label": "ending"},
        {**PICK, "frames": ["blocking", "drawing"]},
    ]
    asked = position(frames=waiting, awaited=[])
    asked.when("p1: order_triggers ending").refused_by("BP-6.10")
    asked.when("p1: order_triggers drawing").emits("BP-6.14 pop", "BP-6.11 pop")


def test_6_11_a_triggered_main_request_is_staged_on_an_empty_stage() -> None:
    position(DUEL).when("p1: end", "pp").emits("BP-7.7 push", "BP-6.11 alter").then(stack=["draw"], awaited=["p2"])


def test_6_11_the_chance_can_go_to_the_triggers_opponent() -> None:
    ended = position(DUEL, options={"chance.after_trigger": "opponent_of_controller"}).when("p1: end", "pp")
    ended.emits("BP-6.11 alter", "BP-4.9 clock").then(stack=["draw"], awaited=["p1"])


def test_6_13_block_can_be_the_defenders_request() -> None:
    board = {"p1.soldiers": ("a = H9",), "p2.soldiers": ("s = S4",)}
    for who, option in (("p1", "turn_player"), ("p2", "defender")):
        staged = position(board, options={"block.controller": option}).when(*ATTACK[:3])
        assert staged.scene.table.stack[-1].by == who


def test_6_15_damage_takes_the_top_cards() -> None:
    board = {"p1.hand": ("S2", "C3"), "p2.life": ("D4", "D5", "D6", "x9")}
    position(board).when("p1: throwing S2,C3 p2", "pp").emits("BP-10.6 move").then(has={"p2.grave": ["D4", "D5", "D6"]})


def test_6_16_damage_beyond_life_takes_what_is_there() -> None:
    board = {"p1.hand": ("S2", "CK"), "p2.life": ("D4", "D5")}
    position(board).when("p1: throwing S2,CK p2", "pp").then(count={"p2.grave": 2}, result={"winners": ["p1"]})


def test_6_17_soldiers_take_no_damage() -> None:
    board = {"p1.hand": ("S2", "CK"), "p2.soldiers": ("s = S4",), "p2.life": ("x20",)}
    position(board).when("p1: throwing S2,CK p2", "pp").then(has={"p2.soldiers": ["s"]})


def test_6_18_the_turn_player_answers_first() -> None:
    board = {"p1.soldiers": ("a = D3", "+ D7"), "p2.soldiers": ("s1 = S4", "s2 = C6")}
    both = position(board).when(*ATTACK, "p2: designate_blockers s1>a,s2>a", "pp")
    both.then(asked=["p1 choose_grave_top", "p2 choose_grave_top"]).when("p2: choose_grave_top S4").refused_by(
        "BP-4.15"
    )
