"""Going back in a match by adding to it: undo and redo are rewinds, their cost shown first."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

from cli.play.picking import Back
from cli.play.session import Session
from cli.record import outcome
from domain.law import entries as E
from domain.table.table import CHANCE
from recorder import matches
from recorder.answers import Cost, Recorded
from recorder.clock import now
from recorder.dictated import unordered


def undo(session: Session) -> None:
    """A rewind to before the last thing somebody entered, its cost shown first."""
    go_to(session, _before_last(session), "undo")


def redo(session: Session) -> None:
    """The last undo taken back: a rewind to where the match stood before it, its cost shown first."""
    go_to(session, undone_last(session), "redo")


def go_to(session: Session, to: int, way: Literal["undo", "redo"] = "undo") -> None:
    """A rewind to an entry, its cost shown first; 0 if there is none to go to."""
    if not to:
        session.tell(f"play.{way}_nothing")
        session.keys.clear()
        return
    cost = session.safely(lambda: matches.rewind_cost(session.store, session.match.id, to))
    if not isinstance(cost, Cost):
        raise Back
    outcome.answer_cost(session.desk, session.match, session.eyes, cost, aside=False).draw()
    if not session.sure(session.say(f"play.{way}_sure", to=to), session.say(f"play.{way}")):
        raise Back
    reason = session.reason(session.say(f"play.reason_{way}"))
    version, croupier = session.match.version, not session.by_hand
    about = session.store, session.match.id, to, reason, session.by
    finish(session, lambda: matches.rewind(*about, with_croupier=croupier, expected=version, at=now()))


def _before_last(session: Session) -> int:
    """The entry to go back to: what chance answered by itself goes with what it followed."""
    entries = session.match.entries
    for before, at in reversed([*pairwise(E.line(entries))]):
        entry = entries[at - 1]
        if isinstance(entry, E.Played | E.Corrected) and not _drawn_by_itself(session, entry):
            return before
    return 0


def undone_last(session: Session) -> int:
    """The last entry that the last undo took away; 0 if something has been entered since. A redo leads to what it
    brings back: from there the undo before may be taken back."""
    entries, at = session.match.entries, session.match.version
    while isinstance(entry := entries[at - 1], E.Restored | E.Noted | E.Described) or _drawn_by_itself(session, entry):
        at = E.predecessor(entries, at)
    return at - 1 if isinstance(entry, E.Rewound) else 0


def _drawn_by_itself(session: Session, entry: E.Entry) -> bool:
    """Did nobody enter what chance did? A shuffle of real cards that showed nothing records itself."""
    if not isinstance(entry, E.Played) or entry.actor != CHANCE:
        return False
    if not session.match.undealt:
        return not session.by_hand
    action = session.match.game.decoder().decode(entry.action)
    return unordered(action) == action and not E.seen_before(entry.told)


def finish(session: Session, ask: Callable[[], Any]) -> bool:
    """Record what is no action; False if it was not."""
    answer = session.safely(ask)
    if isinstance(answer, Recorded):
        session.done(answer)
        return True
    if answer is not None:
        session.trouble(answer)
    return session.let_go()
