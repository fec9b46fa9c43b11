"""What is held of an entry while a record is audited."""

from msgspec import Struct

from domain.judging.audit.finding import Finding
from domain.law.worlds import Worlds
from domain.table.table import CardId, Table

EXACT, CLOSE, APART = 0, 1, 2
"""How well an entry fits a table: to the letter · in all that is compared · not."""


class Judged(Struct, frozen=True):
    """One entry looked at: the tables it may have led to, the record's own first; how well it fits; what is wrong."""

    tables: tuple[Table, ...]
    finding: Finding | None = None
    fit: int = EXACT


class Standing(Struct, frozen=True):
    """What stands behind an entry: the table of recorded facts, and those from which the record may go on."""

    record: Table
    tables: tuple[Table, ...]


class Verdicts(Struct, frozen=True):
    """What is wrong with one entry in each world, None where nothing is; `known` are cards that are the same in all."""

    findings: tuple[Finding | None, ...]
    worlds: Worlds
    known: tuple[CardId, ...] = ()

    @property
    def wrong(self) -> tuple[Finding, ...]:
        """What is wrong, in the worlds in which something is."""
        return tuple(finding for finding in self.findings if finding is not None)

    @property
    def all_wrong(self) -> bool:
        """Is it wrong whatever the cards are?"""
        return self.worlds.complete and bool(self.findings) and None not in self.findings

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The cards that make the difference."""
        return tuple(card for card in self.worlds.cards if card not in self.known)
