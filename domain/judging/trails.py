"""Every clause that the law looks at for an action: for a recorded one, and for one that somebody only asks about."""

from domain.law.clause import Consulted
from domain.law.driver import trail
from domain.law.entries import Played, fold_entries, tables
from domain.law.record import Record
from domain.law.slots import Action
from domain.table.redact import Eyes
from domain.table.table import Seat, Table

Trail = tuple[Consulted, ...]


def recorded_trail(record: Record, number: int) -> tuple[Table, Trail]:
    """The table on which a recorded action was entered, and what the law looks at there today.

    Raises MsgspecError for an action that is none of the game.
    """
    entry = record.entries[number - 1]
    assert isinstance(entry, Played)
    before = next(before for at, _, before, _ in tables(record.entries[:number]) if at == number)
    return before, trail(record.law, before, entry.actor, record.game.decoder().decode(entry.action))


def asked_table(record: Record, eyes: Eyes, at: int) -> Table:
    """The table after entry `at` as the viewer knows it: names and checks on it cannot tell what is hidden."""
    return eyes.blind(fold_entries(record.entries, at))


def asked_trail(record: Record, eyes: Eyes, at: int, actor: Seat, action: Action) -> tuple[Table, Trail]:
    """The table after entry `at` as the viewer knows it, and what the law looks at on that one: on no other."""
    table = asked_table(record, eyes, at)
    return table, trail(record.law, table, actor, action)
