"""Value types that the rules of DEA share: abilities in force, aims, and instruction contexts."""

from typing import Protocol

from msgspec import Struct

from domain.games.dea import table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.law.clause import Clause
from domain.law.live import Live
from domain.parts.programs import Path
from domain.table.table import CardId, Frame, FrameId, Place, Seat


class Works(Struct, frozen=True, gc=False):
    """Static ability in force: its source, the writer it belongs to, and its text."""

    source: CardId
    by: Seat
    said: T.Static


class Bearing(Struct, frozen=True):
    """Cards of a pool that have a modifier of one matter. Queries skip all other cards.

    `on_map` are cards that may stand on the map, `laid` cards that may be worn or have a live field, `fields` those
    with a field. `selfish`: cards on the map modify only themselves.
    """

    on_map: frozenset[str | None]
    laid: frozenset[str | None]
    fields: frozenset[str | None]
    selfish: bool


class Named(Protocol):
    """Action that names the choices of a text."""

    @property
    def targets(self) -> tuple[CardId, ...]: ...
    @property
    def cell(self) -> Place: ...
    @property
    def item(self) -> FrameId: ...
    @property
    def writer(self) -> Seat: ...
    @property
    def direction(self) -> str: ...


class Aim(Struct, frozen=True):
    """Viewpoint of a choice: the writer who chooses and the card that asks."""

    you: Seat
    source: CardId


class Printed(Struct, frozen=True):
    said: T.AnyUse
    place: int


class AbilityLine(Struct, frozen=True):
    said: T.Automatic
    path: Path


class DeaInstructionContext(Struct, frozen=True):
    """Context of an instruction that an item or an automatic effect carries out."""

    rules: Rules
    t: Live
    of: Frame
    because: Clause

    @property
    def source(self) -> CardId:
        return R.source_of(self.of).card
