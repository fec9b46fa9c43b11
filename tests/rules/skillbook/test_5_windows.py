"""Chapter 5: permitted responses, and conditions that are checked again on processing."""

from domain.games.skillbook import actions as A
from domain.table.table import FrameId, Place
from tests.rules.skillbook.position import act, card, pool_with, position

ANSWERED = {
    "units": {"4,2": "soldier = S21 owner=p2"},
    "heroes": {"p2": "4,3"},
    "terrains": {"4,1": "mountain up", "4,3": "forest up"},
    "places": {"p1.hand": ["S29"], "p1.table": ["S24", "S27"], "p2.hand": ["S29"], "p2.table": ["S30"]},
}
"""Brannoc on a mountain may shoot a soldier that the adjacent enemy hero can protect."""


def test_5_16_the_first_to_answer_an_answer_is_the_opponent_of_who_gave_it() -> None:
    for order in ("lifo", "fifo"):
        board = position(**ANSWERED, options={"stack_order": order})  # type: ignore[arg-type]
        answered = board.when("p1: use_skill S24 targets=soldier", "p2: use_skill S30 targets=soldier")
        answered.then(awaited=["p1"], passed=[], stack=["skill", "skill"])
        answered.when("p1: pass", "p2: pass").then(awaited=["p2" if order == "lifo" else "p1"])


def test_5_16_an_answer_that_is_processed_at_once_gives_the_chance_back_to_who_had_it_first() -> None:
    board = position(**ANSWERED, options={"stack_order": "immediate"})  # type: ignore[arg-type]
    answered = board.when("p1: use_skill S24 targets=soldier", "p2: use_skill S30 targets=soldier")
    answered.then(awaited=["p2"], stack=["skill"], readings={"soldier df": 4})


def test_5_16_a_window_over_nothing_ends() -> None:
    rain = {**ANSWERED, "terrains": {"4,1": "mountain up", "4,3": "spring up"}}
    rain["places"] = {"p1.hand": ["S29"], "p1.table": ["S24"], "p2.hand": ["S29"], "p2.table": ["rain = S38"]}
    board = position(**rain, options={"stack_order": "immediate"})  # type: ignore[arg-type]
    shot = board.when("p1: use_skill S24 targets=soldier")
    (item,) = shot.scene.table.stack
    negated = act(shot, "p2", A.UseSkill(card(board, "rain"), item=item.id))
    negated.then(stack=[], step="idle", awaited=["p1"], places={"p1.graveyard": ["S21", "S24"]})


def test_11_3_what_waits_no_more_is_not_named_whatever_else_is_wrong() -> None:
    board = position(heroes={"p2": "H03 4,7"}, places={"p1.hand": ["S27"], "p2.hand": ["rain = S38"]})
    asked = board.when("p1: declare_move hero1")
    act(asked, "p2", A.UseSkill(card(board, "rain"), item=FrameId(99))).refused_by("SB-11.3")
    act(asked, "p2", A.UseSkill(card(board, "rain"))).refused_by("SB-5.6")


def test_5_3_an_ability_is_no_skill_that_can_be_negated() -> None:
    units = {"4,2": "caller = S20 owner=p1"}
    board = position(units, terrains={"4,7": "spring up"}, places={"p2.hand": ["rain = S38"]})
    used = board.when("p1: use_ability caller square=ground:3,2")
    (item,) = used.scene.table.stack
    act(used, "p2", A.UseSkill(card(board, "rain"), item=item.id)).refused_by("SB-5.3")


def test_5_21_an_ability_starts_where_its_unit_stood_last() -> None:
    units = {"4,4": "nymph = S16 owner=p1", "4,6": "crab = S13 owner=p2"}
    places = {"p1.hand": ["S34"], "p2.hand": ["S42"]}
    heroes = {"p1": "4,2", "p2": "H05 3,4"}
    board = position(units, heroes=heroes, terrains={"4,2": "plain up", "3,4": "town up"}, places=places)
    lines = ("p1: use_ability nymph targets=crab", "p2: pass", "p1: use_skill S34 targets=nymph square=d3")
    away = board.when(*lines, "p2: pass").then(places={"unit:4,3": ["S16 exhausted"]})
    away.when("p2: use_skill S42 targets=nymph").then(places={"unit:4,6": ["S13 active"], "unit:4,3": []}, step="idle")


def test_7_21_a_battle_of_a_unit_that_may_attack_no_more_ends_without_a_target() -> None:
    pacifist = """[[cards]]
id = "Q01"
en = "Second Thoughts"
ja = "思い直し"
type = "monster"
at = 1
df = 2
sp = 1
abilities = [{ kind = "triggered", event = "battle_start", do = [{ do = "ban", on = "this", act = "attack" }] }]
"""
    board = position({"4,4": "q = Q01 owner=p1", "4,5": "rat = S17 owner=p2"}, options={"cards": pool_with(pacifist)})
    board.when("p1: start_battle q").then(step="idle", awaited=["p1"], asked=[]).emits("SB-7.13 mark", "SB-7.10 pop")


def test_5_27_an_ability_of_a_terrain_is_about_who_used_it_not_about_who_stands_there_now() -> None:
    terrains = {"4,2": "T08 up", "6,2": "gate = T08 up", "4,1": "forest up", "4,3": "town up"}
    places = {"p1.hand": ["S23"], "p2.hand": ["S42"]}
    board = position({"4,2": "hound = S01 owner=p1"}, heroes={"p2": "H05 4,3"}, terrains=terrains, places=places)
    (under,) = board.scene.table.places[Place("ground:4,2")]
    used = act(board, "p1", A.UseAbility(under, 0, (card(board, "gate"),)))
    gone = used.when("p2: use_skill S42 targets=hound", "p1: pass").then(places={"unit:4,2": []}, awaited=["p1"])
    there = gone.when("p1: use_skill S23 square=d2").then(step="idle")
    there.then(places={"unit:4,2": ["S23 resting"], "unit:6,2": []})
