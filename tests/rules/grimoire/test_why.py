"""Clauses that affect an outcome without a fact are named. Each test has the number of its clause."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.grimoire import GAME, clauses as C, schema as S
from domain.games.grimoire.effects.leaving import leave_field
from domain.games.grimoire.layers import cost_layers, dealt_layers, layers
from domain.games.grimoire.table_queries import character, hand, objects
from domain.games.grimoire.values import cost, dealt_damage, effects_in_force, power, toughness
from domain.law.noting import ExplainedLiveTable, sum_layers
from domain.table.table import Seat
from tests.explanations import shaped_last
from tests.laws.samples import moments, sample
from tests.scenario import Scenario, scenario

PLENTY = {"mana": 5, "capacity": 5, "od": 4, **{f"chroma.{colour}": 3 for colour in "ROYGBIV"}}
P1 = Seat("p1")


def position(places: Mapping[str, Sequence[str]], **more: Any) -> Scenario:
    laid = {"p1.personal": ("C01",), "p2.personal": ("C02",), "p1.grimoire": ("x20",), "p2.grimoire": ("x20",)}
    clock = {"turn": 7, "active": "p1", "first": "p1", "phase": "main", "step": "priority", "awaited": ["p1"]}
    seats = {"p1": PLENTY, "p2": PLENTY}
    return scenario(GAME, {**laid, **places}, version="1", **{**clock, "seats": seats, **more})


def test_9_16_a_collision_that_is_skipped_is_named_with_spell_and_target() -> None:
    board = position({"field": ("a = S03 owner=p1", "c = S01 owner=p1", "b = S15 owner=p2 spended")})
    skipped = shaped_last(board, "p1: play a b", "p1: play c b", "pp", "pp")
    ((spell, target),) = skipped.about("GR-9.16")
    assert spell == "S03" and target.startswith("u")
    assert "GR-9.9" not in skipped


def test_9_16_nothing_is_named_where_spells_collide() -> None:
    board = position({"field": ("a = S03 owner=p1", "b = S15 owner=p2 spended")})
    struck = shaped_last(board, "p1: play a b", "pp")
    assert "GR-9.16" not in struck and struck.about("GR-9.9") == [["S03", "S15"]]


def test_6_4_a_power_is_named_layer_by_layer() -> None:
    board = position({"field": ("a = S07 owner=p1", "b = S53 owner=p2 spended")})
    struck = shaped_last(board, "p1: activate a", "p1: activate a", "p1: play a b", "pp")
    assert struck.layers("GR-6.4") == [(6, [("GR-2.8", 2), ("GR-6.1", 2), ("GR-6.1", 2)])]
    assert struck.about("GR-6.2") == [["S07"]] and "GR-6.8" not in struck


def test_6_8_what_is_set_takes_the_place_of_what_was_added_before() -> None:
    board = position({"field": ("a = S07 owner=p1", "ink = S37 owner=p1", "b = S53 owner=p2 spended")})
    lines = ("p1: activate a", "p1: play ink a", "pp", "p1: activate a", "p1: play a b", "pp")
    struck = shaped_last(board, *lines)
    (noted,) = struck["GR-6.4"]
    assert noted.value == 3 and [(layer.n, layer.sets) for layer in noted.layers] == [
        (2, False), (2, False), (1, True), (2, False),
    ]  # fmt: skip
    assert struck.about("GR-6.8") == [["S07"]]


def test_5_2_what_is_dealt_is_named_with_the_damage_that_lessens_it() -> None:
    board = position({"field": ("a = S03 owner=p1 damage=1", "b = S53 owner=p2 spended")})
    struck = shaped_last(board, "p1: play a b", "pp")
    assert struck.layers("GR-5.2") == [(2, [("GR-2.8", 3), ("GR-5.2", -1)])]


def test_2_7_a_cost_is_named_layer_by_layer_and_so_is_one_that_is_too_high() -> None:
    places = {"field": ("stone = S34 owner=p1",), "p1.personal": ("C03",), "p1.hand": ("S36",)}
    assert shaped_last(position(places), "p1: cast S36").layers("GR-6.4") == [(1, [("GR-2.7", 2), ("GR-6.6", -1)])]
    poor = {"p1": {**PLENTY, "mana": 0}, "p2": PLENTY}
    refused = shaped_last(position(places, seats=poor), "p1: cast S36")
    assert refused.layers("GR-6.4") == [(1, [("GR-2.7", 2), ("GR-6.6", -1)])]


def test_7_6_a_cost_with_a_reduction_takes_the_reduced_amount_of_mana() -> None:
    places = {"field": ("stone = S34 owner=p1",), "p1.personal": ("C03",), "p1.hand": ("S36",)}
    cast = position(places).when("p1: cast S36")
    assert cast.refusal is None and cast.scene.table.seats[P1]["mana"] == PLENTY["mana"] - 1


def test_3_13_a_character_that_is_to_leave_and_stays_is_named() -> None:
    scene = position({"field": ("a = S03 owner=p1",)}).scene
    live = ExplainedLiveTable(scene.table)
    mine = character(live, P1)
    assert mine is not None
    leave_field(scene.law.rules, live, (mine, *objects(live)[:1]), S.JUNKYARD, C.JUNKED)
    assert [(note.clause, note.about) for note in live.notes] == [(C.CHARACTER_STAYS, (mine,))]


def test_1_8_a_cost_that_cannot_be_paid_is_named() -> None:
    broke = {"p1": {**PLENTY, "od": 0}, "p2": PLENTY}
    board = position({"field": ("a = S08 owner=p1", "b = S03 owner=p2 spended")}, seats=broke)
    unpaid = shaped_last(board, "p1: play a b", "pp", "p1: choose_yes_no yes", as_played=True)
    assert [names[1:] for names in unpaid.about("GR-1.8")] == [["p1"]]


def test_7_12_a_spell_that_comes_back_and_is_not_cast_is_named() -> None:
    board = position({"p1.hand": ("S20",), "field": ("lance = S07 owner=p1", "ring = S05 owner=p2 spended")})
    lines = ("p1: cast S20", "p1: choose_objects ring", "p1: activate lance", "p1: play lance S20", "pp")
    assert shaped_last(board, *lines).about("GR-7.12") == [["S05"]]


def test_18_10_an_ability_that_was_lost_and_does_not_trigger_is_named() -> None:
    board = position({"field": ("err = S36 owner=p1", "a = S03 owner=p1")})
    lost = shaped_last(board, "p1: play err a", "pp", "p1: play a C02", "pp")
    assert lost.about("GR-18.10") == [["S03"]]
    assert "GR-18.10" not in shaped_last(board, "p1: play a C02", "pp")


def test_17_15_a_condition_that_fails_is_named() -> None:
    board = position({"field": ("a = S03 owner=p1", "b = S15 owner=p2 spended")})
    assert shaped_last(board, "p1: play a b", "pp").about("GR-17.15") == [["S03"]]


def test_the_layers_come_to_what_the_law_reckons() -> None:
    layered = 0
    for seed in range(4):
        rules = sample(GAME.key, seed).law.rules
        for at in moments(GAME.key, seed)[::5]:
            t = at.after
            now = effects_in_force(rules, t)
            for one in objects(t):
                both = (
                    (power(rules, t, now, one), tuple(layers(rules, t, now, one, "power"))),
                    (toughness(rules, t, now, one), tuple(layers(rules, t, now, one, "toughness"))),
                    (dealt_damage(rules, t, now, one), tuple(dealt_layers(rules, t, now, one))),
                )
                assert all(value == sum_layers(found) for value, found in both)
                layered += sum(len(found) > 1 for _, found in both)
            for seat in t.seats:
                for one in hand(t, seat):
                    assert cost(rules, t, now, seat, one) == sum_layers(cost_layers(rules, t, now, seat, one))
    assert layered
