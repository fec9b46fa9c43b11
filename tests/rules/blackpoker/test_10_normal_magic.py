"""Chapter 10: Destroy bulwark and Throwing."""

from tests.rules.blackpoker.position import PUBLISHED, SEED, position

BOARD = {
    "p1.hand": ("H8", "D3", "S2", "CK"),
    "p1.soldiers": ("u = D4",),
    "p1.bulwarks": ("own = C6",),
    "p2.bulwarks": ("w = C8",),
    "p2.life": ("x20",),
}


def test_10_1_keys_are_one_heart_and_one_diamond_in_any_order() -> None:
    position(BOARD).when("p1: destroy_bulwark D3,H8 w").then(stack=["destroy_bulwark"])
    position(BOARD).when("p1: destroy_bulwark S2,H8 w").refused_by("BP-5.8")


def test_10_2_the_target_is_a_bulwark() -> None:
    position(BOARD).when("p1: destroy_bulwark H8,D3 u").refused_by("BP-10.2")


def test_10_3_the_target_goes_to_its_owners_grave() -> None:
    for target, seat in (("w", "p2"), ("own", "p1")):
        went = position(BOARD).when(f"p1: destroy_bulwark H8,D3 {target}", "pp").emits("BP-10.3 move")
        went.then(places={f"{seat}.bulwarks": []})


def test_10_5_throwing_is_aimed_at_the_opponent() -> None:
    position(BOARD).when("p1: throwing S2,CK p1").refused_by("BP-10.5")


def test_10_6_the_suit_that_counts_is_an_option() -> None:
    for version, damage in ((SEED, 13), (PUBLISHED, 2)):
        thrown = position(BOARD, version=version).when("p1: throwing S2,CK p2", "pp").emits("BP-10.6 move")
        thrown.then(count={"p2.life": 20 - damage})
