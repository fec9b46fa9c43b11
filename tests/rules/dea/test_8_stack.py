"""Chapter 8: the fate of a choice while items are processed."""

from tests.rules.dea.position import position


def test_8_12_a_wearer_who_has_left_the_home_area_is_no_wearer_where_it_must_stand_there() -> None:
    hands = {"p1.hand": ("Q01",), "p2.hand": ("G16",)}
    lines = ("p1: play_equipment Q01 C01", "p2: play_event G16 targets=C01 direction=north", "pp")
    failed = position(hands, options={"equip_scope": "home_area"}).when(*lines)
    failed.emits("DEA-8.12 pop", "DEA-8.13 move").then(places={"p1.sleeve": ["Q01"], "p1.worn": []})
    position(hands).when(*lines).then(count={"p1.worn": 1, "p1.sleeve": 0})


def test_8_12_the_only_other_cell_is_taken_without_asking() -> None:
    corner = {"C08": "map:1,5", "C07": "map:2,5", "C01": "map:1,3"}
    board = position({"p1.hand": ("G16",)}, at=corner, active="p2")
    declared = board.when("p2: use_ability C08 wind_up cell=map:1,4")
    taken = declared.when("p1: play_event G16 targets=C01 direction=north", "pp")
    taken.then(asked=[], places={"map:1,4": ["C01"], "map:2,4": ["T01"]}, step="open")


def test_8_12_of_two_other_cells_one_is_chosen() -> None:
    corner = {"C08": "map:1,5", "C07": "map:3,4", "C09": "map:4,4", "C01": "map:1,3"}
    board = position({"p1.hand": ("G16",)}, at=corner, active="p2")
    declared = board.when("p2: use_ability C08 wind_up cell=map:1,4")
    asked = declared.when("p1: play_event G16 targets=C01 direction=north", "pp").then(asked=["p2 choose_cell"])
    asked.when("p2: choose_cell map:2,5").then(places={"map:2,5": ["T01"]})


def test_8_17_the_only_target_of_a_foreshadow_opened_by_an_effect_is_taken_without_asking() -> None:
    trap = {"C03": "-", "C15": "map:3,1"}
    board = position({"p2.worn": ("Q02 tied=c09",)}, at=trap, foreshadows={"p1": ("F01", "F12", "F10")})
    burnt = board.when("p1: use_ability C15 tripwire targets=F12", "pp")
    burnt.then(asked=[], places={"p2.sleeve": ["Q02"], "p1.foreshadow:2": ["F12 up"]}, step="open")
    board.when("p1: use_ability C15 tripwire targets=F10", "pp").then(asked=["p1 choose_targets"])
