"""A game is a value: tables and pure functions, no base class. Everything else is the same for all games."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct

from domain.law.clause import Check, Clause, Telling
from domain.law.offers import Below, Template
from domain.law.rulebook import Rulebook
from domain.law.slots import Action
from domain.table.schema import Schema
from domain.table.table import AnyTable, CardId, Seat

Decks = Mapping[Seat, tuple[str, ...]]
"""The faces of each seat's deck, in the order of its list."""


class Option(Struct, frozen=True):
    """A named reading of an ambiguous clause, default first.

    Only `values` are offered; `unoffered` are named by the dossier and refused when a ruleset is loaded.
    """

    key: str
    row: str
    tier: int
    values: tuple[str, ...]
    unoffered: tuple[str, ...] = ()


class Reading(Struct, frozen=True):
    """A derived value for people: what a card on the table amounts to just now."""

    card: CardId
    name: str
    value: int | str


def every_face(rules: Any, face: str) -> bool:
    """A game in which no card calls up anything by merely being in a pile."""
    return True


class Game(Struct, frozen=True, kw_only=True):
    """One game: its rulebook, its published rulesets and its law.

    `checks` yields clauses in the order the dossier fixes; the first that does not hold is the refusal. `carry_out`,
    `settle` and `resume` yield facts, each with its clause; the driver applies each as it is yielded, and the
    generator reads the live table.
    """

    key: str
    rulebook: Rulebook
    rules_type: type[Struct]
    options: tuple[Option, ...]
    versions: Mapping[str, Any]
    frames: tuple[str, ...]
    action_types: tuple[type[Action], ...]
    seats: tuple[Seat, ...]
    by_hand: Clause
    """The clause by which a judge may set right what play got wrong."""

    schema: Callable[[Any], Schema]
    in_frame: Callable[[Any, str], Any]
    deck: Callable[[Any], tuple[str, ...]]
    deck_checks: Callable[[Any, Seat, tuple[str, ...]], Iterator[Check]]
    set_up: Callable[[Any, AnyTable, Decks, Mapping[Seat, tuple[CardId, ...]]], Iterator[Telling]]
    awaited: Callable[[AnyTable], tuple[Seat, ...]]
    offers: Callable[[Any, AnyTable, Seat], Iterator[Template]]
    checks: Callable[[Any, AnyTable, Seat, Any], Iterator[Check]]
    carry_out: Callable[[Any, AnyTable, Seat, Any], Iterator[Telling]]
    settle: Callable[[Any, AnyTable], Iterator[Telling]]
    resume: Callable[[Any, AnyTable, Seat, Any], Iterator[Telling]]
    chance: Callable[[Any, AnyTable, Below], Any]
    readings: Callable[[Any, AnyTable], Iterator[Reading]]
    other_verbs: Mapping[str, type[Action]] = {}
    """Verbs that are written like actions but that nobody may take, each with the action that records the attempt."""
    plain: Callable[[Any, str], bool] = every_face
    """Is this face one with which a casebook may fill a pile first, because its leaving calls up nothing?"""

    def decoder(self) -> "msgspec.msgpack.Decoder[Action]":
        """Reads recorded actions of this game."""
        return _decoder(self.action_types)


@cache
def _decoder(action_types: tuple[type[Action], ...]) -> "msgspec.msgpack.Decoder[Action]":
    """Kept, because building one costs as much as two audited actions, and every audit of a match asks for it."""
    return msgspec.msgpack.Decoder(reduce(or_, action_types))
