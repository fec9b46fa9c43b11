"""An opened match as a value: what everything is given that shows, judges or explains one."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.law.entries import Entry, Opened, Undealt, fold_entries, opened_of
from domain.law.game import Game
from domain.law.late_faces import collect_late_faces
from domain.law.law import Law
from domain.table.physics import physics_of
from domain.table.redact import SPECTATOR, LateFace, LookBack, TableViewer
from domain.table.table import JUDGE, CardId, Seat, Table


class Record(Struct, frozen=True):
    """A match under the law it was opened with. Its entries, the opening first, may be read as they are asked for."""

    law: Law
    entries: Sequence[Entry]

    @property
    def game(self) -> Game:
        """What is played."""
        return self.law.game

    @property
    def rules(self) -> Any:
        """The rules pinned in it."""
        return self.law.rules

    @property
    def opening(self) -> Opened:
        """The first entry."""
        return opened_of(self.entries)

    @property
    def names(self) -> Mapping[Seat, str]:
        """The players' names by their seats, as far as they are known."""
        return self.opening.names

    def after(self, number: int) -> Table:
        """The table after an entry, by recorded facts alone; 0 is before the first."""
        return fold_entries(self.entries, number)

    def eyes(self, viewer: Seat = SPECTATOR) -> TableViewer:
        """The eyes of one who looks at its tables."""
        look_back = _looking_back(self.entries) if viewer == JUDGE and isinstance(self.opening, Undealt) else None
        return TableViewer(physics_of(self.opening.schema), viewer, look_back)


def _looking_back(entries: Sequence[Entry]) -> LookBack:
    """What was learned late of these entries, worked out when somebody looks at the first of them."""
    learned: list[Mapping[int, Mapping[CardId, LateFace]]] = []

    def look_back(number: int) -> Mapping[CardId, LateFace]:
        if not learned:
            learned.append(collect_late_faces(entries))
        return learned[0].get(number, {})

    return look_back


def record_of(game: Game, entries: Sequence[Entry]) -> Record:
    """A record under the rules pinned in it. Raises MsgspecError where those are none of this game."""
    return Record(Law(game, msgspec.convert(opened_of(entries).rules, game.rules_type)), entries)
