"""Structs shared by the law of Skillbook: continuous effects, aims and instruction contexts."""

from msgspec import Struct

from domain.games.skillbook import table_queries as R, text as T
from domain.games.skillbook.rules import Rules
from domain.law.live import LiveTable
from domain.parts.squares import Square
from domain.table.table import CardId, Frame, Obj, Seat


class ContinuousEffect(Struct, frozen=True, gc=False):
    source: CardId
    by: Seat
    said: T.Continuous


class TargetContext(Struct, frozen=True):
    """Player and origin of a choice of targets. `last` is the last square of a unit that is gone."""

    you: Seat
    origin: Square | None
    is_skill: bool
    last: Square | None = None


class SkillbookInstructionContext(Struct, frozen=True):
    """Context of an instruction. `of` is the item or trigger that it belongs to."""

    rules: Rules
    t: LiveTable
    of: Frame

    @property
    def source(self) -> CardId:
        return R.source_of(self.of).card

    @property
    def by(self) -> Seat:
        return self.of.by

    @property
    def targets(self) -> tuple[Obj, ...]:
        return R.trigger_targets(self.of) if self.of.kind == "trigger" else R.targets_of(self.of)
