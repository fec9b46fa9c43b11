"""Trails: the clauses that the law consults for an action, recorded or hypothetical, with their notes."""

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from domain.law.asking import StrictLiveTable
from domain.law.clause import CitedFacts, ClauseCheck
from domain.law.driver import carry_out, carry_out_as_played, consult_clauses
from domain.law.entries import Played, leading_faces
from domain.law.law import Law
from domain.law.noting import ExplainedLiveTable, Note
from domain.law.outcome import UnknownFaceError
from domain.law.record import Record
from domain.law.slots import Action, misplaced_cards
from domain.law.unseen import skips_questions_after_faces
from domain.table.evolve import fold
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, Seat, Table

Trail = tuple[ClauseCheck, ...]


def recorded_trail(record: Record, number: int) -> tuple[Table, Trail]:
    """Return the table before a recorded action and the clauses that the law consults on it today. Raises MsgspecError
    for an action foreign to the game."""
    entry = record.entries[number - 1]
    assert isinstance(entry, Played)
    before = record.after(number - 1)
    return before, consult_clauses(record.law, before, entry.actor, record.game.decoder().decode(entry.action))


def known_table(record: Record, eyes: TableViewer, at: int) -> Table:
    """Return the table after entry `at` as the viewer knows it. Checks on it cannot disclose hidden cards."""
    return eyes.without_hidden_faces(record.after(at))


def hypothetical_trail(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> tuple[Table, Trail]:
    """Return the table after entry `at` as the viewer knows it, and the clauses that the law consults on it."""
    table = known_table(record, eyes, at)
    return table, consult_clauses(record.law, table, actor, action)


def certain_trail(record: Record, eyes: TableViewer, at: int, actor: Seat, action: Action) -> tuple[Table, Trail]:
    """Return the table after entry `at` as the viewer knows it, and the steps before the law reads an unknown face.
    These steps are the same for all values of the hidden cards."""
    table = known_table(record, eyes, at)
    return table, certain_steps(record.law, table, actor, action)


def certain_steps(law: Law, table: Table, actor: Seat, action: Action) -> Trail:
    """Return the clauses that the law consults before it reads an unknown face."""
    steps: list[ClauseCheck] = []
    with suppress(UnknownFaceError):
        for clause, holds, *about in law.checks(StrictLiveTable(table), actor, action):
            steps.append(ClauseCheck(clause, holds, tuple(about)))
    return tuple(steps)


class ActionExplanation(Struct, frozen=True):
    """The notes of an action that was decided again, with the table before it and its facts. `checked` are the notes of
    the checks, `notes` those of the consequences."""

    before: Table
    told: CitedFacts = ()
    checked: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()


def explain_action(
    law: Law, before: Table, actor: Seat, action: Action, *, as_played: bool = False, skips: bool = False
) -> ActionExplanation:
    """Decide an action again, up to the first unknown face that the law reads. `as_played`: the action broke
    clauses; `skips` then selects its meaning. An action that is refused today has no notes."""
    if misplaced_cards(before, actor, action):
        return ActionExplanation(before)
    checked, live = ExplainedLiveTable(before), ExplainedLiveTable(before)
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
    """Return the notes of a recorded action, using only what the viewer knows after it. The notes of the checks are for
    the actor and the judge. Raises MsgspecError for an action foreign to the game."""
    action = law.game.decoder().decode(entry.action)
    start = _as_known(eyes, fold(before, (fact for _, fact in leading_faces(entry.told))), after)
    try:
        skips = bool(entry.violations) and skips_questions_after_faces(law, before, entry, action)
        explanation = explain_action(law, start, entry.actor, action, as_played=bool(entry.violations), skips=skips)
    except Exception:  # facts by hand may produce a table on which a law fails; it then explains nothing
        explanation = ActionExplanation(start)
    return explanation if eyes.viewer in (entry.actor, JUDGE) else replace(explanation, checked=())


def hypothetical_notes(law: Law, table: Table, actor: Seat, action: Action) -> tuple[Note, ...]:
    """Return the notes of a hypothetical action, on a table of what the viewer knows. If another clause forbids the
    action, notes that permit it are left out."""
    checked, refused = ExplainedLiveTable(table), False
    with suppress(UnknownFaceError):
        for check in law.checks(checked, actor, action):
            refused = refused or not check[1]
    return tuple(note for note in checked.notes if not (refused and note.permits))


def _as_known(eyes: TableViewer, before: Table, after: Table) -> Table:
    """Return the table before an entry with only the faces that the viewer knows before or after it."""
    start = eyes.without_hidden_faces(before)
    learned = {
        card: replace(piece, face=before.pieces[card].face)
        for card, piece in start.pieces.items()
        if piece.face is None and card in after.pieces and eyes.knows(after, card)
    }
    return start.with_changes(pieces={**start.pieces, **learned}) if learned else start
