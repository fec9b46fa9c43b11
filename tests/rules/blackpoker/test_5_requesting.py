from tests.rows import for_each
from tests.rules.blackpoker.position import position

BOARD = {
    "p1.hand": ("S4", "DQ", "H8", "C2", "C3"),
    "p1.bulwarks": ("b1 = C6", "b2 = C7", "d = D6 driven"),
    "p1.soldiers": ("u = D3",),
    "p2.bulwarks": ("w = C8",),
    "p2.hand": ("SK",),
}


@for_each("named", ["-", "b1,b2", "d", "w"])
def test_5_3_exactly_as_many_own_charged_bulwarks_as_asked_for(named: str) -> None:
    position(BOARD).when(f"p1: summon_soldier S4 {named}").refused_by("BP-5.3")


def test_5_3_a_bulwark_that_pays_is_driven() -> None:
    paid = position(BOARD).when("p1: summon_soldier S4 b1").emits("BP-5.3 stance", "BP-5.4 move")
    paid.then(count={"p1.life": 11}, places={"p1.bulwarks": ["C6 driven", "C7 charged", "D6 driven"]})


def test_5_4_no_life_card_no_cost_l() -> None:
    position({**BOARD, "p1.life": ()}).when("p1: set_bulwark").refused_by("BP-5.4")


def test_5_4_the_last_card_can_be_kept_from_paying() -> None:
    one = {**BOARD, "p1.life": ("S2",)}
    position(one, options={"cost.last_life": "forbidden"}).when("p1: set_bulwark").refused_by("BP-5.4")
    position(one).when("p1: set_bulwark").emits("BP-5.4 move")


@for_each("named", ["-", "C2,C3", "p2:SK"])
def test_5_5_exactly_as_many_cards_of_the_own_hand_as_asked_for(named: str) -> None:
    position(BOARD).when(f"p1: up H8 {named} u").refused_by("BP-5.5")


def test_5_6_one_bulwark_or_card_pays_once() -> None:
    position(BOARD).when("p1: summon_hero DQ b1,b1").refused_by("BP-5.6")
    position(BOARD).when("p1: up H8 H8 u").refused_by("BP-5.6")


def test_5_7_key_cards_come_from_the_hand_and_lie_with_the_request() -> None:
    position({**BOARD, "p1.grave": ("g = HA up",)}).when("p1: up g C2 u").refused_by("BP-5.7")
    position(BOARD).when("p1: up H8 C2 u").emits("BP-5.5 move", "BP-5.7 move").then(places={"stage": ["H8"]})


@for_each(
    "line", ["up DQ C2 u", "up S4 C2 u", "summon_soldier DQ b1", "summon_hero S4 b1,b2", "up - C2 u", "up H8,S4 C2 u"]
)
def test_5_8_key_cards_match_in_number_suit_and_rank(line: str) -> None:
    position(BOARD).when(f"p1: {line}").refused_by("BP-5.8")


@for_each("line", ["up H8 C2 -", "up H8 C2 C3"])
def test_5_9_a_target_that_is_not_there_cannot_be_named(line: str) -> None:
    position(BOARD).when(f"p1: {line}").refused_by("BP-5.9")


def test_5_9_a_counter_needs_a_request_on_the_stage() -> None:
    position({**BOARD, "p1.hand": ("CA", "C2")}).when("p1: counter CA C2 -").refused_by("BP-5.9")


def test_5_10_a_request_cannot_be_its_own_target() -> None:
    position({**BOARD, "p1.hand": ("CA", "C2")}).when("p1: counter CA C2 @self").refused_by("BP-5.10")


def test_5_11_either_players_soldier_may_be_meant() -> None:
    board = {**BOARD, "p2.soldiers": ("t = H5",)}
    position(board).when("p1: up H8 C2 t", "pp").then(readings={"t size": 13})


def test_5_12_what_was_paid_is_never_given_back() -> None:
    board = {"p1.hand": ("H8", "C2"), "p1.soldiers": ("u = D3",), "p2.hand": ("C10", "D4")}
    up = position(board, frames=()).when("p1: up H8 C2 u", "p1: pass", "p2: counter C10 D4 @up", "p2: pass", "p1: pass")
    up.emits("BP-9.14 pop").then(has={"p1.grave": ["C2", "H8"], "p2.grave": ["C10", "D4"]}, stack=[])


def test_5_13_paying_the_last_life_is_no_win_check() -> None:
    board = {"p1.hand": ("HA",), "p1.life": ("S2",)}
    paid = position(board).when("p1: summon_ace HA").then(result={}, awaited=["p1"], stack=["summon_ace"])
    paid.when("pp").emits("BP-8.7 move", "BP-13.1 end").then(result={"winners": ["p2"], "clause": "BP-13.1"})


def test_5_13_under_immediate_loss_the_payment_ends_the_match() -> None:
    board = {"p1.hand": ("HA",), "p1.life": ("S2",)}
    lost = position(board, options={"cost.last_life": "immediate_loss"}).when("p1: summon_ace HA")
    lost.emits("BP-5.4 move", "BP-13.1 end").then(stack=[], places={"p1.hand": ["HA"]}, result={"winners": ["p2"]})


def test_5_14_opponent_is_read_from_the_requester() -> None:
    board = {"p2.hand": ("S2", "C5")}
    thrown = position(board, active="p2", awaited=["p2"]).when("p2: throwing S2,C5 p1", "pp")
    thrown.then(count={"p1.life": 7, "p2.life": 12})
