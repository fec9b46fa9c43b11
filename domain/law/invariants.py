"""What holds at every moment of every match of a game: with the casebook the law's second source.

An invariant never asks the law. It looks at a table, at a fact before it happens, or at an action and the tables around
it, and says whether what it knows of the game holds there.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.law.clause import Clause, Told
from domain.law.slots import Action
from domain.table.facts import AnyFact
from domain.table.table import AnyTable, Seat, Table


class Deed(Struct, frozen=True):
    """An action that was taken, what it led to, and the tables before and after it."""

    actor: Seat
    action: Action
    told: Told
    before: Table
    after: Table


OfTable = Callable[[Any, AnyTable], bool]
"""Rules and a table as somebody finds it who is to decide."""
OfFact = Callable[[Any, AnyTable, Clause, AnyFact], bool]
"""Rules, the table before the fact, its clause, the fact."""
OfDeed = Callable[[Any, Deed], bool]


class Invariant(Struct, frozen=True):
    """One invariant of a game's dossier by its number, looked at in one of three ways."""

    number: int
    name: str
    table: OfTable | None = None
    fact: OfFact | None = None
    deed: OfDeed | None = None


def of_table(number: int, holds: OfTable) -> Invariant:
    """An invariant of tables, named as its function is."""
    return Invariant(number, _name(holds), table=holds)


def of_fact(number: int, holds: OfFact) -> Invariant:
    """An invariant of facts."""
    return Invariant(number, _name(holds), fact=holds)


def of_deed(number: int, holds: OfDeed) -> Invariant:
    """An invariant of actions."""
    return Invariant(number, _name(holds), deed=holds)


def _name(holds: Callable[..., bool]) -> str:
    name: str = holds.__name__
    return name


def none(rules: Any) -> tuple[Invariant, ...]:
    """A game that names none."""
    return ()
