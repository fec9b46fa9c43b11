from domain.table.facts import Arranged
from tests.rules.blackpoker.position import FULL, P1, P2, faces, laid_out

TOPS = {P1: "H10 S2 C5 DA S4 H8 D7 C6 D3 HJ S5", P2: "S3 HA C10 DQ S5 H9 D10 SA C6 H8"}
TIED = {P1: "H10 S2 C5 DA S4 H8 D7 C6 D3 S5 HA", P2: "S3 HA C10 SA S4 H9 D10 D7 C6 C5 DQ"}


def test_3_1_each_deck_is_shuffled_by_chance() -> None:
    _, told = laid_out(TOPS)
    shuffles = [fact for clause, fact in told if clause == "BP-3.1" and isinstance(fact, Arranged)]
    assert [fact.place for fact in shuffles] == ["p1.life", "p2.life"] and all(fact.shuffled for fact in shuffles)


def test_3_3_hands_of_seven_then_bulwark_then_soldier() -> None:
    table, told = laid_out(TOPS)
    assert faces(table, "p2.hand") == TOPS[P2].split()[:7]
    assert faces(table, "p1.bulwarks") == ["C6"] and faces(table, "p1.soldiers") == ["D3"]
    (bulwark,), (soldier,) = table.places["p1.bulwarks"], table.places["p1.soldiers"]  # type: ignore[index]
    assert not table.pieces[bulwark].up and table.pieces[soldier].up
    assert table.pieces[bulwark].stance == table.pieces[soldier].stance == 0
    assert [str(clause) for clause, _ in told].count("BP-3.3") == 2


def test_3_6_a_joker_is_no_soldier_and_the_next_card_is_tried() -> None:
    tops = {P1: "S2 S3 S4 S5 S6 S7 S8 S9 JK JK D3 HK", P2: "H2 H3 H4 H5 H6 H7 H8 H9 D4 HQ"}
    table, told = laid_out(tops, FULL)
    assert faces(table, "p1.soldiers") == ["D3"] and faces(table, "p1.grave") == ["JK", "JK", "HK"]
    assert [str(clause) for clause, _ in told].count("BP-3.6") == 2 and table.result is None


def test_3_8_equal_numbers_are_compared_again() -> None:
    table, told = laid_out(TIED)
    assert table.clock.first == P2, "a queen beats an ace"
    assert {"BP-3.7", "BP-3.8", "BP-3.9"} <= {clause for clause, _ in told}
    assert table.asked[0].by == P2, "the first player is asked first for a grave's top"


def test_3_10_the_first_player_draws_one_and_holds_the_first_turn() -> None:
    table, told = laid_out(TOPS)
    clauses = [str(clause) for clause, _ in told]
    assert clauses.count("BP-3.10") == 1 and clauses[-1] == "BP-3.11"
    assert (len(faces(table, "p1.hand")), len(faces(table, "p2.hand"))) == (8, 7)
    assert (table.clock.turn, table.clock.active, table.clock.awaited) == (1, P1, (P1,))


def test_3_12_no_charge_and_no_draw_before_the_first_turn() -> None:
    table, told = laid_out(TOPS)
    assert table.stack == () and table.waiting == ()
    assert {"BP-7.5", "BP-7.7", "BP-7.8"}.isdisjoint(clause for clause, _ in told)


def test_3_13_nothing_triggers_during_set_up() -> None:
    tops = {P1: "S2 S3 S4 S5 S6 S7 S8 S9 JK D3 HK", P2: "H2 H3 H4 H5 H6 H7 H8 H9 D4 HQ"}
    _, told = laid_out(tops, FULL)
    assert {"BP-7.36", "BP-13.1"}.isdisjoint(clause for clause, _ in told)
