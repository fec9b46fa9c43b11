"""Chapter 7: End, Draw, Attack, Block, Damage judge, Next generation."""

from tests.rows import for_each
from tests.rules.blackpoker.position import ATTACK, position

NINE = {"p1.hand": ("S2", "S3", "S4", "S5", "S6", "S7", "S8", "C9", "D9")}
LINE = {
    "p1.soldiers": ("a = H9", "new = S4 entered=5", "ace = SA entered=5", "tired = D4 driven"),
    "p1.bulwarks": ("own = C6",),
    "p2.soldiers": ("s1 = S5", "s2 = C5", "tired2 = C7 driven"),
    "p2.bulwarks": ("w1 = D8", "w2 = C8"),
}


def test_7_2_exactly_the_surplus_is_discarded() -> None:
    asked = position(NINE).when("p1: end", "pp").emits("BP-7.2 push").then(asked=["p1 choose_discards"])
    for cards in ("S2", "S2,S3,S4", "S2,S2", "-"):
        asked.when(f"p1: choose_discards {cards}").refused_by("BP-7.2")
    asked.when("p1: choose_discards S2,C9").emits("BP-7.2 move").then(count={"p1.hand": 7})


def test_7_2_the_limit_is_a_number_of_the_ruleset() -> None:
    position(NINE, options={"hand.limit": 9}).when("p1: end", "pp").then(asked=[], turn=6)


def test_7_3_end_clears_the_own_fog_only_unless_the_option_says_all() -> None:
    fogs = {"p1.fog": ("H8",), "p2.fog": ("S3",)}
    position(fogs).when("p1: end", "pp").emits("BP-7.3 move").then(places={"p1.fog": [], "p2.fog": ["S3"]})
    position(fogs, options={"fog.end_scope": "all"}).when("p1: end", "pp").then(places={"p1.fog": [], "p2.fog": []})


def test_7_4_the_turn_passes_then_charge_then_draw() -> None:
    ended = position(LINE).when("p1: end", "pp")
    ended.emits("BP-7.4 clock", "BP-6.1 pop", "BP-7.5 push", "BP-7.6 stance", "BP-7.7 push", "BP-6.11 alter")
    ended.then(turn=6, active="p2", awaited=["p2"], stack=["draw"])


def test_7_6_charge_stands_up_what_the_new_turn_player_has() -> None:
    ended = position(LINE).when("p1: end", "pp").then(places={"p2.soldiers": ["S5", "C5", "C7 charged"]})
    ended.then(has={"p1.soldiers": ["tired"]}, told=["BP-7.6 stance"])
    (card,) = (card for card, piece in ended.scene.table.pieces.items() if piece.face == "D4" and piece.owner == "p1")
    assert ended.scene.table.pieces[card].stance == 1


def test_7_8_one_card_is_drawn_and_a_second_may_be() -> None:
    drawing = position(active="p2", awaited=["p2"], frames=[{"lane": "stack", "kind": "draw", "by": "p2"}])
    asked = drawing.when("pp").emits("BP-7.8 move", "BP-7.9 push").then(asked=["p2 choose_second_draw"])
    asked.when("p2: choose_second_draw yes").emits("BP-7.9 move").then(count={"p2.hand": 2, "p2.life": 10})
    asked.when("p2: choose_second_draw no").then(count={"p2.hand": 1, "p2.life": 11})


def test_7_8_two_or_one_by_the_life_that_is_left() -> None:
    draw = [{"lane": "stack", "kind": "draw", "by": "p1"}]
    for life, drawn in ((3, 2), (2, 1)):
        went = position({"p1.life": (f"x{life}",)}, frames=draw, options={"draw.mode": "two_or_one"}).when("pp")
        went.then(asked=[], count={"p1.hand": drawn})


def test_7_9_a_second_card_needs_a_life_that_has_one() -> None:
    frames = [
        {"lane": "stack", "kind": "draw", "by": "p1", "step": "leave", "label": "d"},
        {"lane": "asked", "kind": "choose_second_draw", "by": "p1", "frames": ["d"]},
    ]
    position({"p1.life": ()}, frames=frames, awaited=[]).when("p1: choose_second_draw yes").refused_by("BP-7.9")


def test_7_11_attack_is_requested_once_a_turn() -> None:
    position(LINE).when("p1: attack", "pp", "p1: designate_attackers -", "p1: attack").refused_by("BP-7.11")
    twice = position(LINE, options={"attack.requests_per_turn": 2})
    twice.when("p1: attack", "pp", "p1: designate_attackers -", "p1: attack").then(stack=["attack"])


