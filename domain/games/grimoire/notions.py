"""Structs shared by the law of Grimoire: abilities, continuous effects, snapshots and program positions."""

from typing import TypedDict

from msgspec import Struct

from domain.games.grimoire import text as T
from domain.table.table import CardId, Effect, Frame, Obj, Seat, Todo

Stamp = tuple[int, int, int]


class ObjectAbility(Struct, frozen=True):
    """An ability that an object has: its text and path, its timestamp, and its number in activations."""

    ability: T.AnyAbility
    face: str
    path: tuple[int, ...]
    since: Stamp
    number: int


class ContinuousEffect(Struct, frozen=True):
    source: CardId
    by: Seat
    ability: T.Continuous
    since: Stamp


class EffectsInForce(Struct, frozen=True):
    """Continuous abilities and buffs in force. `numbers` names the values that they change: power, toughness, cost."""

    lasting: tuple[ContinuousEffect, ...] = ()
    buffs: tuple[tuple[Effect, T.Buff], ...] = ()
    numbers: frozenset[str] = frozenset()


class ObjectSnapshot(Struct, frozen=True):
    """An object with its controller and abilities, for example just before it left the field."""

    was: Obj
    by: Seat
    havings: tuple[ObjectAbility, ...]


class ProgramPosition(Struct, frozen=True):
    """Position in a program: the frame of the effect, the place and the instruction there."""

    effect: Frame
    todo: Todo
    words: T.AnyDo


class EffectContext(TypedDict, total=False):
    """Optional context of an effect.

    `own` is the source's card after it left. `target` is the target of the play. `that` is the other object or card of
    the event. `chosen` holds a choice already made, and `begin` the instruction at which the program then starts.
    """

    own: Obj
    target: Obj
    that: Obj
    chosen: tuple[Obj, ...]
    begin: int
