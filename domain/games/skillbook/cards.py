"""Skillbook's cards by their ids, and how many of one a deck may hold."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

ONE: Final = 1
"""Heroes in a deck, and start points where the default stands."""
DEFAULTS: Final = {"same_name_max": 3, "cast_max": 1, "special_terrain_max": 3}
"""Copies of one skill, of one cast card, of one special terrain."""


@cache
def types() -> Mapping[str, str]:
    """What kind of card each id is; a skill that is a cast card is a `cast`."""
    text = files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")
    return {card["id"]: "cast" if card.get("cast") else card["type"] for card in tomllib.loads(text)["cards"]}


def copies(settings: Mapping[str, Any], face: str) -> int | None:
    """How many of a card a player may have; of basic terrains and tokens as many as there is use for."""
    match types()[face]:
        case "basic" | "token":
            return None
        case "hero":
            return ONE
        case "start":
            return None if settings.get("start_cards") == "one_or_more" else ONE
        case "special":
            key = "special_terrain_max"
        case "cast":
            key = "cast_max"
        case _:
            key = "same_name_max"
    most = settings.get(key, DEFAULTS[key])
    return most if settings.get("enforce_construction", True) and isinstance(most, int) else None