@for_each("named", ["own", "s1", "a,a"])
def test_7_12_attackers_are_own_soldiers_each_named_once(named: str) -> None:
    position(LINE).when("p1: attack", "pp", f"p1: designate_attackers {named}").refused_by("BP-7.12")


def test_7_13_attacker_must_be_charged() -> None:
    position(LINE).when("p1: attack", "pp", "p1: designate_attackers tired").refused_by("BP-7.13")


def test_7_14_nobody_needs_to_attack() -> None:
    none = position(LINE).when("p1: attack", "pp", "p1: designate_attackers -")
    none.then(stack=[], awaited=["p1"], untold=["BP-7.17"])


def test_7_14_an_empty_attack_can_be_forbidden() -> None:
    strict = {"attack.empty": "illegal"}
    position({"p1.soldiers": ("D4 driven",)}, options=strict).when("p1: attack").refused_by("BP-7.14")
    position(LINE, options=strict).when("p1: attack", "pp", "p1: designate_attackers -").refused_by("BP-7.14")


def test_7_15_newcomers_wait_unless_they_have_haste() -> None:
    asked = position(LINE).when("p1: attack", "pp")
    asked.when("p1: designate_attackers new").refused_by("BP-7.15")
    asked.when("p1: designate_attackers ace").emits("BP-7.16 stance")


def test_7_15_the_preset_soldier_can_be_kept_home_in_turn_one() -> None:
    preset = {"p1.soldiers": ("s = D3 entered=0",)}
    attack = ("p1: attack", "pp", "p1: designate_attackers s")
    position(preset, turn=1).when(*attack).emits("BP-7.16 stance")
    position(preset, turn=1, options={"preset.soldier_can_attack_turn1": False}).when(*attack).refused_by("BP-7.15")


def test_7_16_attackers_are_driven_and_block_is_staged() -> None:
    named = position(LINE).when("p1: attack", "pp", "p1: designate_attackers a,ace")
    named.emits("BP-7.16 stance", "BP-7.12 push", "BP-7.17 push").then(stack=["block"], awaited=["p1"])


@for_each("pairs", ["a>a", "s1>new", "own>a", "s1>s2"])
def test_7_18_own_characters_block_those_who_attack(pairs: str) -> None:
    position(LINE).when(*ATTACK, f"p2: designate_blockers {pairs}").refused_by("BP-7.18")


def test_7_18_blocking_can_be_made_a_duty() -> None:
    duty = position(LINE, options={"block.mandatory": True}).when(*ATTACK)
    duty.when("p2: designate_blockers -").refused_by("BP-7.18")
    duty.when("p2: designate_blockers s1>a").emits("BP-7.18 alter")


def test_7_20_several_soldiers_may_block_one() -> None:
    position(LINE).when(*ATTACK, "p2: designate_blockers s1>a,s2>a").then(stack=["damage_judge"])


@for_each("pairs", ["s1>a,w1>a", "w1>a,w2>a"])
def test_7_21_a_bulwark_blocks_alone(pairs: str) -> None:
    position(LINE).when(*ATTACK, f"p2: designate_blockers {pairs}").refused_by("BP-7.21")
    mixed = position(LINE, options={"block.mixed": True}).when(*ATTACK, f"p2: designate_blockers {pairs}")
    mixed.then(stack=["damage_judge"])


def test_7_22_blocker_must_be_charged() -> None:
    position(LINE).when(*ATTACK, "p2: designate_blockers tired2>a").refused_by("BP-7.22")


def test_7_23_a_character_blocks_one_attacker() -> None:
    two = (*ATTACK[:2], "p1: designate_attackers a,ace", "pp", "p2: designate_blockers s1>a,s1>ace")
    position(LINE).when(*two).refused_by("BP-7.23")
    position(LINE, options={"block.exclusive": False}).when(*two).then(stack=["damage_judge"])


def test_7_24_blocking_does_not_drive() -> None:
    position(LINE).when(*ATTACK, "p2: designate_blockers s1>a").then(untold=["stance"])


def test_7_26_the_smaller_side_dies() -> None:
    judged = position(LINE).when(*ATTACK, "p2: designate_blockers s1>a", "pp").emits("BP-7.26 move")
    judged.then(has={"p2.grave": ["S5"], "p1.soldiers": ["a"]}, count={"p2.life": 12})


def test_7_27_equals_die_together() -> None:
    board = {"p1.soldiers": ("a = H5",), "p2.soldiers": ("s = S5",)}
    judged = position(board).when(*ATTACK, "p2: designate_blockers s>a", "pp").emits("BP-7.27 move", "BP-7.27 move")
    judged.then(has={"p1.grave": ["H5"], "p2.grave": ["S5"]})


