"""The table that a law changes. Each fact takes effect at once, so the next line of the law sees it."""

from typing import Final

from domain.law.clause import CitedFact, CitedFacts, Clause
from domain.law.outcome import EndlessError
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact
from domain.table.table import Table

FACTS_MAX: Final = 5_000
"""Facts of one entry at most; the largest entry of a match has less than a twentieth of it."""


class LiveTable(Draft):
    """A table that applies and collects facts."""

    __slots__ = ("_told",)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._told: list[CitedFact] = []

    def emit(self, clause: Clause, fact: AnyFact) -> None:
        """Apply a fact and record it with its clause. Raises EndlessError after FACTS_MAX facts."""
        EVOLVE[type(fact)](self, fact)
        self._told.append((clause, fact))
        if len(self._told) > FACTS_MAX:
            raise EndlessError(f"more than {FACTS_MAX} facts in one entry")

    def take_facts(self) -> CitedFacts:
        """Return the facts collected for this entry and clear them."""
        facts, self._told = tuple(self._told), []
        return facts

    @property
    def fact_count(self) -> int:
        return len(self._told)

    @property
    def facts(self) -> CitedFacts:
        return tuple(self._told)
