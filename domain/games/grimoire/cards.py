"""The printed cards: the published pools, any other card file, the sample decks, what stands at a place of a text."""

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from domain.games.grimoire import card_checks, text as T
from domain.law.pools import Overlay, PoolId, Pools
from domain.parts import cardfile
from domain.parts.programs import Blocks, Grammar, Path, find, nth

Worth = TypeVar("Worth")


class CardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card file holds."""

    cards: Annotated[tuple[T.Card, ...], Meta(min_length=1)]


def load_cards(source: str | bytes, name: str, beside: Collection[str] = ()) -> dict[str, T.Card]:
    """The cards of a file by id, which may name those beside them. Raises CardError naming file, card, field and what
    is allowed there."""
    file = cardfile.load(
        source, name, CardFile, lambda file: card_checks.misfits(file.cards, beside), card_checks.UNWRITTEN
    )
    return {card.id: card for card in file.cards}


def _read_packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _publications() -> Iterator[Overlay]:
    """The files of the published pools in their order, each with what is new or reads otherwise."""
    there = (file.name for file in files(__package__).joinpath("pools").iterdir() if file.name.endswith(".toml"))
    for name in sorted(there, key=lambda name: int(name.removesuffix(".toml"))):
        yield Overlay(f"pools/{name}", _read_packaged(f"pools/{name}"))


POOLS: Final[Pools[T.Card]] = Pools("cards", load_cards, _publications())
"""The published pools, and what was laid over them."""

CARDS: Final[Mapping[str, T.Card]] = POOLS.held[POOLS.newest]
"""The cards by face as they are printed now."""

BLANK: Final = T.Card(id="", en="unknown card", ja="不明なカード", type="spell", user="", power=0, toughness=1)
"""A card the log does not know the face of: it says nothing."""

_HELD: Final = POOLS.held


def card(pool: PoolId, face: str | None) -> T.Card:
    """The card with that face in a pool; a blank one where the face is not known."""
    return _HELD[pool].get(face, BLANK) if face else BLANK


class ByFace(dict[str | None, Worth]):
    """What follows from the words of each face of a pool, worked out once."""

    def __init__(self, pool: PoolId, work: Callable[[T.Card], Worth]) -> None:
        super().__init__()
        self._pool, self._work = pool, work

    def __missing__(self, face: str | None) -> Worth:
        value = self[face] = self._work(card(self._pool, face))
        return value


class InPool(dict[PoolId, ByFace[Worth]]):
    """The same for every pool: what is asked for at every step is looked up by the pool, then by the face alone."""

    def __init__(self, work: Callable[[T.Card], Worth]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, pool: PoolId) -> ByFace[Worth]:
        value = self[pool] = ByFace(pool, self._work)
        return value


@cache
def decks() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The sample decks by name: the character with the grimoire, and the bookmark."""
    listed = tomllib.loads(_read_packaged("decks.toml"))
    return {name: (_copies(parts["main"]), _copies(parts["side"])) for name, parts in listed.items()}


def _copies(listed: list[str]) -> tuple[str, ...]:
    faces: list[str] = []
    for entry in listed:
        face, _, number = entry.partition("x")
        faces += [face] * int(number or 1)
    return tuple(faces)


# -- places in a text -------------------------------------------------------------------------------------------------


def _ability_given(buff: T.Buff, place: int) -> T.AnyAbility:
    """The ability that a modifier gives."""
    mod = nth(buff.mods, (place,), 0)
    if not isinstance(mod, T.Gain):
        raise LookupError(place)
    return mod.ability


_PROGRAMS: Final[dict[type, tuple[str, ...]]] = {
    T.Triggered: ("do",),
    T.Activated: ("do",),
    T.If: ("then", "otherwise"),
    T.May: ("then",),
    T.Each: ("then",),
    T.Pay: ("then",),
}
_GRAMMAR: Final = Grammar(_PROGRAMS, {T.Buff: _ability_given})


@cache
def _find(pool: PoolId, face: str | None, path: Path) -> tuple[T.AnyAbility | T.AnyDo, tuple[T.AnyDo, ...]]:
    return find(_GRAMMAR, card(pool, face).abilities, path)


def instruction(pool: PoolId, face: str | None, path: Path) -> T.AnyDo:
    """The instruction at a path of a card's text. Raises LookupError where none stands."""
    there, _ = _find(pool, face, path)
    if isinstance(there, T.Ability):
        raise LookupError(path)
    return there


def standing_at(pool: PoolId, face: str | None, path: Path) -> T.AnyDo | None:
    """The instruction at a path of a card's text; None where none stands."""
    try:
        return instruction(pool, face, path)
    except LookupError:
        return None


def program(pool: PoolId, face: str | None, path: Path) -> tuple[T.AnyDo, ...]:
    """The instructions among which the one at a path stands. Raises LookupError where none stands."""
    instruction(pool, face, path)
    return _find(pool, face, path)[1]


@cache
def blocks(pool: PoolId, face: str) -> Blocks:
    """The programs inside what stands at the paths of a card's text."""

    @cache
    def block(path: Path) -> tuple[T.AnyDo, ...]:
        try:
            return program(pool, face, (*path, 0))
        except LookupError:
            return ()

    return block


def ability(pool: PoolId, face: str | None, path: Path) -> T.AnyAbility:
    """The ability at a path: a printed one by its index, a gained one by the place of what gives it and the modifier's
    index. Raises LookupError where none stands."""
    there, _ = _find(pool, face, path)
    if not isinstance(there, T.Ability):
        raise LookupError(path)
    return there