def test_7_28_several_blockers_add_up() -> None:
    judged = position(LINE).when(*ATTACK, "p2: designate_blockers s1>a,s2>a", "pp").emits("BP-7.28 move")
    judged.then(has={"p1.grave": ["H9"], "p2.soldiers": ["s1", "s2"]})


def test_7_29_a_blocking_bulwark_is_turned_up_and_dies() -> None:
    judged = position(LINE).when(*ATTACK, "p2: designate_blockers w1>a", "pp")
    judged.emits("BP-7.29 turn", "BP-7.32 move").then(has={"p1.soldiers": ["a"], "p2.grave": ["D8"]})


def test_7_30_a_joker_takes_the_attacker_along() -> None:
    board = {"p1.soldiers": ("a = H9",), "p2.bulwarks": ("w = JK",), "p2.life": ("HA", "x11")}
    position(board).when(*ATTACK, "p2: designate_blockers w>a", "pp").emits("BP-7.30 move").then(
        has={"p1.grave": ["H9"]}
    )


def test_7_31_a_matching_number_takes_the_attacker_along() -> None:
    board = {"p1.soldiers": ("a = D3", "+ D10"), "p2.bulwarks": ("w = S3",)}
    judged = position(board).when(*ATTACK, "p2: designate_blockers w>a", "pp").emits("BP-7.31 move", "BP-7.32 move")
    judged.then(has={"p1.grave": ["D3", "D10"]})


def test_7_33_an_unblocked_attacker_deals_its_size() -> None:
    judged = position(LINE).when(*ATTACK, "p2: designate_blockers -", "pp").emits("BP-7.33 move")
    judged.then(count={"p2.life": 3})


def test_7_33_under_at_step3_whoever_got_rid_of_its_blocker_deals_too() -> None:
    free = position(LINE, options={"judge.unblocked_snapshot": "at_step3"})
    free.when(*ATTACK, "p2: designate_blockers s1>a", "pp").emits("BP-7.26 move", "BP-7.33 move")


def test_7_35_the_roles_end_with_damage_judge() -> None:
    judged = position(LINE).when(*ATTACK, "p2: designate_blockers s1>a", "pp").emits("BP-7.35 pop")
    assert judged.scene.table.running == ()


def test_7_36_next_generation_mills_to_the_next_one() -> None:
    board = {"p1.hand": ("H8", "D3"), "p2.bulwarks": ("w = CK",), "p2.life": ("C5", "S3", "DA", "x9")}
    found = position(board).when("p1: destroy_bulwark H8,D3 w", "pp").emits("BP-10.3 move", "BP-7.36 push")
    found.when("p1: choose_grave_top H8").emits("BP-7.37 move", "BP-7.37 move").then(
        places={"p2.hand": ["DA"]}, has={"p2.grave": ["C5", "S3", "CK"]}
    )


def test_7_38_a_life_without_one_is_lost_whole() -> None:
    board = {"p1.hand": ("S10", "C2"), "p2.soldiers": ("t = DA",), "p2.life": ("C5", "S3")}
    lost = position(board).when("p1: down S10 C2 t", "pp").emits("BP-9.7 move", "BP-7.38 move", "BP-13.1 end")
    lost.then(result={"winners": ["p1"]}, count={"p2.hand": 0})


def test_7_39_only_the_field_calls_up_a_next_generation() -> None:
    board = {"p1.hand": ("S2", "CK"), "p2.life": ("HA", "HJ", "x18")}
    position(board).when("p1: throwing S2,CK p2", "pp").then(untold=["BP-7.36"])


def test_7_40_without_an_attacker_left_nobody_is_asked() -> None:
    board = {"p1.soldiers": ("a = D3",), "p2.hand": ("S3", "C5")}
    gone = position(board).when(*ATTACK[:3], "p1: pass", "p2: down S3 C5 a", "p2: pass", "p1: pass", "pp")
    gone.then(asked=[], stack=["damage_judge"]).when("pp").then(stack=[], awaited=["p1"])


def test_7_41_combats_of_one_step_happen_together() -> None:
    board = {"p1.soldiers": ("a = H5", "b = H6"), "p2.soldiers": ("s = S5", "t = S6")}
    lines = ("p1: attack", "pp", "p1: designate_attackers a,b", "pp", "p2: designate_blockers s>a,t>b", "pp")
    position(board).when(*lines).then(asked=["p1 choose_grave_top", "p2 choose_grave_top"], untold=["BP-7.33"])
