"""Chapter 8: summons and Equip."""

from tests.rows import for_each
from tests.rules.blackpoker.position import position

BOARD = {
    "p1.hand": ("S4", "DQ", "HA", "D7", "S5", "JK", "C2"),
    "p1.bulwarks": ("b1 = C6", "b2 = C7"),
    "p1.soldiers": ("u = D3", "v = C9"),
    "p2.soldiers": ("t = D10",),
    "p2.bulwarks": ("w = D8",),
}


def test_8_1_set_bulwark_takes_a_life_card_then_asks() -> None:
    position(BOARD).when("p1: set_bulwark").emits("BP-8.2 mark", "BP-5.4 move", "BP-4.12 push", "BP-8.3 push")


def test_8_2_set_bulwark_is_requested_once_a_turn() -> None:
    once = position(BOARD).when("p1: set_bulwark", "p1: choose_bulwark_card C2", "p1: set_bulwark").refused_by("BP-8.2")
    once.then(seats={"p1": {"bulwarks_set": 1}})


def test_8_3_a_card_of_the_hand_becomes_the_bulwark() -> None:
    asked = position(BOARD).when("p1: set_bulwark")
    asked.when("p1: choose_bulwark_card u").refused_by("BP-8.3")
    set_down = asked.when("p1: choose_bulwark_card C2").emits("BP-8.3 move", "BP-8.3 mark")
    set_down.then(places={"p1.bulwarks": ["C6", "C7", "C2 down charged entered=5"]})


@for_each(
    "line, clause, face",
    [
        ("summon_soldier S4 b1", "BP-8.5", "S4"),
        ("summon_hero DQ b1,b2", "BP-8.6", "DQ"),
        ("summon_ace HA", "BP-8.7", "HA"),
    ],
)
def test_8_5_a_summoned_key_enters_charged_and_face_up(line: str, clause: str, face: str) -> None:
    entered = position(BOARD).when(f"p1: {line}", "pp").emits(f"{clause} move", f"{clause} mark")
    entered.then(places={"p1.soldiers": ["D3", "C9", f"{face} up charged entered=5"]})


def test_8_6_a_hero_costs_two_bulwarks_and_a_life_card() -> None:
    position(BOARD).when("p1: summon_hero DQ b1").refused_by("BP-5.3")
    position(BOARD).when("p1: summon_hero DQ b1,b2").then(count={"p1.life": 11})


@for_each("target", ["v", "t", "b2", "w"])
def test_8_9_equip_takes_an_own_soldier_of_the_keys_suit(target: str) -> None:
    position(BOARD).when(f"p1: equip D7 b1 {target}").refused_by("BP-8.9")


def test_8_10_the_key_lies_on_its_target() -> None:
    armed = position(BOARD).when("p1: equip D7 b1 u", "pp").emits("BP-8.10 move", "BP-8.10 tie")
    armed.then(readings={"u size": 10, "u component": "armed_soldier"}, places={"stage": []})


def test_8_11_equipping_leaves_stance_and_arrival_alone_unless_the_options_say_so() -> None:
    board = {**BOARD, "p1.soldiers": ("u = D3 driven entered=2",)}
    line = "p1: equip D7 b1 u"
    plain = position(board).when(line, "pp").then(untold=["BP-8.11"])
    plain.then(places={"p1.soldiers": ["D3 driven entered=2", "+ D7"]})
    other = position(board, options={"equip.stance": "charge", "equip.arrival": "reset"}).when(line, "pp")
    other.emits("BP-8.11 mark", "BP-8.11 stance").then(places={"p1.soldiers": ["D3 charged entered=5", "+ D7"]})


def test_8_12_fogs_go_on_counting_on_an_equipped_soldier() -> None:
    fog = {"kind": "up", "by": "p1", "source": "f", "on": ["u"], "numbers": [8], "until": "turn", "since": 5}
    board = {**BOARD, "p1.fog": ("f = H8",)}
    position(board, effect=[fog]).when("p1: equip D7 b1 u", "pp").then(readings={"u size": 18})


def test_8_13_an_armed_soldier_is_equipped_again() -> None:
    board = {**BOARD, "p1.soldiers": ("u = D3", "+ D4")}
    position(board).when("p1: equip D7 b1 u", "pp").then(readings={"u size": 14})
