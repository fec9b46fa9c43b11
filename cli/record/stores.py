"""Backends that open and import matches, on this machine or at a service."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from cli.context import CommandContext
from cli.problems import CommandError
from domain.formats.pairings import Pairing, TableKind
from domain.formats.sheets import Sheet
from domain.law.clause import Clause
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.policy import Policy
from domain.table.table import Seat
from recorder.answers import Imported
from recorder.pairings import Round, TableMatch

LOCAL, HTTP = "cli.record.local_store:LocalStore", "cli.remote.store_backend:HttpStore"
"""Only the one in use is imported."""


class NewMatchOptions(Struct, frozen=True, kw_only=True):
    law: Law
    version: str
    names: dict[Seat, str]
    decks: dict[Seat, Deck]
    match_id: str | None
    occasion: Occasion
    by: str
    kind: TableKind
    policy: Policy | None
    pledges: dict[Seat, str]
    seed: bytes | None


class PairingTable(Struct, frozen=True):
    """Tables of a round: the file, its text and its rows."""

    file: str
    text: str
    rows: tuple[Pairing, ...]


class SheetLineResult(Struct, frozen=True, omit_defaults=True):
    """A recorded line of a sheet: its entries, and the clauses it broke."""

    line: int
    first: int
    last: int
    known: bool = False
    violations: tuple[Clause, ...] = ()


class SheetImportResult(Struct, frozen=True, omit_defaults=True):
    """Import of a sheet. `stopped` is the line that could not be recorded, and `why` the reason."""

    match: str
    version: int
    lines: tuple[SheetLineResult, ...]
    stopped: int = 0
    why: str = ""


class StoreBackend(Protocol):
    def open_match(self, opening: NewMatchOptions) -> str:
        """Open a match; return its id. Raises CommandError."""

    def open_round(self, shared: Round, table: PairingTable) -> Sequence[TableMatch]:
        """Open a match for each table without one. Raises CommandError."""

    def take_sheet(
        self, sheet: Sheet, text: str, match: str, mend: str
    ) -> tuple[SheetImportResult, CommandError | None]:
        """Record a sheet in a match; return the recorded lines and the error. Raises CommandError."""

    def take_in(self, file: str, match_id: str | None) -> Sequence[Imported]:
        """Import the records of a file, all or none. Raises CommandError."""


def open_store(ctx: CommandContext) -> StoreBackend:
    """Return the backend of the command's store."""
    opened: StoreBackend = ctx.backend(LOCAL, HTTP)(ctx)
    return opened
