"""Clauses that affect an outcome without a fact are named. Each test has the number of its clause."""

from tests.explanations import shaped_last
from tests.rules.dea.position import position


def test_4_8_a_hand_above_the_limit_is_named_with_both_numbers() -> None:
    six = {"p1.hand": ("G01", "G05", "G06", "G07", "G08", "G10")}
    kept = shaped_last(position(six, options={"hand_cut": "literal_6"}), "p1: end_main", "p2: pass")
    assert kept.about("DEA-4.8") == [["p1", "6", "5"]]
    assert "DEA-4.8" not in shaped_last(position(six, options={"hand_cut": "limit6_to6"}), "p1: end_main", "p2: pass")


def test_6_21_the_damage_is_named_with_attack_and_defence() -> None:
    fought = shaped_last(position(at={"C01": "map:3,3"}), "p1: attack C01 map:3,4", "pp")
    assert fought.about("DEA-6.21") == [["C01", "6", "C09", "5"]]
    assert [value for value, _ in fought.layers("DEA-9.12")] == [6, 5]


def test_6_30_a_push_into_the_reserved_cell_is_named() -> None:
    hands = {"p2.hand": ("G16",)}
    lines = ("p1: attack C01 map:3,4", "p2: play_event G16 targets=C01 direction=south", "p1: pass", "p2: pass")
    reserved = shaped_last(position(hands, at={"C01": "map:3,3"}), *lines)
    assert reserved.about("DEA-6.30") == [["C01"]] and "DEA-1.4" not in reserved


def test_7_22_a_conversion_at_the_cap_is_permitted_by_name() -> None:
    full = position({"p1.hand": ("G07",)}, seats={"p1": {"pages": 8}})
    assert shaped_last(full, "p1: convert_hand G07").about("DEA-7.22") == [["p1"]]
    assert "DEA-7.22" not in shaped_last(position({"p1.hand": ("G07",)}), "p1: convert_hand G07")


def test_7_24_only_what_was_paid_is_named_as_lost() -> None:
    struck = {"p2.hand": ("G03",)}
    lines = ("p1: use_foreshadow F03", "p2: play_event G03 item=@foreshadow", "p1: pass", "p2: pass")
    free = shaped_last(position(struck), *lines)
    assert "DEA-7.24" not in free and len(free.about("DEA-9.8")) == 1
    lines = ("p1: use_ability C03 beat_up targets=C01", "p2: play_event G03 item=@ability", "p1: pass", "p2: pass")
    paid = shaped_last(position(struck), *lines)
    assert len(paid.about("DEA-7.24")) == 1 and "DEA-9.8" not in paid


def test_7_26_a_seal_is_named_where_it_stops_something_and_nowhere_else() -> None:
    sealed = {"p2.hand": ("G04",)}
    late = {"down_order": "effects_first"}
    board = position(sealed, at={"C03": "-", "C12": "map:3,1"}, options=late).when(
        "p2: play_event G04 targets=C12", "pp"
    )
    assert "DEA-7.26" not in shaped_last(board, "p1: end_main", "p2: pass")


def test_8_3_a_hook_to_a_hook_is_permitted_by_name() -> None:
    hooked = position({"p1.hand": ("G01", "G07"), "p2.hand": ("G18",)})
    lines = ("p1: play_event G01 targets=C01", "p2: play_event G18 targets=C01", "p1: play_event G07")
    assert len(shaped_last(hooked, *lines).about("DEA-8.3")) == 1
    assert "DEA-8.3" not in shaped_last(hooked, *lines[:2])


def test_9_1_a_victory_that_is_not_looked_at_yet_is_named() -> None:
    wound = position({"p1.hand": ("G13",)}, seats={"p1": {"life": 5}, "p2": {"life": 3}})
    assert "DEA-9.1" not in shaped_last(wound, "p1: play_event G13", "pp")
    late = position(
        {"p1.hand": ("G13",)},
        seats={"p1": {"life": 5}, "p2": {"life": 3}},
        options={"victory_check": "end_of_stack"},
    )
    assert shaped_last(late, "p1: play_event G13", "pp").about("DEA-9.1") == [["p1"]]


def test_9_2_a_point_before_the_victory_it_brings_is_named() -> None:
    near = position(seats={"p1": {"ep": 5}}, at={"C02": "map:2,4", "C07": "map:1,4"})
    assert shaped_last(near, "p1: move C02 map:2,5").about("DEA-9.2") == [["C02"]]


def test_9_3_who_did_not_come_by_its_own_move_is_named() -> None:
    pushed = position(
        {"p1.hand": ("G16",)},
        at={"C02": "map:2,4", "C07": "map:1,4"},
        options={"line_ep_cause": "own_move_only"},
    )
    shoved = shaped_last(pushed, "p1: play_event G16 targets=C02 direction=north", "pp")
    assert shoved.about("DEA-9.3") == [["C02"]]


def test_9_14_a_change_to_both_is_named() -> None:
    wound = position({"p1.hand": ("G13",)})
    assert shaped_last(wound, "p1: play_event G13", "pp").about("DEA-9.14") == [["p1", "p2"]]


def test_9_17_a_blocker_whose_bell_rings_was_attacked() -> None:
    belled = position({"p2.worn": ("Q08 tied=c09",)}, at={"C01": "map:3,3"})
    assert shaped_last(belled, "p1: attack C01 map:3,4", "pp").about("DEA-9.17") == [["C09"]]


def test_1_2_a_second_move_that_a_card_gives_is_permitted_by_name() -> None:
    twice = position(at={"C02": "map:2,2 moves_used=1"})
    assert shaped_last(twice, "p1: move C02 map:2,3").about("DEA-1.2") == [["C02"]]
    assert "DEA-1.2" not in shaped_last(position(), "p1: move C02 map:2,3")


def test_11_9_a_prohibition_that_comes_too_late_is_named() -> None:
    full = position({"p2.hand": ("G19",)}, seats={"p1": {"pages": 8}})
    late = shaped_last(full, "p1: convert_pages", "p2: play_event G19", "p1: pass", "p2: pass")
    assert late.about("DEA-11.9") == [["p1"]]
