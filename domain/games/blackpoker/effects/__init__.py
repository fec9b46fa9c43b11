"""What each named step of each request does."""

from typing import Final

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.effects import combat, requests
from domain.games.blackpoker.rules import Rules
from domain.parts.steps import Steps

EFFECTS: Final[Steps[Rules]] = {
    "end": {"discard": requests.discard_to_limit, "clear": requests.clear_fog, "turn": requests.pass_turn},
    "charge": {"charge": requests.charge_all},
    "draw": {"draw": requests.draw_first, "second": requests.draw_second},
    "attack": {"designate": combat.designate_attackers},
    "block": {"designate": combat.designate_blockers},
    "damage_judge": {
        "begin": combat.see_who_is_left,
        "soldiers": combat.judge_soldiers,
        "bulwarks": combat.judge_bulwarks,
        "damage": combat.deal_damage,
    },
    "next_generation": {"run": requests.next_generation},
    "set_bulwark": {"place": requests.place_bulwark},
    "summon_soldier": {"enter": requests.enter(C.SOLDIER_ENTERS)},
    "summon_hero": {"enter": requests.enter(C.SUMMON_HERO)},
    "summon_ace": {"enter": requests.enter(C.SUMMON_ACE)},
    "equip": {"equip": requests.equip},
    "up": {"fog": requests.up},
    "down": {"fog": requests.down},
    "twist": {"choose": requests.twist},
    "counter": {"nullify": requests.counter},
    "search": {"find": requests.find, "shuffle": requests.shuffle},
    "destroy_bulwark": {"destroy": requests.destroy},
    "throwing": {"damage": requests.throw},
}
