"""Every clause that the law looks at for an action: for a recorded one, and for one that somebody only asks about."""

from collections.abc import Sequence

from domain.law.clause import Consulted
from domain.law.driver import trail
from domain.law.entries import Entry, Played, fold_entries, opened_of, tables
from domain.law.law import Law
from domain.law.slots import Action
from domain.table.physics import Physics
from domain.table.redact import blind
from domain.table.table import Seat, Table

Trail = tuple[Consulted, ...]


def recorded_trail(law: Law, entries: Sequence[Entry], number: int) -> tuple[Table, Trail]:
    """The table on which a recorded action was entered, and what the law looks at there today.

    Raises MsgspecError for an action that is none of the game.
    """
    entry = entries[number - 1]
    assert isinstance(entry, Played)
    before = next(before for at, _, before, _ in tables(entries[:number]) if at == number)
    return before, trail(law, before, entry.actor, law.game.decoder().decode(entry.action))


def asked_table(entries: Sequence[Entry], at: int, viewer: Seat) -> Table:
    """The table after entry `at` as the viewer knows it: names and checks on it cannot tell what is hidden."""
    opened = opened_of(entries)
    return blind(Physics(opened.schema), fold_entries(entries, at), viewer)


def asked_trail(
    law: Law, entries: Sequence[Entry], at: int, actor: Seat, action: Action, viewer: Seat
) -> tuple[Table, Trail]:
    """The table after entry `at` as the viewer knows it, and what the law looks at on that one: on no other."""
    table = asked_table(entries, at, viewer)
    return table, trail(law, table, actor, action)
