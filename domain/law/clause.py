"""The words in which law speaks: clauses, what a check was about, and refusals as values."""

from collections.abc import Callable
from typing import Final, NewType, TypeVar

from msgspec import Struct

from domain.table.facts import AnyFact
from domain.table.table import CardId, EffectId, FrameId, Seat

Clause = NewType("Clause", str)
"""The id of a numbered rule, by chapter and number. Never reused, the same in every language."""

BY_HAND: Final = Clause("")
"""Beside a fact that a person entered: nobody's rule but what was seen on the table."""

Carrier = TypeVar("Carrier")


def carries(*clauses: Clause) -> Callable[[Carrier], Carrier]:
    """Names the clauses that a function, or a value in a table, makes so and that no line of it can tell.

    What carries them stays as it is: the citation is for those who read the law and for the gate. Where such a clause
    makes a difference a line says so to whoever explains an entry (`domain.law.noting`).
    """
    return _as_it_is


def _as_it_is(carrier: Carrier) -> Carrier:
    return carrier


Telling = tuple[Clause, AnyFact]
"""A fact and the clause because of which it happened."""

Told = tuple[Telling, ...]


class Count(Struct, frozen=True, gc=False):
    """A number a check was about, kept apart from card ids."""

    n: int


class FrameRef(Struct, frozen=True, gc=False):
    """A frame a check was about, kept apart from card ids."""

    id: FrameId


class EffectRef(Struct, frozen=True, gc=False):
    """An ongoing effect a check was about, kept apart from card ids."""

    id: EffectId


class Missing(Struct, frozen=True, gc=False):
    """What the action should have named and did not: the slot that is empty."""

    slot: str


Word = NewType("Word", str)
"""A word a check was about: a face, a kind of question, the name of an action."""

Subject = CardId | Count | FrameRef | EffectRef | Missing | Seat | Word
"""What a check was about: a card by its id, a number, a frame, an ongoing effect, an empty slot, a seat or a word.

In a record a word is written as a seat is; the words of the game tell them apart."""


def named(subject: Subject, slot: str) -> Subject:
    """What a slot of the action names, or that it names nothing."""
    return subject or Missing(slot)


Check = tuple[Clause, bool | None, *tuple[Subject, ...]]
"""A clause, whether it holds (None: cannot be known), and what it was about."""


class Consulted(Struct, frozen=True):
    """One clause that was looked at, in the order of looking."""

    clause: Clause
    holds: bool | None
    about: tuple[Subject, ...] = ()


class Refusal(Struct, frozen=True):
    """An action that is not allowed: the first clause that does not hold and the ones consulted before it.

    `by_hand` says that not even as played can it be carried out: what it names is not there, so facts must be entered.
    """

    clause: Clause
    trail: tuple[Consulted, ...]
    by_hand: bool = False

    @property
    def about(self) -> tuple[Subject, ...]:
        """What the failing clause was about."""
        return self.trail[-1].about
