"""What the law of Grimoire hands on while it decides: abilities had and at work, what left, and where a program is."""

from typing import TypedDict

from msgspec import Struct

from domain.games.grimoire import text as T
from domain.table.table import CardId, Effect, Frame, Obj, Seat, Todo

Stamp = tuple[int, int, int]


class Having(Struct, frozen=True):
    """An ability an object has: from which words, since when, and as which number it is activated."""

    ability: T.AnyAbility
    face: str
    path: tuple[int, ...]
    since: Stamp
    number: int


class ContinuousEffect(Struct, frozen=True):
    """A continuous ability at work."""

    source: CardId
    by: Seat
    ability: T.Continuous
    since: Stamp


class Standing(Struct, frozen=True):
    """All that works continuously on a table just now: asked for once, then read for every value.

    `numbers` are those that any of it changes: power, toughness, cost.
    """

    lasting: tuple[ContinuousEffect, ...] = ()
    buffs: tuple[tuple[Effect, T.Buff], ...] = ()
    numbers: frozenset[str] = frozenset()


class SpellSnapshot(Struct, frozen=True):
    """A spell as it stood just before it left."""

    was: Obj
    by: Seat
    havings: tuple[Having, ...]


class At(Struct, frozen=True):
    """Where an effect is: its frame, the place in its program and the instruction there."""

    effect: Frame
    todo: Todo
    words: T.AnyDo


class About(TypedDict, total=False):
    """What an effect is about beside its source: that one's card after its leaving, the target of the play, the other
    object or card of the event; what was chosen already, and from where in its program it begins for that."""

    own: Obj
    target: Obj
    that: Obj
    chosen: tuple[Obj, ...]
    begin: int
