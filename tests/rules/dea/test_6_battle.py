"""Chapter 6: attacks interrupted by effects."""

from tests.rules.dea.position import event, pool_with, position

LAST_LINE = {"C01": "map:3,4", "C09": "map:1,4", "C08": "map:1,5"}
"""C01 may attack C06 on p1's last line, which has free cells."""


def test_9_6_an_attacker_whom_an_effect_has_put_on_the_last_line_arrives_when_the_battle_is_over() -> None:
    pushed = position({"p2.hand": ("G16",)}, at=LAST_LINE, options={"stack_resolution": "reopen"}).when(
        "p1: attack C01 map:3,5", "p2: play_event G16 targets=C01 direction=east", "pp"
    )
    pushed.then(places={"map:4,5": ["C01"]}, seats={"p1": {"ep": 0}}, stack=["attack"])
    pushed.when("pp").emits("DEA-6.29 alter", "DEA-9.3 mark").then(seats={"p1": {"ep": 1}}, places={"map:4,5": ["C01"]})


def test_11_8_an_attacker_whom_an_effect_has_put_elsewhere_is_not_swapped() -> None:
    pushed = position({"p1.hand": ("G09",), "p2.hand": ("G16",)}, at=LAST_LINE, options={"stack_resolution": "reopen"})
    pushed = pushed.when("p1: attack C01 map:3,5", "p2: play_event G16 targets=C01 direction=east", "pp", "p2: pass")
    pushed.when("p1: play_event G09 targets=C01,C02").refused_by("DEA-7.23")
    pushed.when("p1: play_event G09 targets=C03,C02")


def test_7_27_an_attacker_whom_an_effect_has_put_elsewhere_is_the_attacker_still() -> None:
    pushed = position({"p2.hand": ("G16",)}, at={"C04": "map:2,3"}, options={"stack_resolution": "reopen"})
    pushed = pushed.when("p1: attack C04 map:3,4", "p2: play_event G16 targets=C04 direction=east", "pp", "p2: pass")
    pushed.then(places={"map:4,4": ["C04"]}).when("p1: use_ability C04 feint").emits("DEA-7.24 mark", "DEA-7.2 push")


def test_8_10_an_attack_that_a_card_negates_comes_to_no_damage() -> None:
    stop = pool_with(event("G91", '{ do = "negate" }', 'choices = [{ choose = "item", kinds = ["attack"] }]'))
    board = position({"p2.hand": ("G91",)}, at={"C01": "map:3,3"}, options={"cards": stop})
    stopped = board.when("p1: attack C01 map:3,4", "p2: play_event G91 item=@attack", "pp")
    stopped.emits("DEA-8.10 alter", "DEA-8.10 move", "DEA-8.14 clock")
    stopped.then(places={"map:3,3": ["C01"], "map:3,4": ["C09"]}, seats={"p2": {"life": 22}}, step="open")
