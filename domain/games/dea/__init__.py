"""DEA (Deus Ex Ark): so far its table, its cards and its options by name; the law comes later."""

from collections.abc import Mapping
from typing import Any, Final

from domain.games.dea.cards import CARDS
from domain.games.dea.rules import OPTIONS, Rules
from domain.games.dea.schema import schema
from domain.law.sketch import Sketch

_NUMBERS: Final = tuple(
    name for name in Rules.__struct_fields__ if name != "cards" and name not in {option.key for option in OPTIONS}
)


def _copies(settings: Mapping[str, Any], face: str) -> int | None:
    """How many of a card a writer may have; of tokens as many as are made."""
    most = settings.get("copies_per_name", Rules().copies_per_name)
    return most if CARDS[face].type != "token" and isinstance(most, int) else None


SKETCH: Final = Sketch("dea", schema(Rules()), tuple(CARDS), _copies, OPTIONS, _NUMBERS)
