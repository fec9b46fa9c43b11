"""A match with its law: the input of everything that shows, judges or explains one."""

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
    """A match under the law it was opened with. `entries`, the opening first, may be read lazily."""

    law: Law
    entries: Sequence[Entry]

    @property
    def game(self) -> Game:
        return self.law.game

    @property
    def rules(self) -> Any:
        return self.law.rules

    @property
    def opening(self) -> Opened:
        return opened_of(self.entries)

    @property
    def names(self) -> Mapping[Seat, str]:
        return self.opening.names

    def after(self, number: int) -> Table:
        """Return the table after an entry, from recorded facts alone; 0 is before the first."""
        return fold_entries(self.entries, number)

    def eyes(self, viewer: Seat = SPECTATOR) -> TableViewer:
        """Return the view of a viewer, which for a judge of real cards includes faces learned later."""
        look_back = _make_look_back(self.entries) if viewer == JUDGE and isinstance(self.opening, Undealt) else None
        return TableViewer(physics_of(self.opening.schema), viewer, look_back)


def _make_look_back(entries: Sequence[Entry]) -> LookBack:
    """Return the lookup of faces learned late, computed at its first use."""
    learned: list[Mapping[int, Mapping[CardId, LateFace]]] = []

    def look_back(number: int) -> Mapping[CardId, LateFace]:
        if not learned:
            learned.append(collect_late_faces(entries))
        return learned[0].get(number, {})

    return look_back


def record_of(game: Game, entries: Sequence[Entry]) -> Record:
    """Return a record under the rules pinned in it. Raises MsgspecError if they are not this game's."""
    return Record(Law(game, msgspec.convert(opened_of(entries).rules, game.rules_type)), entries)
