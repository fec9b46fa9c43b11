"""The table that a law works on: what the law tells happens on it at once, so that the next line already sees it."""

from typing import Final

from domain.law.clause import Clause, Telling, Told
from domain.law.outcome import Endless
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact
from domain.table.table import Table

FACTS_MAX: Final = 5_000
"""Bound on the facts one entry can lead to; a match's largest entry stays under a twentieth of it."""


class Live(Draft):
    """A live table, and what was told on it so far."""

    __slots__ = ("_told",)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._told: list[Telling] = []

    def tell(self, clause: Clause, fact: AnyFact) -> None:
        """Let a fact happen because of a clause. Raises Endless where no entry can lead to so many."""
        EVOLVE[type(fact)](self, fact)
        self._told.append((clause, fact))
        if len(self._told) > FACTS_MAX:
            raise Endless(f"more than {FACTS_MAX} facts in one entry")

    def take(self) -> Told:
        """What was told so far; what is told from here on belongs to another entry."""
        told, self._told = tuple(self._told), []
        return told

    @property
    def count(self) -> int:
        """How much was told so far."""
        return len(self._told)

    @property
    def facts(self) -> Told:
        """What was told, in its order."""
        return tuple(self._told)
