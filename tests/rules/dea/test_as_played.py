"""Actions as played, lawful or not: carried out, refused by hand, or without effect."""

from tests.rows import for_each
from tests.rules.dea.position import position


@for_each(
    "line",
    [
        "p1: move C09 p1.deck",
        "p1: attack C09 p1.deck",
        "p1: use_ability C08 wind_up cell=p1.deck",
        "p1: play_event G17 cell=p1.deck",
    ],
)
def test_6_12_a_place_off_the_map_is_for_hands_whoever_the_character_belongs_to(line: str) -> None:
    refused = position({"p1.hand": ("G17",), "p1.deck": ("x1",)}).when(line, as_played=True).refusal
    assert refused is not None and refused.by_hand and refused.clause == "DEA-6.12"


@for_each("line", ["p1: move cell=map:1,3", "p1: attack cell=map:2,4", "p1: use_ability ability=slip"])
def test_6_2_nobody_who_is_not_named_does_anything(line: str) -> None:
    board = position()
    outcome = board.when(line, as_played=True)
    assert outcome.refusal is not None or outcome.scene.table == board.scene.table


def test_5_16_a_hand_is_cut_on_by_whose_hand_it_is_when_somebody_else_discards() -> None:
    hands = {"p1.hand": ("G01", "G05", "G06", "G07", "G08", "G10", "G11"), "p2.hand": ("G02", "G03")}
    asked = position(hands).when("p1: end_main", "p2: pass").then(asked=["p1 discard_to_limit"])
    wrong = asked.when("p2: discard_to_limit G02", as_played=True)
    wrong.then(asked=["p1 discard_to_limit"], count={"p1.hand": 7, "p2.hand": 1})


UNDER_WAY = {"p1.hand": ("G01", "G05"), "p2.hand": ("G18",), "p2.deck": ("x3",)}
HOOKED = ("p1: play_event G01 targets=C01", "p2: play_event G18 targets=C01")


@for_each("resolution, left", [("batch", 0), ("reopen", 1)])
def test_8_8_a_move_in_a_window_leaves_it_open(resolution: str, left: int) -> None:
    hooked = position(UNDER_WAY, options={"stack_resolution": resolution}).when(*HOOKED)
    moved = hooked.when("p1: move C01 map:3,3", as_played=True)
    moved.then(step="stack", awaited=["p1"], places={"map:3,3": ["C01"]}, violations=["DEA-6.1"])
    assert len(moved.scene.table.stack) == 2
    passed = moved.when("pp")
    assert len(passed.scene.table.stack) == left
    passed.when(*["pp"] * left).then(stack=[], step="open", readings={"C01 atk": 5})


@for_each("line", ["p1: pass", "p1: end_main", "p2: end_main"])
def test_8_8_nobody_takes_the_opportunity_of_somebody_else(line: str) -> None:
    declared = position(UNDER_WAY).when("p1: play_event G01 targets=C01")
    wrong = declared.when(line, as_played=True).then(step="stack", awaited=["p2"])
    wrong.when("p2: play_event G18 targets=C01").then(step="stack", awaited=["p1"])


def test_8_8_a_second_pass_does_not_stand_for_the_opponents() -> None:
    answered = position(UNDER_WAY).when("p1: play_event G01 targets=C01", "p2: pass")
    again = answered.when("p2: pass", as_played=True).then(step="stack", awaited=["p1"])
    again.when("p1: pass").then(stack=[], step="open")


def test_5_13_who_moves_in_the_next_turn_has_let_the_last_one_end() -> None:
    ended = position(UNDER_WAY).when("p1: end_main")
    moved = ended.when("p2: move C07 map:2,3", as_played=True)
    moved.then(turn=4, active="p2", step="open", places={"map:2,3": ["C07"]}, seats={"p2": {"pages": 6}})


@for_each("line", ["p1: move C01 map:3,3", "p1: pass", "p1: end_main"])
def test_5_13_whose_turn_ends_does_not_end_the_opponents_window(line: str) -> None:
    ended = position(UNDER_WAY).when("p1: end_main")
    ended.when(line, as_played=True).then(turn=3, active="p1", awaited=["p2"]).when("p2: pass").then(turn=4)


@for_each("line", ["p1: pass", "p2: pass", "p1: end_main", "p1: move C01 map:3,3", "p1: convert_pages"])
def test_5_16_a_hand_is_cut_after_whatever_is_done_before(line: str) -> None:
    hands = {"p1.hand": ("G01", "G05", "G06", "G07", "G08", "G10", "G11"), "p2.hand": ("G02", "G03")}
    asked = position(hands).when("p1: end_main", "p2: pass").then(asked=["p1 discard_to_limit"])
    wrong = asked.when(line, as_played=True).then(asked=["p1 discard_to_limit"], turn=3)
    wrong.when("p1: discard_to_limit G01").then(count={"p1.hand": 6})


def test_7_1_nothing_is_used_before_the_match() -> None:
    unready = {"p1.unplaced": ("C11",), "p1.deck": ("x1",)}
    board = position(unready, phase="standby", step="placing", turn=0, active=None, first="p1", awaited=["p1"])
    for line in ("p1: use_ability C03 beat_up targets=C01", "p1: attack C01 map:3,4", "p1: convert_pages"):
        played = board.when(line, as_played=True)
        assert played.scene.violations and played.scene.table == board.scene.table, line


def test_10_3_what_chance_must_decide_stays_to_be_decided() -> None:
    seats = {"p1": {"life": 3, "pages": 8}, "p2": {"life": 3}}
    tied = position({"p1.hand": ("G13",)}, seats=seats, options={"victory_check": "end_of_stack"})
    tied = tied.when("p1: play_event G13", "pp").then(asked=["chance tie_break"])
    moved = tied.when("p1: move C01 map:3,3", as_played=True).then(asked=["chance tie_break"])
    moved.when("chance").then(asked=[], result={"winners": ["p1"], "clause": "DEA-10.3"})


@for_each("line, clause", [("p1: move C01 map:3,1", "DEA-6.13"), ("p1: move C02 map:2,4", "DEA-6.14")])
def test_6_14_only_an_enemy_makes_a_move_an_attack(line: str, clause: str) -> None:
    near = position(at={"C02": "map:2,3"}) if clause == "DEA-6.14" else position()
    near.when(line, as_played=True).then(violations=[clause])
