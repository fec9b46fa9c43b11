"""What static abilities are printed on cards, by what they bear on: who is asked for a number asks few of them."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, assert_never

from domain.games.dea import text as T
from domain.games.dea.cards import POOLS, work_out
from domain.law.pools import PoolId

Matter = tuple[type[T.Modifier], str]
"""What a modifier bears on: its kind, and of that which value, keyword, price or action, if it says one."""


def _matters(mod: T.AnyModifier) -> Iterable[str]:
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


def _by_matter(card: T.Card) -> Mapping[Matter, tuple[tuple[T.Static, Any], ...]]:
    saids = [said for said in card.abilities if isinstance(said, T.Static)]
    fields = [field for field in card.abilities if isinstance(field, T.Field)]
    saids += [said for field in fields for said in field.abilities if isinstance(said, T.Static)]
    matters: dict[Matter, tuple[tuple[T.Static, Any], ...]] = {}
    for said in saids:
        for mod in said.mods:
            for word in _matters(mod):
                matter = (type(mod), word)
                matters[matter] = (*matters.get(matter, ()), (said, mod))
    return matters


STATICS: Final = work_out(_by_matter)
"""What works as long as a character, its equipment, a token or a field is there, by face and matter."""


@cache
def faces_with(pool: PoolId, matter: Matter) -> frozenset[str | None]:
    """The cards of a pool on which such a modifier is printed: no other is asked for one."""
    return frozenset(face for face in POOLS.held[pool] if matter in STATICS[pool][face])


@cache
def is_on_characters(pool: PoolId, matter: Matter) -> bool:
    """Is such a modifier printed on a character or a token of a pool? Else nobody on the map is asked for one."""
    return any(POOLS.held[pool][face].type in ("character", "token") for face in faces_with(pool, matter) if face)
