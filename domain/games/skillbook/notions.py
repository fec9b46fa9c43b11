"""What the law of Skillbook hands on while it decides: abilities in force, who aims, where it carries out a text."""

from msgspec import Struct

from domain.games.skillbook import table_queries as R, text as T
from domain.games.skillbook.rules import Rules
from domain.law.live import Live
from domain.parts.squares import Square
from domain.table.table import CardId, Frame, Obj, Seat


class Works(Struct, frozen=True, gc=False):
    """A continuous ability in force: the card it is printed on, whose it is, and its words."""

    source: CardId
    by: Seat
    said: T.Continuous


class Aim(Struct, frozen=True):
    """Who aims, from which square, whether with a skill; `last` is where a unit stood that has gone."""

    you: Seat
    origin: Square | None
    is_skill: bool
    last: Square | None = None


class SkillbookInstructionContext(Struct, frozen=True):
    """An instruction being carried out, of an item or of a trigger."""

    rules: Rules
    t: Live
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
