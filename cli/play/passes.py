"""Passes by all seats: on one key, or after every action.

Each pass is an entry of its seat. The passes stop when anything happens other than the next pass.
"""

from collections.abc import Sequence

from cli.play.session import PlaySession
from domain.judging.passing import is_waiting, next_passer
from domain.law.actions import Pass
from domain.table.table import Seat, Table
from recorder.answers import RecordResult


def find_passing_seat(session: PlaySession, table: Table, before: Table | None = None) -> Seat | None:
    """Return the seat that must pass next, also after a table `before`. None if it is not ours, or if something
    happened."""
    actor = next_passer(session.match.law, table, before)
    return actor if actor in session.ours else None


def all_pass(session: PlaySession) -> bool:
    """Pass for all seats until something happens; report it in one line. Return False if nothing was recorded."""
    done: list[RecordResult] = []
    if not session.confirm_early_input(session.say("play.all_pass")):
        return session.discard_input()
    before: Table | None = None
    while (actor := find_passing_seat(session, session.table, before)) is not None:
        before = session.table
        answer = session.pass_by(actor)
        if not isinstance(answer, RecordResult):  # visible cards, the end of the match, or another writer
            _tell(session, done)
            return (answer is not None and session.submit(actor, Pass())) or bool(done)
        session.settle(answer)
        session.tally.add(session.keys.clear(), passing=True)
        done.append(answer)
    _tell(session, done)
    session.keys.mark()
    return bool(done)


def _tell(session: PlaySession, done: Sequence[RecordResult]) -> None:
    if not done:
        return
    seats = session.list_names(str(getattr(answer.entry, "actor", "")) for answer in done)
    entries = "-".join(dict.fromkeys((str(done[0].version), str(done[-1].version))))
    session.print_message("play.all_passed", entries=entries, seats=seats)
    session.show_entries(done[-1].version, (done[-1].entry, *done[-1].also), done[-1].before, named=False)


def toggle_automatic_passes(session: PlaySession) -> None:
    """Toggle automatic passes after every action."""
    session.silent = not session.silent
    session.print_message("play.silent" if session.silent else "play.heard")
    if not (session.silent and is_waiting(session.table) and all_pass(session)):
        session.keys.clear()
