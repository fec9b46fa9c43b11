"""Clauses that affect an outcome without a fact are named. Each test has the number of its clause."""

from tests.explanations import shaped_last
from tests.rules.blackpoker.position import ATTACK, position

DUEL = {
    "p1.hand": ("H8", "C2", "C3"),
    "p1.soldiers": ("u = D3",),
    "p2.hand": ("S3", "C10", "C5", "D4"),
    "p2.soldiers": ("s = S4",),
}
THROWN = {"p1.hand": ("S2", "CK"), "p2.hand": ("CA", "D4")}


def test_6_2_a_request_whose_target_is_gone_is_named_with_it() -> None:
    lines = ("p1: up H8 C2 u", "p1: pass", "p2: down S3 C5 u", "p2: pass", "p1: pass", "pp")
    gone = shaped_last(position(DUEL), *lines)
    ((frame, action, key, target),) = gone.about("BP-6.2")
    assert (frame[0], action, key) == ("r", "up", "H8")
    assert target.startswith("u") and target[1:].isdecimal(), "a thing that is gone has no face any more"


def test_6_2_nothing_is_named_where_the_target_is_there() -> None:
    assert "BP-6.2" not in shaped_last(position(DUEL), "p1: up H8 C2 u", "pp")


def test_6_2_a_counter_whose_target_is_gone_is_named() -> None:
    board = {"p1.hand": ("H8", "C2", "CA", "D6"), "p1.soldiers": ("u = D3",), "p2.hand": ("C10", "D4")}
    lines = ("p1: up H8 C2 u", "p1: counter CA D6 @up", "p1: pass", "p2: counter C10 D4 @up", "p2: pass", "p1: pass")
    ((_, action, key, target),) = shaped_last(position(board), *lines, "pp").about("BP-6.2")
    assert (action, key, target[0]) == ("counter", "CA", "r")


def test_6_3_what_is_skipped_is_named() -> None:
    ((_, action, seat),) = shaped_last(position({"p1.hand": ()}), "p1: set_bulwark").about("BP-6.3")
    assert (action, seat) == ("set_bulwark", "p1")


def test_6_6_a_nullified_request_and_its_cost_are_named() -> None:
    nullified = shaped_last(
        position(THROWN), "p1: throwing S2,CK p2", "p1: pass", "p2: counter CA D4 @throwing", "p2: pass", "p1: pass"
    )
    assert [names[1:] for names in nullified.about("BP-6.6")] == [["throwing", "S2", "CK"]]
    assert nullified.about("BP-5.12") == [["p1"]]


def test_6_16_damage_beyond_the_life_is_named() -> None:
    over = shaped_last(position({**THROWN, "p2.life": ("x1",)}), "p1: throwing S2,CK p2", "pp")
    assert over.about("BP-6.16") == [["p2", "13"]]


def test_7_39_cards_that_call_nothing_up_are_named() -> None:
    board = {"p1.hand": ("H8", "DJ"), "p2.bulwarks": ("w = C8",)}
    assert shaped_last(position(board), "p1: destroy_bulwark H8,DJ w", "pp").about("BP-7.39") == [["DJ"]]


def test_7_40_a_block_with_nobody_to_block_is_named() -> None:
    board = {"p1.soldiers": ("a = S4",), "p2.hand": ("S5", "C5")}
    lines = ("p1: attack", "pp", "p1: designate_attackers a", "p1: pass", "p2: down S5 C5 a", "p2: pass", "p1: pass")
    assert len(shaped_last(position(board), *lines, "pp").about("BP-7.40")) == 1


def test_9_17_a_counter_that_is_too_low_is_named_with_both_numbers() -> None:
    board = {"p1.hand": ("H8", "C2"), "p1.soldiers": ("u = D3",), "p2.hand": ("C5", "D4")}
    low = shaped_last(position(board), "p1: up H8 C2 u", "p1: pass", "p2: counter C5 D4 @up", "p2: pass", "p1: pass")
    ((_, counter, mine, _, aimed, theirs, *numbers),) = low.about("BP-9.17")
    assert (counter, mine, aimed, theirs, numbers) == ("counter", "C5", "up", "H8", ["5", "8"])


def test_11_7_a_size_is_named_layer_by_layer() -> None:
    board = {"p1.hand": ("H3", "C2"), "p2.hand": ("S2", "C5"), "p1.soldiers": ("a = D5",), "p2.soldiers": ("s = S4",)}
    lines = ("p1: up H3 C2 a", "pp", "p1: pass", "p2: down S2 C5 a", "pp")
    fight = shaped_last(position(board), *lines, *ATTACK, "p2: designate_blockers s>a", "pp")
    assert fight.layers("BP-11.7") == [(6, [("BP-1.3", 5), ("BP-12.1", 3), ("BP-12.2", -2)])]
    assert fight.about("BP-12.7") == [["D5"]]


def test_11_7_a_size_of_one_layer_is_not_named() -> None:
    board = {"p1.soldiers": ("a = D5",), "p2.soldiers": ("s = S4",)}
    assert "BP-11.7" not in shaped_last(position(board), *ATTACK, "p2: designate_blockers s>a", "pp")


def test_11_8_a_soldier_without_a_size_that_stays_is_named() -> None:
    board = {"p1.hand": ("H3", "C2"), "p2.hand": ("S6", "C5"), "p1.soldiers": ("a = D5",)}
    lines = ("p1: up H3 C2 a", "pp", "p1: pass", "p2: down S6 C5 a", "pp", "p1: end", "pp")
    assert shaped_last(position(board), *lines).about("BP-11.8") == [["D5"]]


def test_12_5_a_fog_that_an_end_leaves_is_named() -> None:
    board = {"p1.hand": (), "p2.hand": ("H3", "C5"), "p2.soldiers": ("a = D5",)}
    lines = ("p1: pass", "p2: up H3 C5 a", "pp", "p1: end", "pp")
    assert shaped_last(position(board), *lines).about("BP-12.5") == [["H3"]]


def test_7_14_a_refused_attacker_is_answered_by_the_clause_that_fails_alone() -> None:
    refused = shaped_last(
        position({"p1.soldiers": ("a = D5 driven",)}), "p1: attack", "pp", "p1: designate_attackers a"
    )
    assert refused == {}


def test_11_4_haste_that_lets_attack_is_named() -> None:
    board = {"p1.hand": ("SA",), "p1.bulwarks": ()}
    lines = ("p1: summon_ace SA", "pp", "p1: attack", "pp", "p1: designate_attackers SA")
    assert shaped_last(position(board), *lines).about("BP-11.4") == [["SA"]]


def test_7_20_the_soldiers_that_share_an_attacker_are_named() -> None:
    board = position({"p1.soldiers": ("a = H9", "ace = SA"), "p2.soldiers": ("S5", "C5", "D5")})
    designate = (*ATTACK[:2], "p1: designate_attackers a,ace", "pp")
    shared = shaped_last(board, *designate, "p2: designate_blockers S5>a,C5>a,D5>ace")
    assert shared.about("BP-7.20") == [["H9", "S5", "C5"]]
    assert "BP-7.20" not in shaped_last(board, *designate, "p2: designate_blockers S5>a,C5>ace")
