"""Index of the printed uses: abilities, events and foreshadows by name."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import table_queries as R, text as T
from domain.games.dea.cards import index_cards
from domain.games.dea.rules import Rules
from domain.games.dea.value_types import PrintedUse
from domain.law.pools import PoolId
from domain.table.table import Frame


def _by_name(card: T.Card) -> Mapping[str, PrintedUse]:
    return {
        (ability.name or "" if isinstance(ability, T.Activated) else ""): PrintedUse(ability, place)
        for place, ability in enumerate(card.abilities)
        if isinstance(ability, T.Use)
    }


_USES: Final = index_cards(_by_name)


def printed_use(pool: PoolId, face: str | None, name: str = "") -> PrintedUse | None:
    """Return a card's activated ability by name. Without a name, return its event or foreshadow."""
    return _USES[pool][face].get(name)


def use_of(pool: PoolId, face: str | None, name: str = "") -> T.AnyUse | None:
    use = _USES[pool][face].get(name)
    return None if use is None else use.said


def use_of_item(rules: Rules, item: Frame) -> T.AnyUse | None:
    return use_of(rules.cards, item.face, R.ability_of(item) if item.kind == "ability" else "")


def field_of(rules: Rules, face: str) -> T.Field | None:
    return next(iter(_FIELDS[rules.cards][face]), None)


_FIELDS: Final = index_cards(lambda card: tuple(ability for ability in card.abilities if isinstance(ability, T.Field)))
