"""Chapters 3, 4, 9 and 10: order of events, knowledge of them, and looking at books."""

from domain.games.skillbook import actions as A
from domain.table.table import CHANCE, Place
from tests.rows import for_each
from tests.rules.skillbook.position import BOOK, act, card, position

CURSED = {"p1.table": ["curse = S61 owner=p2 activated=1"], "p1.book": ["S18", *BOOK], "p2.book": ["S13", *BOOK]}


def test_10_22_a_curse_falls_when_all_that_its_price_sets_off_is_done() -> None:
    paid = position(places=CURSED).when("p1: dispel_curse curse")
    paid.then(places={"p2.graveyard": ["S13", "S61"]}, step="idle", awaited=["p1"], count={"p1.graveyard": 3})


def test_3_4_a_book_that_a_curse_empties_is_looked_at_where_only_quiet_tables_are() -> None:
    poor = {**CURSED, "p1.book": ["S21", "S21", "S21"]}
    position(places=poor, options={"book_out_check": "idle"}).when("p1: dispel_curse curse").then(
        result={"winners": ["p2"], "clause": "SB-3.4"}, places={"p2.graveyard": ["S61"]}
    )


def test_3_4_a_book_emptied_by_charging_is_looked_at_before_the_turn_end_effects() -> None:
    places = {"p1.book": ["S21"], "p2.table": ["S59 activated=1"]}
    board = position(
        places=places, phase="charge", step="choice", options={"book_out_check": "idle"}, heroes={"p2": "4,7 damage=9"}
    )
    board.when("p1: charge", CHANCE).then(result={"winners": ["p2"], "clause": "SB-3.4"})


def test_3_4_on_need_any_draw_from_an_empty_book_loses() -> None:
    places = {"p1.table": ["S40"], "p1.book": ["S21"]}
    board = position(places=places, terrains={"4,1": "spring up"}, options={"book_out_check": "on_need"})
    board.when("p1: use_skill S40").then(result={"winners": ["p2"], "clause": "SB-3.4"})


def test_4_16_in_the_window_of_a_turn_start_the_turn_players_triggers_come_first() -> None:
    board = position(
        {"4,3": "mole = S08 owner=p1"},
        terrains={"4,1": "plain up", "4,5": "T10"},
        places={"p1.hand": ["S34"], "p2.hand": ["S29"]},
        active="p2",
        phase="turn_start",
        step="window",
        awaited=["p2"],
        frames=[{"kind": "window", "by": "judge", "lane": "running", "words": ["turn_start"], "seats": ["p2"]}],
    )
    used = board.when("p2: pass", "p1: use_skill S34 targets=mole square=d5", "p2: pass")
    used.emits("SB-7.6 mark", "SB-9.7 move")


def test_9_7_what_falls_in_one_round_of_checks_falls_together() -> None:
    bound = {"bound": ["blade = S49 owner=p1 tied=lost"], "p1.graveyard": ["lost = S01"], "p1.hand": ["S27"]}
    board = position({"4,3": "crab = S13 owner=p1 damage=3"}, places=bound)
    board.when("p1: declare_move hero1").then(asked=["p1 order_graveyard"], count={"p1.graveyard": 3})


@for_each("held", ["p1", "p2"])
def test_10_9_of_two_units_of_one_player_that_are_swapped_the_first_named_arrives_first(held: str) -> None:
    units = {"3,2": f"crab = S13 owner={held}", "5,2": f"rat = S17 owner={held}"}
    terrains = {"4,1": "plain up", "3,2": f"forest owner={held}", "5,2": f"forest owner={held}"}
    board = position(units, terrains=terrains, places={"p1.hand": ["S35"]})
    swapped = board.when("p1: use_skill S35 targets=rat,crab")
    swapped.then(asked=[f"{held} choose_explore"], places={"unit:3,2": ["S17"], "unit:5,2": ["S13"]})
    assert swapped.scene.table.asked[0].places == (Place("ground:3,2"),)


def test_10_5_a_trump_that_came_back_from_the_board_is_known_to_everybody() -> None:
    board = position({"4,5": "crab = S13 owner=p2"}, heroes={"p1": "H04 4,3"}, places={"p1.hand": ["S37"]})
    back = board.when("p1: use_skill S37 targets=crab", "p2: pass", "p2: place_card crab to_hand")
    back.then(places={"p2.hand": ["S13"]}, knows={"p1": ["crab"], "spectator": ["crab"]})


def test_9_4_looking_takes_no_knowledge_away() -> None:
    units = {"4,3": "scout = S11 owner=p1"}
    board = position(units, terrains={"4,4": "low = T01 owner=- seen=p1,p2"})
    looked = board.when("p1: use_ability scout targets=low")
    assert looked.scene.table.pieces[card(board, "low")].seen == ("p1", "p2")


def test_10_16_room_is_made_with_a_card_of_ones_own_table() -> None:
    full = {"p1.table": ["S21", "S27", "S29", "hunger = S64 owner=p2 activated=1"], "p1.hand": ["banner = S57"]}
    board = position(heroes={"p1": "H03 4,1"}, places=full)
    asked = board.when("p1: use_skill S57").then(asked=["p1 make_room"])
    act(asked, "p1", A.MakeRoom(card(board, "hero1"))).refused_by("SB-10.16")
    act(asked, "p1", A.MakeRoom(card(board, "hunger"))).refused_by("SB-10.24")


def test_5_3_a_trigger_cannot_aim_beyond_its_range() -> None:
    units = {"4,4": "eel = S14 owner=p1 damage=2", "4,5": "crab = S13 owner=p2", "1,7": "rat = S17 owner=p2"}
    asked = (
        position(units, places={"p1.hand": ["S27"]}).when("p1: declare_move hero1").then(asked=["p1 choose_targets"])
    )
    act(asked, "p1", A.ChooseTargets((card(asked, "rat"),))).refused_by("SB-5.3")
