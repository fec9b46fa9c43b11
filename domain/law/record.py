"""An opened match as a value: what everything is given that shows, judges or explains one."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.law.entries import Entry, Opened, fold_entries, opened_of
from domain.law.game import Game
from domain.law.law import Law
from domain.table.physics import physics_of
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import Seat, Table


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
    def opened(self) -> Opened:
        """The first entry."""
        return opened_of(self.entries)

    def after(self, number: int) -> Table:
        """The table after an entry, by recorded facts alone; 0 is before the first."""
        return fold_entries(self.entries, number)

    def eyes(self, viewer: Seat = SPECTATOR) -> Eyes:
        """The eyes of one who looks at its tables."""
        return Eyes(physics_of(self.opened.schema), viewer)


def record_of(game: Game, entries: Sequence[Entry]) -> Record:
    """A record under the rules pinned in it. Raises MsgspecError where those are none of this game."""
    return Record(Law(game, msgspec.convert(opened_of(entries).rules, game.rules_type)), entries)
