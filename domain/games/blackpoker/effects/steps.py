"""What each named step of each request does."""

from typing import Final

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.effects.combat import (
    deal_damage,
    designate_attackers,
    designate_blockers,
    judge_bulwarks,
    judge_soldiers,
    see_who_is_left,
)
from domain.games.blackpoker.effects.requests import (
    charge_all,
    clear_fog,
    counter,
    destroy,
    discard_to_limit,
    down,
    draw_first,
    draw_second,
    enter,
    equip,
    find,
    next_generation,
    pass_turn,
    place_bulwark,
    shuffle,
    throw,
    twist,
    up,
)
from domain.games.blackpoker.rules import Rules
from domain.parts.steps import Steps

EFFECTS: Final[Steps[Rules]] = {
    "end": {"discard": discard_to_limit, "clear": clear_fog, "turn": pass_turn},
    "charge": {"charge": charge_all},
    "draw": {"draw": draw_first, "second": draw_second},
    "attack": {"designate": designate_attackers},
    "block": {"designate": designate_blockers},
    "damage_judge": {
        "begin": see_who_is_left,
        "soldiers": judge_soldiers,
        "bulwarks": judge_bulwarks,
        "damage": deal_damage,
    },
    "next_generation": {"run": next_generation},
    "set_bulwark": {"place": place_bulwark},
    "summon_soldier": {"enter": enter(C.SOLDIER_ENTERS)},
    "summon_hero": {"enter": enter(C.SUMMON_HERO)},
    "summon_ace": {"enter": enter(C.SUMMON_ACE)},
    "equip": {"equip": equip},
    "up": {"fog": up},
    "down": {"fog": down},
    "twist": {"choose": twist},
    "counter": {"nullify": counter},
    "search": {"find": find, "shuffle": shuffle},
    "destroy_bulwark": {"destroy": destroy},
    "throwing": {"damage": throw},
}
