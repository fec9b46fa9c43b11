"""Value types shared by the rules of DEA: active abilities, contexts of choices and of instructions."""

from typing import Protocol

from msgspec import Struct

from domain.games.dea import table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts.programs import Path
from domain.table.table import CardId, Frame, FrameId, Place, Seat


class ActiveStatic(Struct, frozen=True, gc=False):
    """Active static ability: its source, the writer it belongs to, and its text."""

    source: CardId
    by: Seat
    said: T.Static


class ModifierFaces(Struct, frozen=True):
    """Faces in a pool with a modifier of one kind. Queries skip all other cards.

    `on_map`: cards that may stand on the map. `laid`: cards that may be worn or have a live field, and `on_map` unless
    `selfish`. `fields`: those of `laid` with a field. `selfish`: cards on the map modify only themselves.
    """

    on_map: frozenset[str | None]
    laid: frozenset[str | None]
    fields: frozenset[str | None]
    selfish: bool


class NamesChoices(Protocol):
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


class ChoiceContext(Struct, frozen=True):
    """Context of a choice: the writer who chooses, and the card whose text asks."""

    you: Seat
    source: CardId


class PrintedUse(Struct, frozen=True):
    """Use printed on a card, with its place among the abilities."""

    said: T.AnyUse
    place: int


class AutomaticAbility(Struct, frozen=True):
    """Automatic ability with its path on the card."""

    said: T.Automatic
    path: Path


class DeaInstructionContext(Struct, frozen=True):
    """Context of an instruction that an item or an automatic effect carries out."""

    rules: Rules
    t: LiveTable
    of: Frame
    because: Clause

    @property
    def source(self) -> CardId:
        return R.source_of(self.of).card
