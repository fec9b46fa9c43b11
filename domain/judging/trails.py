"""Every clause that the law looks at for an action, and every one that shapes what follows and tells nothing.

For a recorded action, and for one that somebody only asks about.
"""

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from domain.law.asking import Asking
from domain.law.clause import Consulted, Told
from domain.law.driver import carry_out, carry_out_as_played, trail
from domain.law.entries import Played, seen_before
from domain.law.law import Law
from domain.law.noting import Note, Noting
from domain.law.outcome import UnknownFaceError
from domain.law.record import Record
from domain.law.slots import Action, misplaced
from domain.law.unseen import skips_seen
from domain.table.evolve import fold
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, Seat, Table

Trail = tuple[Consulted, ...]


def recorded_trail(record: Record, number: int) -> tuple[Table, Trail]:
    """The table on which a recorded action was entered, and what the law looks at there today.

    Raises MsgspecError for an action that is none of the game.
    """
    entry = record.entries[number - 1]
    assert isinstance(entry, Played)
    before = record.after(number - 1)
    return before, trail(record.law, before, entry.actor, record.game.decoder().decode(entry.action))


def asked_table(record: Record, eyes: TableViewer, at: int) -> Table:
    """The table after entry `at` as the viewer knows it: names and checks on it cannot tell what is hidden."""
    return eyes.blind(record.after(at))


def asked_trail(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> tuple[Table, Trail]:
    """The table after entry `at` as the viewer knows it, and what the law looks at on that one: on no other."""
    table = asked_table(record, eyes, at)
    return table, trail(record.law, table, actor, action)


def certain_trail(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> tuple[Table, Trail]:
    """Return the table after entry `at` as the viewer knows it, and what the law looks at on it before it reads the
    first face that the viewer does not know. These steps are the same whatever the hidden cards are."""
    table = asked_table(record, eyes, at)
    steps: list[Consulted] = []
    with suppress(UnknownFaceError):
        for clause, holds, *about in record.law.checks(Asking(table), actor, action):
            steps.append(Consulted(clause, holds, tuple(about)))
    return table, tuple(steps)


class ActionExplanation(Struct, frozen=True):
    """An action decided again to hear what shapes it: the table before it, what was told on it, and the notes.

    `checked` are those of the checks, `notes` those of what followed.
    """

    before: Table
    told: Told = ()
    checked: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()


def explain_action(
    law: Law, before: Table, actor: Seat, action: Action, *, as_played: bool = False, skips: bool = False
) -> ActionExplanation:
    """Decide an action that was taken once more, as far as the first face that is not on the table and the law reads.

    `as_played`: it broke clauses then, and `skips` says in which meaning. One that is refused today is not shaped by
    anything.
    """
    if misplaced(before, actor, action):
        return ActionExplanation(before)
    checked, live = Noting(before), Noting(before)
    with suppress(UnknownFaceError):
        broken = [check for check in law.checks(checked, actor, action) if not check[1]]
        if broken and not as_played:
            return ActionExplanation(before)
    with suppress(UnknownFaceError):
        if as_played:
            carry_out_as_played(law, live, actor, action, skips=skips)
        else:
            carry_out(law, live, actor, action)
    return ActionExplanation(before, live.facts, checked.notes, live.notes)


def explain_recorded_action(
    law: Law, eyes: TableViewer, entry: Played, before: Table, after: Table
) -> ActionExplanation:
    """What shaped a recorded action, from what the viewer knows by its end and nothing else.

    What was noted of the checks is for the one who acted and the judge. Raises MsgspecError for an action that is none
    of the game.
    """
    action = law.game.decoder().decode(entry.action)
    start = _as_known(eyes, fold(before, (fact for _, fact in seen_before(entry.told))), after)
    try:
        skips = bool(entry.violations) and skips_seen(law, before, entry, action)
        shaped = explain_action(law, start, entry.actor, action, as_played=bool(entry.violations), skips=skips)
    except Exception:  # facts by hand may have laid out a table on which a law stumbles: then it explains nothing
        shaped = ActionExplanation(start)
    return shaped if eyes.viewer in (entry.actor, JUDGE) else replace(shaped, checked=())


def asked_notes(law: Law, table: Table, actor: Seat, action: Action) -> tuple[Note, ...]:
    """What shapes the answer to whether an action is allowed, on a table of what the asker knows.

    What permits is of no interest where something else forbids.
    """
    checked, refused = Noting(table), False
    with suppress(UnknownFaceError):
        for check in law.checks(checked, actor, action):
            refused = refused or not check[1]
    return tuple(note for note in checked.notes if not (refused and note.permits))


def _as_known(eyes: TableViewer, before: Table, after: Table) -> Table:
    """The table before an entry with the faces alone that a viewer knows before it or after it."""
    start = eyes.blind(before)
    learned = {
        card: replace(piece, face=before.pieces[card].face)
        for card, piece in start.pieces.items()
        if piece.face is None and card in after.pieces and eyes.knows(after, card)
    }
    return start.but(pieces={**start.pieces, **learned}) if learned else start
