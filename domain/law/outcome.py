"""What comes of asking the law. Types of their own, without any law beside them, so that law can be compiled."""

from msgspec import Struct

from domain.law.clause import Clause, Refusal, Told
from domain.table.table import CardId, Table


class Accepted(Struct, frozen=True):
    """An action carried out: the facts it led to, each with its clause, and the table after them.

    `violations` are the clauses that did not hold, for an action recorded as played.
    """

    told: Told
    table: Table
    violations: tuple[Clause, ...] = ()


Outcome = Accepted | Refusal


class Endless(RuntimeError):
    """A law that never comes to rest: more facts or steps in one entry than any can lead to. Nothing is recorded."""


class UnknownFaceError(LookupError):
    """The law cannot go on without the face of this card; `purpose` is what the card is turned up for, if known."""

    def __init__(self, card: CardId, purpose: str = "") -> None:
        super().__init__(card)
        self.card = card
        self.purpose = purpose
