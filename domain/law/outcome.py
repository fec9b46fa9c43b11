"""Outcomes of the law. They depend on no law, so that law can be compiled."""

from msgspec import Struct

from domain.law.clause import CitedFacts, Clause, Refusal
from domain.table.table import CardId, Table


class Accepted(Struct, frozen=True):
    """An action carried out: its facts with their clauses, and the table after them. `violations` are the clauses that
    did not hold, for an action as played."""

    told: CitedFacts
    table: Table
    violations: tuple[Clause, ...] = ()


Outcome = Accepted | Refusal


class EndlessError(RuntimeError):
    """A law that does not come to rest: too many facts or steps in one entry. Nothing is recorded."""


class UnknownFaceError(LookupError):
    """The law needs the face of this card; `purpose` says why the card is turned up, if known."""

    def __init__(self, card: CardId, purpose: str = "") -> None:
        super().__init__(card)
        self.card = card
        self.purpose = purpose
