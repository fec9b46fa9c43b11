"""Chapter 2: zones and disclosure."""

from tests.rules.blackpoker.position import ATTACK, position

HIT = {"p1.soldiers": ("a = S3",), "p2.life": ("C5", "S4", "D9", "x9"), "p2.grave": ("old = H2 up",)}
THROUGH = (*ATTACK, "p2: designate_blockers -", "pp")


def test_2_3_only_the_top_of_a_grave_is_seen_by_others() -> None:
    seen = position(HIT).when(*THROUGH, "p2: choose_grave_top S4")
    seen.then(views=[{"viewer": "p1", "place": "p2.grave", "cards": ["S4"]}])
    seen.then(views=[{"viewer": "p2", "place": "p2.grave", "cards": ["H2", "C5", "D9", "S4"]}])


def test_2_4_a_shown_card_is_unknown_again_after_a_card_left_the_hand_unseen() -> None:
    board = {"p1.hand": ("shown = H9 seen=*", "C5")}
    known = position(board).then(views=[{"viewer": "p2", "place": "p1.hand", "count": 2, "cards": ["H9"]}])
    known.when("p1: set_bulwark", "p1: choose_bulwark_card C5").emits("BP-2.4 show").then(
        views=[{"viewer": "p2", "place": "p1.hand", "count": 1, "cards": []}]
    )


def test_2_8_ten_or_more_life_cards_are_not_counted_for_others() -> None:
    ten = position({"p1.life": ("x10",), "p2.life": ("x9",)})
    ten.then(
        views=[{"viewer": "p2", "place": "p1.life", "least": 10}, {"viewer": "p2", "place": "p2.life", "count": 9}]
    )


def test_2_9_the_owner_picks_the_visible_top_among_the_new_cards() -> None:
    asked = position(HIT).when(*THROUGH).emits("BP-2.9 push").then(asked=["p2 choose_grave_top"])
    asked.when("p2: choose_grave_top old").refused_by("BP-2.9")
    asked.when("p2: choose_grave_top C5").emits("BP-2.9 move")


def test_2_9_the_last_card_is_the_top_where_nobody_is_asked() -> None:
    last = position(HIT, options={"grave_top": "auto_last"}).when(*THROUGH).emits("BP-2.9 turn").then(asked=[])
    last.then(views=[{"viewer": "p1", "place": "p2.grave", "cards": ["D9"]}])


def test_2_10_a_new_bulwark_stands_at_the_end_of_the_row() -> None:
    board = {"p1.hand": ("C5",), "p1.bulwarks": ("S2", "S3")}
    after = position(board).when("p1: set_bulwark", "p1: choose_bulwark_card C5")
    after.then(places={"p1.bulwarks": ["S2", "S3", "C5 down charged entered=5"]})


def test_2_12_an_armed_soldier_dies_as_one() -> None:
    board = {"p1.hand": ("S10", "C2"), "p2.soldiers": ("t = D3", "+ D4")}
    after = position(board).when("p1: down S10 C2 t", "pp").emits("BP-9.7 move")
    after.then(has={"p2.grave": ["D3", "D4"]}, places={"p2.soldiers": []})
