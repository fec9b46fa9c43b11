"""What the law of DEA hands on while it decides: abilities in force, who aims, where a text is being carried out."""

from typing import Protocol

from msgspec import Struct

from domain.games.dea import table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.law.clause import Clause
from domain.law.live import Live
from domain.parts.programs import Path
from domain.table.table import CardId, Frame, FrameId, Place, Seat


class Works(Struct, frozen=True, gc=False):
    """A static ability in force: the card it is printed on, whose it is, and its words."""

    source: CardId
    by: Seat
    said: T.Static


class Bearing(Struct, frozen=True):
    """The cards of a pool on which a modifier of one matter is printed: no other is asked for one.

    `on_map` are those that may stand there: as played that may be a foreshadow too. `laid` are those that may be worn
    or live, `fields` of these the fields. `selfish` says that none on the map has one for anybody but itself: then
    nobody else's need be looked for.
    """

    on_map: frozenset[str | None]
    laid: frozenset[str | None]
    fields: frozenset[str | None]
    selfish: bool


class Named(Protocol):
    """An action with what it names for a text."""

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
    """Who asks what of the table: the writer who chooses, the card whose text it is."""

    you: Seat
    source: CardId


class Printed(Struct, frozen=True):
    """A use and its place among the abilities of its card."""

    said: T.AnyUse
    place: int


class AbilityLine(Struct, frozen=True):
    """An automatic ability of a face, and where it stands there."""

    said: T.Automatic
    path: Path


class DeaInstructionContext(Struct, frozen=True):
    """An instruction being carried out, of an item or of an automatic effect."""

    rules: Rules
    t: Live
    of: Frame
    because: Clause

    @property
    def source(self) -> CardId:
        return R.source_of(self.of).card
