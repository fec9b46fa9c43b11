"""Clauses that affect an outcome without a fact are named. Each test has the number of its clause."""

from tests.explanations import shaped_last
from tests.rules.skillbook.position import pool_with, position

FIRE = {"p1": "H01 4,1"}


def test_5_1_a_cost_is_named_layer_by_layer() -> None:
    hand = {"p1.hand": ["S02"], "p2.table": ["S58 activated=1"]}
    dear = shaped_last(
        position(heroes=FIRE, terrains={"4,1": "mountain up"}, places=hand), "p1: use_skill S02 square=d2"
    )
    assert dear.layers("SB-5.1") == [(3, [("SB-5.1", 4), ("SB-5.9", 2), ("SB-5.12", 1)])]
    assert len(dear.about("SB-5.7")) == 1


def test_5_8_the_usual_reduction_is_a_layer() -> None:
    lance = {"p1.hand": ["S27"]}
    warm = position(heroes=FIRE, terrains={"4,1": "mountain up"}, places=lance)
    assert shaped_last(warm, "p1: use_skill S27 targets=hero1").layers("SB-5.1") == [
        (0, [("SB-5.1", 1), ("SB-5.8", -1)])
    ]
    assert "SB-5.7" not in shaped_last(position(heroes=FIRE, places=lance), "p1: use_skill S27 targets=hero1")


def test_5_18_a_cost_that_cannot_be_paid_is_named_layer_by_layer() -> None:
    short = position(
        heroes=FIRE,
        terrains={"4,1": "mountain up"},
        places={"p1.hand": ["S26"], "p1.book": ["S21"] * 4, "p2.table": ["S58 activated=1"]},
        units={"4,2": "S17 owner=p2"},
    )
    assert shaped_last(short, "p1: use_skill S26").layers("SB-5.1") == [
        (5, [("SB-5.1", 10), ("SB-5.9", 4), ("SB-5.12", 1)])
    ]


def test_5_12_what_raises_and_lowers_an_attack_is_named() -> None:
    board = position(
        {"4,4": "crab = S13 owner=p1", "4,5": "enemy = S13 owner=p2"},
        places={"p1.table": ["S55 activated=1"], "p2.table": ["S61 activated=1"], "bound": ["S49 tied=crab owner=p1"]},
    )
    lines = ("p1: start_battle crab", "p1: choose_attack_target enemy", "pass", "p2: counter", "pass")
    fought = shaped_last(board, *lines)
    strikes, _ = fought.layers("SB-7.6")
    assert strikes[0] == 4 and strikes[1][0] == ("SB-7.6", 2)
    assert sorted(strikes[1][1:]) == [("SB-5.12", -1), ("SB-5.12", 1), ("SB-5.12", 2)]
    assert fought.about("SB-7.6")[1] == ["S13", "4", "S13", "2"]
    assert fought.about("SB-7.8") == [["S13", "2"]]


def test_5_28_the_terrain_that_permits_is_named() -> None:
    flame = {"p1.hand": ["S24"]}
    enemy = {"4,2": "enemy = S13 owner=p2"}
    lent = shaped_last(
        position(enemy, terrains={"4,1": "mountain up owner=p2"}, places=flame), "p1: use_skill S24 targets=enemy"
    )
    assert lent.about("SB-1.11") == [["mountain"]] == lent.about("SB-5.28")


def test_5_23_a_boon_that_is_gone_by_now_is_named() -> None:
    board = position(
        {"4,3": "enemy = S13 owner=p2"},
        heroes={"p1": "H03 4,1", "p2": "H03 4,7"},
        terrains={"4,1": "mountain up"},
        places={"p1.hand": ["S24"], "p1.table": ["S34"], "p2.hand": ["S66"]},
    )
    lines = ("p1: use_skill S24 targets=enemy", "p2: use_skill S66 targets=enemy")
    left = shaped_last(board, *lines, "p1: use_skill S34 targets=hero1 square=c1")
    assert left.about("SB-5.23") == [["S24"]]


