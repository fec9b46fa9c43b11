"""DEA's cards by their ids, and how many of one a plot may hold."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

COPIES: Final = 1
"""Cards of one name in a plot, where nothing else is set."""


@cache
def types() -> Mapping[str, str]:
    """What kind of card each id is."""
    text = files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")
    return {card["id"]: card["type"] for card in tomllib.loads(text)["cards"]}


def copies(settings: Mapping[str, Any], face: str) -> int | None:
    """How many of a card a writer may have; of tokens as many as are made."""
    most = settings.get("copies_per_name", COPIES)
    return most if types()[face] != "token" and isinstance(most, int) else None
