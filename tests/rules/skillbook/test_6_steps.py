"""Chapters 6 and 7: steps and their consequences, and the units that a unit may attack."""

from domain.games.skillbook import actions as A
from tests.rules.skillbook.position import act, card, over, position


def test_6_14_a_step_that_halts_its_unit_may_be_answered_all_the_same() -> None:
    pool = {"terrains": {"4,5": "T04"}, "places": {"p2.hand": ["S29"]}}
    board = position({"4,4": "hound = S01 owner=p1"}, **pool)  # type: ignore[arg-type]
    moving = board.when("p1: declare_move hound", "p2: pass")
    stepped = act(moving, "p1", A.MoveStep(over("4,5")))
    stepped.then(places={"unit:4,5": ["S01 exhausted"]}, phase="move", awaited=["p2"])
    stepped.when("p2: pass").then(phase="main", step="idle", awaited=["p1"])


def test_6_10_a_step_off_the_board_is_no_step() -> None:
    moving = position({"1,4": "hound = S01 owner=p1"}).when("p1: declare_move hound")
    act(moving, "p1", A.MoveStep(over("0,4"))).refused_by("SB-6.10")
    act(moving, "p1", A.MoveStep(over("4,9"))).refused_by("SB-6.10")


def test_6_16_a_monster_does_not_come_off_the_board() -> None:
    board = position(heroes={"p1": "1,1"}, places={"p1.hand": ["soldier = S21"]})
    act(board, "p1", A.UseSkill(card(board, "soldier"), square=over("1,9")[0])).refused_by("SB-6.16")


def test_11_3_what_is_no_unit_is_not_attacked() -> None:
    board = position({"4,4": "crab = S13 owner=p1", "4,5": "rat = S17 owner=p2"}, places={"p2.table": ["held = S29"]})
    asked = board.when("p1: start_battle crab")
    act(asked, "p1", A.ChooseAttackTarget(card(board, "held"))).refused_by("SB-11.3")
    act(asked, "p1", A.ChooseAttackTarget(card(board, "hero1"))).refused_by("SB-7.11")


def test_7_17_where_rank_counts_who_is_not_ranged_counters_no_ranged_attack() -> None:
    board = position(
        {"3,4": "crab = S13 owner=p1", "4,4": "enemy = S13 owner=p2"},
        heroes={"p1": "H03 4,2"},
        terrains={"3,4": "T06 up owner=-"},
        places={"p1.table": ["S34"]},
        options={"ranged_counter": "ranged_rank", "attack_target_moved": "continue"},
    )
    board.when("p1: start_battle crab", "p1: choose_attack_target enemy").then(asked=[], awaited=["p1"], phase="battle")
    fought = board.when("p1: start_battle crab", "p1: choose_attack_target enemy")
    fought.when("p1: use_skill S34 targets=crab square=d3").then(asked=[], untold=["SB-7.5 push"], step="idle")
