"""Clauses, checks and refusals: the vocabulary of law."""

from collections.abc import Callable
from typing import Final, NewType, TypeVar

from msgspec import Struct

from domain.table.facts import AnyFact
from domain.table.table import CardId, EffectId, FrameId, Seat

Clause = NewType("Clause", str)
"""Id of a numbered rule, by chapter and number. It is never reused and is the same in every language."""

BY_HAND: Final = Clause("")
"""Clause of a fact that a person entered: what was seen on the table, not a rule."""

Carrier = TypeVar("Carrier")


def implements(*clauses: Clause) -> Callable[[Carrier], Carrier]:
    """Declare the clauses that a function or table implements and that none of its lines can cite.

    The decorated value is returned unchanged. Readers of the law and the checks of the repository use the declaration.
    Where such a clause affects an outcome, a line notes it for explanations (`domain.law.noting`).
    """
    return _return_unchanged


def _return_unchanged(carrier: Carrier) -> Carrier:
    return carrier


CitedFact = tuple[Clause, AnyFact]
"""The clause of a fact, and the fact."""

CitedFacts = tuple[CitedFact, ...]


class Count(Struct, frozen=True, gc=False):
    """A number as the subject of a check, distinct from card ids."""

    n: int


class FrameRef(Struct, frozen=True, gc=False):
    id: FrameId


class EffectRef(Struct, frozen=True, gc=False):
    id: EffectId


class Missing(Struct, frozen=True, gc=False):
    """The empty slot that the action should have filled."""

    slot: str


Word = NewType("Word", str)
"""A word as the subject of a check: a face, a kind of question, the name of an action."""

Subject = CardId | Count | FrameRef | EffectRef | Missing | Seat | Word
"""The subject of a check. A record encodes words and seats alike; the game's words distinguish them."""


def subject_or_missing(subject: Subject, slot: str) -> Subject:
    """Return the subject that a slot names, or `Missing` if the slot is empty."""
    return subject or Missing(slot)


Check = tuple[Clause, bool | None, *tuple[Subject, ...]]
"""A clause, whether it holds (None: cannot be known), and its subjects."""


class ClauseCheck(Struct, frozen=True):
    clause: Clause
    holds: bool | None
    about: tuple[Subject, ...] = ()


class Refusal(Struct, frozen=True):
    """The refusal of an action: the first clause that fails, and the checks up to it. `by_hand`: something that the
    action names is missing, so that a person must enter the facts."""

    clause: Clause
    trail: tuple[ClauseCheck, ...]
    by_hand: bool = False

    @property
    def about(self) -> tuple[Subject, ...]:
        return self.trail[-1].about