def test_5_24_what_keeps_a_target_from_countering_is_named() -> None:
    units = {"4,4": "crab = S13 owner=p1", "4,5": "enemy = S13 owner=p2"}
    lines = ("p1: start_battle crab", "p1: choose_attack_target enemy", "pass")
    cursed = position(units, places={"p2.table": ["S63 owner=p1 activated=1"]})
    assert shaped_last(cursed, *lines).about("SB-5.24") == [["S63"]]
    assert "SB-5.24" not in shaped_last(position(units), *lines)


def test_7_12_what_reduces_damage_is_a_layer() -> None:
    board = position({"4,4": "crab = S13 owner=p1", "4,5": "boar = S05 owner=p2"})
    fought = shaped_last(
        board, "p1: start_battle crab", "p1: choose_attack_target boar", "pass", "p2: decline_counter", "pass"
    )
    assert fought.layers("SB-7.12") == [(1, [("SB-7.12", 2), ("SB-5.12", -1)])]


def test_7_16_a_ranged_attack_on_who_flies_is_permitted_by_name() -> None:
    board = position({"4,4": "archer = S04 owner=p1", "4,5": "bird = S09 owner=p2", "5,4": "rat = S17 owner=p2"})
    shot = shaped_last(board, "p1: start_battle archer", "p1: choose_attack_target bird")
    assert shot.about("SB-7.16") == [["S04"]] == shot.about("SB-7.15")
    other = shaped_last(board, "p1: start_battle archer", "p1: choose_attack_target rat")
    assert "SB-7.16" not in other and other.about("SB-7.15") == [["S04"]]


def test_8_7_who_stands_in_the_way_is_named() -> None:
    board = position(
        {"4,4": "archer = S04 owner=p1", "4,5": "rat = S17 owner=p1", "4,6": "S13 owner=p2", "5,4": "S17 owner=p2"}
    )
    barred = shaped_last(board, "p1: start_battle archer", "p1: choose_attack_target S13")
    assert barred.about("SB-8.7") == [["S17"]]
    aimed = position({"4,2": "S17 owner=p1", "4,3": "crab = S13 owner=p2"}, places={"p1.hand": ["S24"]}, heroes=FIRE)
    assert shaped_last(aimed, "p1: use_skill S24 targets=crab").about("SB-8.7") == [["S17"]]


def test_10_13_a_second_bind_is_named() -> None:
    board = position(
        {"4,2": "crab = S13 owner=p1"},
        heroes=FIRE,
        places={"p1.hand": ["S49"], "bound": ["S50 tied=crab owner=p1"]},
    )
    lines = ("p1: use_skill S49 targets=crab",)
    assert shaped_last(board, *lines).about("SB-10.13") == [["S13"]]


def test_10_3_a_flyer_that_ignores_a_terrain_is_hurt_by_it_all_the_same() -> None:
    scorched = pool_with(
        """
[[cards]]
id = "Q01"
en = "Scorched Cliff"
ja = "焦げた崖"
type = "special"
abilities = [
    { kind = "triggered", event = "entered", do = [{ do = "damage", on = ["occupant"], n = 1 }] },
    { kind = "continuous", on = "occupant", mods = [{ mod = "stat", to = "at", n = 1 }] },
]
"""
    )
    board = position({"3,2": "bird = S03 owner=p1"}, terrains={"4,2": "Q01 up"}, options={"cards": scorched})
    lines = ("p1: declare_move bird", "p1: move_step d2", "p1: choose_terrain_effect ignore")
    assert shaped_last(board, *lines).about("SB-10.3") == [["Q01"]]
    assert "SB-10.3" not in shaped_last(board, *lines[:2], "p1: choose_terrain_effect accept")


def test_10_7_a_hero_stays_by_name() -> None:
    undertow = pool_with(
        """
[[cards]]
id = "Q01"
en = "Undertow Ground"
ja = "引き波の地"
type = "special"
abilities = [{ kind = "triggered", event = "entered", do = [{ do = "recall", on = "occupant" }] }]
"""
    )
    board = position({"3,2": "rat = S17 owner=p1"}, terrains={"4,2": "Q01 up"}, options={"cards": undertow})
    assert shaped_last(board, "p1: declare_move hero1", "p1: move_step d2").about("SB-10.7") == [["H01"]]
    assert "SB-10.7" not in shaped_last(board, "p1: declare_move rat", "p1: move_step d2")
