from domain.games.blackpoker.cards import decks
from tests.rules.blackpoker.position import ENTRY, FULL, deck_refused, position

FIGHTERS = {"p1.hand": ("S2", "CK"), "p1.soldiers": ("a = H9",), "p1.bulwarks": ("b = C6",)}


def test_1_2_a_card_twice_or_a_third_joker_is_refused() -> None:
    pack = list(decks()[FULL])
    assert deck_refused([*pack, "S5"], FULL) == "BP-1.2"
    assert deck_refused([*pack, "JK"], FULL) == "BP-1.2"
    assert deck_refused(pack, FULL) is None


def test_1_3_a_king_counts_thirteen_a_joker_nothing() -> None:
    position({"p1.hand": ("S2", "CK"), "p2.life": ("x20",)}).when("p1: throwing S2,CK p2", "pp").then(
        count={"p2.life": 7}
    )
    position({"p1.bulwarks": ("b = JK",), "p1.soldiers": ("a = H9",)}).then(readings={"a size": 9})


def test_1_5_a_deck_that_is_not_the_list_is_refused() -> None:
    listed = list(decks()[ENTRY])
    assert deck_refused([*listed[:-1], "H7"], ENTRY) == "BP-1.5"
    assert deck_refused(listed[:-1], ENTRY) == "BP-1.5"
    assert deck_refused(listed[::-1], ENTRY) is None


def test_1_6_cards_go_to_their_owners_grave_whoever_sends_them() -> None:
    board = {"p1.hand": ("S8", "C2"), "p2.soldiers": ("t = D3",)}
    position(board).when("p1: down S8 C2 t", "pp").then(has={"p2.grave": ["D3"], "p1.grave": ["S8", "C2"]})


def test_1_7_an_attack_names_no_attackers_unless_the_option_says_so() -> None:
    position(FIGHTERS).when("p1: attack a").refused_by("BP-1.7")
    position(FIGHTERS, options={"attack.designate": "at_request"}).when("p1: attack a").emits("BP-7.16 stance")


def test_1_7_a_twist_names_no_state_unless_the_option_says_so() -> None:
    board = {"p1.hand": ("D7", "C2"), "p1.soldiers": ("a = H9",)}
    position(board).when("p1: twist D7 C2 a driven").refused_by("BP-1.7")


def test_1_9_actions_of_other_formats_are_refused() -> None:
    for verb in ("kill", "quick_summon", "reanimate"):
        position().when(f"p1: request_{verb}").refused_by("BP-1.9")


def test_1_10_the_test_frame_takes_the_whole_pack() -> None:
    pack = list(decks()[FULL])
    assert deck_refused(pack[:-1], FULL) == "BP-1.10"
    assert deck_refused(decks()[ENTRY], FULL) == "BP-1.10"
