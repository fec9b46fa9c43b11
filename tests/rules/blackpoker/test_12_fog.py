from typing import Any

from tests.rules.blackpoker.position import position

BOARD = {"p1.soldiers": ("u = H9",), "p1.fog": ("f = H8",), "p2.fog": ("g = S3",)}


def fogs(until: str = "turn") -> list[dict[str, Any]]:
    return [
        {"kind": "up", "by": "p1", "source": "f", "on": ["u"], "numbers": [8], "until": until, "since": 5},
        {"kind": "down", "by": "p2", "source": "g", "on": ["u"], "numbers": [-3], "until": until, "since": 5},
    ]


def test_12_3_the_card_lies_with_the_requests_controller() -> None:
    board = {"p1.hand": ("S2", "C2"), "p2.soldiers": ("t = H9",)}
    position(board).when("p1: down S2 C2 t", "pp").then(places={"p1.fog": ["S2"], "p2.fog": []})


def test_12_4_all_size_changes_stop_with_the_turn() -> None:
    ended = position(BOARD, effect=fogs()).then(readings={"u size": 14}).when("p1: end", "pp").emits("BP-12.4 ended")
    ended.then(readings={"u size": 9})


def test_12_4_they_can_be_made_to_last_with_the_card() -> None:
    lasting = position(BOARD, effect=fogs("card"), options={"fog.end_scope": "own_card_active"})
    lasting.when("p1: end", "pp").emits("BP-7.3 move", "BP-7.3 ended").then(readings={"u size": 6})


def test_12_5_a_fog_leaves_in_its_controllers_own_end() -> None:
    position(BOARD, effect=fogs()).when("p1: end", "pp").then(places={"p1.fog": [], "p2.fog": ["S3"]})


def test_12_6_a_fog_outlives_its_target() -> None:
    board = {**BOARD, "p2.hand": ("S10", "S9", "C2", "C3")}
    down = ("p1: pass", "p2: down S10 C2 u", "pp", "p1: pass", "p2: down S9 C3 u", "pp")
    position(board, effect=fogs()).when(*down).emits("BP-9.7 move").then(
        places={"p1.fog": ["H8"]}, has={"p2.fog": ["S3"]}
    )


def test_12_7_fogs_add_up() -> None:
    board = {**BOARD, "p1.hand": ("H2", "C2")}
    position(board, effect=fogs()).when("p1: up H2 C2 u", "pp").then(readings={"u size": 16})
