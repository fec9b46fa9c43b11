"""Going back in a match by adding to it: undo and redo are rewinds, their cost shown first."""

from typing import Any

from cli.play.picking import Back
from cli.play.session import Session
from cli.record import outcome
from domain.law.entries import (
    Corrected,
    Described,
    Entry,
    Noted,
    Played,
    Restored,
    Rewound,
    line,
    predecessor,
    seen_before,
)
from domain.table.table import CHANCE
from recorder import matches
from recorder.answers import Cost, Recorded
from recorder.clock import now
from recorder.dictated import unordered


def undo(session: Session) -> None:
    """A rewind to before the last thing somebody entered, its cost shown first."""
    to = _before_last(session)
    if to < 1:
        session.line("play.undo_nothing")
        session.keys.clear()
        return
    undo_to(session, to)


def undo_to(session: Session, to: int) -> None:
    """A rewind to an entry, its cost shown first."""
    _go(session, to, session.say("play.undo_sure", to=to), session.say("play.undo"), session.say("play.reason_undo"))


def redo(session: Session) -> None:
    """The last undo taken back: a rewind to where the match stood before it, its cost shown first."""
    to = undone_last(session)
    if not to:
        session.line("play.redo_nothing")
        session.keys.clear()
        return
    _go(session, to, session.say("play.redo_sure", to=to), session.say("play.redo"), session.say("play.reason_redo"))


def _go(session: Session, to: int, head: str, enter: str, usual: str) -> None:
    cost = session.safely(lambda: matches.rewind_cost(session.store, session.found.id, to))
    if not isinstance(cost, Cost):
        raise Back
    outcome.priced(session.desk, session.found, cost, session.viewer, aside=False).draw()
    if not session.sure(head, enter):
        raise Back
    reason = session.text(session.say("play.reason"), [f"[{session.say('play.enter')}] {usual}"]) or usual
    version, croupier = session.found.version, not session.by_hand
    about = session.store, session.found.id, to, reason, session.by
    finish(session, lambda: matches.rewind(*about, with_croupier=croupier, expected=version, at=now()))


def _before_last(session: Session) -> int:
    """The entry to go back to: what chance answered by itself goes with what it followed."""
    path = line(session.found.entries)
    entries = session.found.entries
    for at in range(len(path) - 1, 0, -1):
        entry = entries[path[at] - 1]
        if isinstance(entry, Played | Corrected) and not _drawn_by_itself(session, entry):
            return path[at - 1]
    return 0


def undone_last(session: Session) -> int:
    """The last entry that the last undo took away; 0 if something has been entered since. A redo leads to what it
    brings back: from there the undo before may be taken back."""
    entries, at = session.found.entries, session.found.version
    while isinstance(entry := entries[at - 1], Restored | Noted | Described) or _drawn_by_itself(session, entry):
        at = predecessor(entries, at)
    return at - 1 if isinstance(entry, Rewound) else 0


def _drawn_by_itself(session: Session, entry: Entry) -> bool:
    """Did nobody enter what chance did? A shuffle of real cards that showed nothing records itself."""
    if not isinstance(entry, Played) or entry.actor != CHANCE:
        return False
    if not session.found.undealt:
        return not session.by_hand
    action = session.found.game.decoder().decode(entry.action)
    return unordered(action) == action and not seen_before(entry.told)


def finish(session: Session, ask: Any) -> bool:
    """Record what is no action; False if it was not."""
    answer = session.safely(ask)
    if isinstance(answer, Recorded):
        session.done(answer)
        return True
    if answer is not None:
        session.trouble(answer)
    return session.let_go()
