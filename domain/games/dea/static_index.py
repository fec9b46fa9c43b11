"""Index of the static abilities of a pool, by kind of modifier."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, assert_never

from domain.games.dea import text as T
from domain.games.dea.cards import POOLS, index_cards
from domain.games.dea.value_types import ModifierFaces
from domain.law.pools import PoolId

ModifierKey = tuple[type[T.Modifier], str]
"""Type of a modifier, and its value, keyword, price or action ('' if it has none)."""


def _modifier_words(mod: T.AnyModifier) -> Iterable[str]:
    match mod:
        case T.Plus(to=to):
            return (to,)
        case T.MoveIs():
            return ("",)
        case T.Has(name=name):
            return (name,)
        case T.Costs(of=of):
            return dict.fromkeys(of)
        case T.Cannot(actions=actions):
            return dict.fromkeys(actions)
        case _:
            assert_never(mod)


def _by_key(card: T.Card) -> Mapping[ModifierKey, tuple[tuple[T.Static, Any], ...]]:
    statics = [ability for ability in card.abilities if isinstance(ability, T.Static)]
    fields = [field for field in card.abilities if isinstance(field, T.Field)]
    statics += [ability for field in fields for ability in field.abilities if isinstance(ability, T.Static)]
    modifiers: dict[ModifierKey, tuple[tuple[T.Static, Any], ...]] = {}
    for ability in statics:
        for mod in ability.mods:
            for word in _modifier_words(mod):
                key = (type(mod), word)
                modifiers[key] = (*modifiers.get(key, ()), (ability, mod))
    return modifiers


STATICS: Final = index_cards(_by_key)
"""Static abilities of characters, equipment, tokens and fields, by face and kind of modifier."""


@cache
def faces_with_modifier(pool: PoolId, key: ModifierKey) -> ModifierFaces:
    types = {face: card.type for face, card in POOLS.cards_by_pool[pool].items() if key in STATICS[pool][face]}
    has_persons = any(kind in T.MAP_CARD_TYPES for kind in types.values())
    on_map = frozenset(face for face, kind in types.items() if has_persons and kind not in T.GIMMICKS)
    selfish = all(ability.on == "self" for face in on_map for ability, _ in STATICS[pool][face][key])
    laid = frozenset(types) - (on_map if selfish else frozenset())
    return ModifierFaces(on_map, laid, frozenset(face for face in laid if _FIELDS[pool][face]), selfish)


_FIELDS: Final = index_cards(lambda card: any(isinstance(ability, T.Field) for ability in card.abilities))
