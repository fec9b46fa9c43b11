"""Chapter 9: automatic processing, and the check for victory."""

from tests.rules.dea.position import event, pool_with, position

FIVE = {"p1": {"ep": 5, "life": 2}}


def test_9_14_an_instruction_to_both_writers_to_discard_asks_both() -> None:
    both = pool_with(event("G91", '{ do = "discard", who = "each", n = 1 }, { do = "gain_life", n = 1 }'))
    hands = {"p1.hand": ("G91", "G01", "G05"), "p2.hand": ("G02", "G03")}
    board = position(hands, options={"cards": both}, seats={"p1": {"life": 9}}).when("p1: play_event G91", "pp")
    asked = board.then(asked=["p1 choose_cards", "p2 choose_cards"]).when("p1: choose_cards G01")
    asked.then(asked=["p2 choose_cards"], seats={"p1": {"life": 9}})
    asked.when("p2: choose_cards G03").then(asked=[], seats={"p1": {"life": 10}}, count={"p1.hand": 1, "p2.hand": 1})


def test_9_14_who_has_no_more_cards_than_that_is_not_asked() -> None:
    both = pool_with(event("G91", '{ do = "discard", who = "each", n = 1, chooser = "random" }'))
    hands = {"p1.hand": ("G91", "G01", "G05"), "p2.hand": ("G02",)}
    asked = (
        position(hands, options={"cards": both}).when("p1: play_event G91", "pp").then(asked=["chance random_discard"])
    )
    asked.then(count={"p2.hand": 0}).when("chance").then(count={"p1.hand": 1}, step="open")


def test_9_1_a_point_that_comes_while_an_item_resolves_is_looked_at_with_the_rest_of_it() -> None:
    late = {"foreshadow_ep_timing": "resolve", "victory_check": "end_of_item"}
    bitter = pool_with(
        event("F91", '{ do = "lose_life", n = 2 }').replace('"event"', '"foreshadow"').replace("pages = 0\n", "")
    )
    board = position(options={"cards": bitter, **late}, seats=FIVE, foreshadows={"p1": ("F91", "F03", "F10")})
    board.when("p1: use_foreshadow F91", "pp").then(result={"winners": ["p2"], "clause": "DEA-10.9"})
    each = {"cards": bitter, "foreshadow_ep_timing": "resolve"}
    board = position(options=each, seats=FIVE, foreshadows={"p1": ("F91", "F03", "F10")})
    board.when("p1: use_foreshadow F91", "pp").then(result={"winners": ["p1"], "clause": "DEA-10.4"})


def test_9_16_the_number_of_a_removed_token_is_not_used_again() -> None:
    hands = {"p1.hand": ("one = G17", "other = G17"), "p2.hand": ("G05",)}
    made = position(hands).when("p1: play_event one cell=map:5,1", "pp")
    first = max(made.scene.table.pieces)
    gone = made.when("p2: play_event G05 targets=T02", "pp").then(places={"map:5,1": []}, seats={"p1": {"life": 19}})
    again = gone.when("p1: play_event other cell=map:5,1", "pp").then(places={"map:5,1": ["T02"]})
    assert max(again.scene.table.pieces) > first


def test_9_11_a_keyword_works_once_and_numbers_add_up() -> None:
    words = '{ do = "keyword", on = "chosen", name = "double_dash", until = "turn" }'
    dash = pool_with(event("G92", words, 'choices = [{ choose = "char", of = { whose = "own" } }]'))
    dashing = position({"p1.hand": ("G92",)}, options={"cards": dash})
    twice = dashing.when("p1: play_event G92 targets=C02", "pp", "p1: move C02 b3", "p1: move C02 a3")
    twice.when("p1: move C02 b3").refused_by("DEA-6.3")
    armed = position({"p1.hand": ("G01",), "p1.worn": ("Q01 tied=c01",)})
    armed.when("p1: play_event G01 targets=C01", "pp").then(readings={"C01 atk": 9})
