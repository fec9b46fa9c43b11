"""Chapter 4: turn, chance, stage."""

from tests.rules.blackpoker.position import position

UP = {"p1.hand": ("H8", "C2", "H9", "C3"), "p1.soldiers": ("u = D3",), "p2.hand": ("S3", "C5")}
REQUESTED = "p1: up H8 C2 u"


def test_4_2_whoever_does_not_hold_the_chance_waits() -> None:
    position(UP).when("p2: pass").refused_by("BP-4.2")
    position(UP).when("p2: down S3 C5 u").refused_by("BP-4.2")


def test_4_3_the_requester_goes_on_requesting() -> None:
    both = position(UP).when(REQUESTED, "p1: up H9 C3 u").then(stack=["up", "up"], awaited=["p1"])
    both.when("pp").then(stack=["up"], readings={"u size": 12})


def test_4_3_a_request_can_be_made_to_count_as_a_pass() -> None:
    moved = position(UP, options={"chance.after_request": "to_opponent"}).when(REQUESTED).emits("BP-4.3 clock")
    moved.then(awaited=["p2"], passed=["p1"]).when("p1: up H9 C3 u").refused_by("BP-4.2")


def test_4_4_main_actions_need_an_empty_stage_and_the_own_turn() -> None:
    position(UP).when(REQUESTED, "p1: end").refused_by("BP-4.4")
    position(UP).when("p1: pass", "p2: attack").refused_by("BP-4.4")


def test_4_5_quick_actions_need_the_chance_only() -> None:
    position(UP).when("p1: pass", "p2: down S3 C5 u").then(stack=["down"], awaited=["p2"])


def test_4_6_a_request_empties_the_pass_record() -> None:
    position(UP).when("p1: pass", "p2: down S3 C5 u").emits("BP-4.6 clock").then(passed=[])


def test_4_7_a_pass_is_recorded_and_hands_the_chance_over() -> None:
    position(UP).when("p1: pass").emits("BP-4.7 clock").then(awaited=["p2"], passed=["p1"])


def test_4_8_both_passed_and_the_newest_request_resolves() -> None:
    answered = position(UP).when(REQUESTED, "p1: pass", "p2: down S3 C5 u", "p2: pass", "p1: pass")
    answered.emits("BP-4.8 clock", "BP-4.11 alter").then(stack=["up"], has={"p1.grave": ["D3"]})


def test_4_9_after_a_resolution_the_turn_player_holds_the_chance() -> None:
    answered = position(UP).when("p1: pass", "p2: down S3 C5 u", "pp").emits("BP-4.9 clock")
    answered.then(awaited=["p1"], passed=[])


def test_4_9_the_pass_record_can_be_kept() -> None:
    kept = position(UP, options={"pass_record.reset": "on_request_only"})
    two = kept.when(REQUESTED, "p1: pass", "p2: down S3 C5 u", "p2: pass", "p1: pass").then(stack=["up"])
    two.when("p1: pass").then(stack=[])


def test_4_10_two_passes_on_an_empty_stage_resolve_nothing() -> None:
    position(UP).when("pp").emits("BP-4.10 clock").then(awaited=["p1"], passed=[], turn=5)


def test_4_12_an_immediate_request_never_enters_the_stage() -> None:
    placing = (
        position(UP).when("p1: set_bulwark").emits("BP-4.12 push").then(stack=[], asked=["p1 choose_bulwark_card"])
    )
    placing.when("p1: choose_bulwark_card C2").then(awaited=["p1"], stack=[])


def test_4_14_triggered_actions_request_themselves() -> None:
    for verb in ("charge", "draw", "block", "damage_judge", "next_generation"):
        position(UP).when(f"p1: request_{verb}").refused_by("BP-4.14")


def test_4_15_only_the_open_choice_may_be_answered_and_only_by_the_asked() -> None:
    asked = position(UP).when("p1: attack", "pp").then(asked=["p1 designate_attackers"])
    for line in ("p1: pass", "p2: down S3 C5 u", "p2: designate_attackers -"):
        asked.when(line).refused_by("BP-4.15")
    asked.when("p2: concede").then(result={"winners": ["p1"]})


def test_4_15_another_answer_than_the_one_asked_for_is_refused() -> None:
    position(UP).when("p1: attack", "pp").when("p1: choose_twist_state driven").refused_by("BP-4.15")


def test_4_15_nobody_acts_while_chance_is_awaited() -> None:
    asked = position({"p1.hand": ("JK",), "p1.life": ("S9", "x11")}).when("p1: search JK", "p1: choose_search_card S9")
    asked.then(asked=["chance shuffle_life"], awaited=["chance"])
    asked.when("p1: pass").refused_by("BP-4.15")
    asked.when("p2: pass").refused_by("BP-4.15")


def test_4_16_the_limits_start_anew_with_the_next_turn() -> None:
    used = position({"p1.hand": ("C2",)}, seats={"p1": {"attacks": 1, "bulwarks_set": 1}})
    used.when("p1: attack").refused_by("BP-7.11")
    used.when("p1: end", "pp").emits("BP-4.16 mark", "BP-4.16 mark").then(
        seats={"p1": {"attacks": 0, "bulwarks_set": 0}}
    )


def test_4_17_a_choice_nobody_asked_for_cannot_be_answered() -> None:
    for line in ("p2: designate_blockers -", "p1: choose_twist_state charged", "p1: choose_second_draw yes"):
        position(UP).when(line).refused_by("BP-4.17")


def test_4_18_an_outcome_must_be_asked_for_and_possible() -> None:
    board = {"p1.hand": ("JK",), "p1.life": ("S9", "S2", "S3")}
    position(board).when("chance: coin_toss p1").refused_by("BP-4.18")
    asked = position(board).when("p1: search JK", "p1: choose_search_card S9")
    for order in ("p1:S2", "p1:S2,p1:S2", "p1:S2,p1:S3,p1:S9"):
        asked.when(f"chance: shuffle_life p1 {order}").refused_by("BP-4.18")
    asked.when("chance: coin_toss p2").refused_by("BP-4.18")
    asked.when("p1: shuffle_life p1 p1:S3,p1:S2").refused_by("BP-4.18")
    asked.when("chance: shuffle_life p1 p1:S3,p1:S2").emits("BP-9.20 order").then(places={"p1.life": ["S3", "S2"]})
