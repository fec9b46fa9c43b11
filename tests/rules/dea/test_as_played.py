"""What was done at the table whether or not it was allowed: it is carried out, refused by hand, or does nothing."""

import pytest

from tests.rules.dea.position import given


@pytest.mark.parametrize(
    "line",
    [
        "p1: move C09 p1.deck",
        "p1: attack C09 p1.deck",
        "p1: use_ability C08 wind_up cell=p1.deck",
        "p1: play_event G17 cell=p1.deck",
    ],
)
def test_6_12_a_place_off_the_map_is_for_hands_whoever_the_character_belongs_to(line: str) -> None:
    refused = given({"p1.hand": ("G17",), "p1.deck": ("x1",)}).when(line, as_played=True).refusal
    assert refused is not None and refused.by_hand and refused.clause == "DEA-6.12"


@pytest.mark.parametrize("line", ["p1: move cell=map:1,3", "p1: attack cell=map:2,4", "p1: use_ability ability=slip"])
def test_6_2_nobody_who_is_not_named_does_anything(line: str) -> None:
    board = given()
    outcome = board.when(line, as_played=True)
    assert outcome.refusal is not None or outcome.scene.table == board.scene.table


def test_5_16_a_hand_is_cut_on_by_whose_hand_it_is_when_somebody_else_discards() -> None:
    hands = {"p1.hand": ("G01", "G05", "G06", "G07", "G08", "G10", "G11"), "p2.hand": ("G02", "G03")}
    asked = given(hands).when("p1: end_main", "p2: pass").then(asked=["p1 discard_to_limit"])
    wrong = asked.when("p2: discard_to_limit G02", as_played=True)
    wrong.then(asked=["p1 discard_to_limit"], count={"p1.hand": 7, "p2.hand": 1})
