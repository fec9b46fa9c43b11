"""Chapter 9: Up, Down, Twist, Counter, Search."""

from tests.rules.blackpoker.position import position

BOARD = {
    "p1.hand": ("H8", "S5", "D7", "C5", "C2", "JK"),
    "p1.soldiers": ("u = D3",),
    "p1.bulwarks": ("b = C6",),
    "p2.hand": ("C10", "C4", "CA", "D4", "D5"),
    "p2.soldiers": ("t = S9",),
    "p1.life": ("S2", "DA", "x10"),
}


def test_9_2_up_takes_a_soldier() -> None:
    position(BOARD).when("p1: up H8 C2 b").refused_by("BP-9.2")


def test_9_3_up_raises_the_size_and_lies_in_the_fog() -> None:
    grown = position(BOARD).when("p1: up H8 C2 t", "pp").emits("BP-9.3 move", "BP-9.3 began")
    grown.then(readings={"t size": 17}, places={"p1.fog": ["H8"], "p2.fog": []})


def test_9_5_down_takes_a_soldier() -> None:
    position(BOARD).when("p1: down S5 C2 b").refused_by("BP-9.5")


def test_9_6_down_lowers_the_size() -> None:
    position(BOARD).when("p1: down S5 C2 t", "pp").emits("BP-9.8 move", "BP-9.6 began").then(readings={"t size": 4})


def test_9_7_down_kills_what_it_leaves_without_size() -> None:
    killed = position(BOARD).when("p1: down S5 C2 u", "pp").emits("BP-9.7 move", "BP-6.5 move")
    killed.then(has={"p1.grave": ["D3", "S5", "C2"]}, places={"p1.fog": []})


def test_9_10_twist_takes_any_character_on_the_field() -> None:
    for target in ("u", "b", "t"):
        position(BOARD).when(f"p1: twist D7 C2 {target}").then(stack=["twist"])
    position(BOARD).when("p1: twist D7 C2 C5").refused_by("BP-5.9")


def test_9_11_the_controller_names_the_state() -> None:
    asked = position(BOARD).when("p1: twist D7 C2 t", "pp").emits("BP-9.11 push")
    asked.when("p1: choose_twist_state driven").emits("BP-9.11 stance").then(places={"p2.soldiers": ["S9 driven"]})
    asked.when('p1: choose_twist_state ""').refused_by("BP-9.11")


def test_9_11_the_request_can_be_made_to_name_the_state() -> None:
    early = position(BOARD, options={"twist.choose": "at_request"})
    early.when("p1: twist D7 C2 t").refused_by("BP-9.11")
    early.when("p1: twist D7 C2 t driven", "pp").emits("BP-9.11 stance").then(asked=[])


def test_9_13_counter_takes_requests_with_key_cards() -> None:
    position(BOARD).when("p1: attack", "p1: counter C5 C2 @attack").refused_by("BP-9.13")
    position(BOARD).when("p1: up H8 C2 u", "p1: counter C5 D7 @up").then(stack=["up", "counter"])


def test_9_13_own_requests_and_low_numbers_can_be_excluded() -> None:
    own = position(BOARD, options={"counter.own_requests": False}).when("p1: up H8 C2 u")
    own.when("p1: counter C5 D7 @up").refused_by("BP-9.13")
    weighed = position(BOARD, options={"counter.number_check": "at_request"}).when("p1: up H8 C2 u", "p1: pass")
    weighed.when("p2: counter C4 D4 @up").refused_by("BP-9.13")
    weighed.when("p2: counter C10 D4 @up").then(stack=["up", "counter"])


def test_9_14_a_number_that_suffices_nullifies() -> None:
    on_stage = position(BOARD).when("p1: up H8 C2 u", "p1: pass", "p2: counter C10 D4 @up", "p2: pass", "p1: pass")
    on_stage.emits("BP-9.14 pop", "BP-9.16 move", "BP-6.1 pop", "BP-6.5 move").then(stack=[])


def test_9_15_two_key_cards_are_nullified_by_any_number() -> None:
    board = {**BOARD, "p1.hand": ("S2", "CK")}
    lines = ("p1: throwing S2,CK p2", "p1: pass", "p2: counter CA D4 @throwing", "p2: pass", "p1: pass")
    position(board).when(*lines).emits("BP-9.15 pop", "BP-9.16 move")


def test_9_17_a_low_number_does_nothing() -> None:
    low = position(BOARD).when("p1: up H8 C2 u", "p1: pass", "p2: counter C4 D4 @up", "p2: pass", "p1: pass")
    low.then(stack=["up"], untold=["BP-9.14", "BP-9.16"]).when("pp").emits("BP-9.3 move")


def test_9_19_search_looks_through_the_own_life() -> None:
    asked = position(BOARD).when("p1: search JK").emits("BP-9.19 show", "BP-9.19 push")
    asked.when("p1: choose_search_card u").refused_by("BP-9.19")
    found = asked.when("p1: choose_search_card DA").emits("BP-9.19 move", "BP-9.19 show", "BP-9.20 push")
    found.then(views=[{"viewer": "p2", "place": "p1.hand", "count": 6, "cards": ["DA"]}])


def test_9_20_the_life_is_shuffled_afterwards() -> None:
    shuffled = position(BOARD).when("p1: search JK", "p1: choose_search_card DA", "chance")
    shuffled.emits("BP-9.20 order", "BP-6.5 move").then(awaited=["p1"], count={"p1.life": 11})
    shuffled.then(views=[{"viewer": "p1", "place": "p1.life", "count": 11, "cards": []}])
