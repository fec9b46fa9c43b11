"""Going back in a match by adding to it: undo and redo are rewinds, their cost shown first."""

from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any, Literal

from msgspec import Struct

from cli.play.offering import ONE_DIGIT
from cli.play.picking import Back, Item
from cli.play.session import Session
from cli.record import outcome
from domain.law import entries as E
from domain.law.actions import PASS
from domain.law.clause import Told
from domain.law.slots import verb
from domain.table.table import CHANCE
from recorder import matches
from recorder.answers import Cost, Recorded
from recorder.clock import now
from recorder.dictated import unordered

WHY = "w"
"""The key by which a reason is typed that is not the usual one."""


class Done(Struct, frozen=True):
    """Something somebody entered: its number, the entry it follows on the line, and what it is."""

    number: int
    before: int
    entry: E.Played | E.Corrected | E.Gap


def entered(session: Session) -> Iterator[Done]:
    """What was entered, the newest first: what chance answered by itself goes with what it followed."""
    entries = session.match.entries
    for before, at in reversed([*pairwise(E.line(entries))]):
        entry = entries[at - 1]
        if isinstance(entry, E.Played | E.Corrected | E.Gap) and not _drawn_by_itself(session, entry):
            yield Done(at, before, entry)


def choose_entered(session: Session) -> Done:
    """The entry to go back to: Enter means the last, a digit one of those that are no pass. Raises Back."""
    last = next(entered(session), None)
    if last is None:
        session.tell("play.undo_nothing")
        session.keys.clear()
        raise Back
    acts = [done for done in entered(session) if not passes(session, done.entry)]
    listed = [Item(done, named(session, done.number), ()) for done in islice(acts, ONE_DIGIT)]
    numbered = dict(enumerate(listed, start=1))
    got = session.picker.choose(session.say("play.undo_which"), numbered, enter=named(session, last.number))
    return numbered[got].value if got else last


def named(session: Session, number: int) -> str:
    """An entry with its number."""
    entries = session.match.entries[number - 1 : number]
    return f"{number} {outcome.lines(session.desk, session.match, session.eyes, number, entries)[0].text}"


def passes(session: Session, entry: E.Entry) -> bool:
    """Did a seat only pass?"""
    return isinstance(entry, E.Played) and verb(session.match.game.decoder().decode(entry.action)) == PASS


def redo(session: Session) -> None:
    """The last undo taken back: a rewind to where the match stood before it, its cost shown first."""
    go_to(session, undone_last(session) or _left_last(session), "redo")


def go_to(session: Session, to: int, way: Literal["undo", "redo"] = "undo") -> None:
    """A rewind to an entry, its cost shown first; 0 if there is none to go to."""
    if not to:
        session.tell(f"play.{way}_nothing")
        session.keys.clear()
        return
    show_cost(session, to)
    key = session.picker.choose(
        session.say(f"play.{way}_sure", to=to), {}, session.say(f"play.{way}"), why_or_not(session)
    )
    rewind(session, to, reason_for(session, key, session.say(f"play.reason_{way}")))


def show_cost(session: Session, to: int) -> None:
    """What a rewind takes back, and who has learned what in it. Raises Back if it cannot be."""
    cost = session.safely(lambda: matches.rewind_cost(session.store, session.match.id, to))
    if not isinstance(cost, Cost):
        raise Back
    outcome.answer_cost(session.desk, session.match, session.eyes, cost, aside=False).draw()


def why_or_not(session: Session) -> dict[str, str]:
    """The keys beside Enter where something is about to be taken back."""
    return {WHY: session.say("play.why"), "<": session.say("play.let_go")}


def reason_for(session: Session, key: object, usual: str) -> str:
    """The usual reason, or the one that is typed if that was wanted."""
    return session.reason(usual) if key == WHY else usual


def rewind(session: Session, to: int, reason: str) -> bool:
    """Go on from another entry."""
    version, croupier = session.match.version, not session.by_hand
    about = session.store, session.match.id, to, reason, session.by
    return finish(session, lambda: matches.rewind(*about, with_croupier=croupier, expected=version, at=now()))


def undone_last(session: Session) -> int:
    """The last entry that the last undo took away; 0 if something has been entered since. A redo leads to what it
    brings back: from there the undo before may be taken back."""
    entries, at = session.match.entries, session.match.version
    while isinstance(entry := entries[at - 1], E.Restored | E.Noted | E.Described) or _drawn_by_itself(session, entry):
        at = E.predecessor(entries, at)
    return at - 1 if isinstance(entry, E.Rewound) else 0


def _left_last(session: Session) -> int:
    """The entry that the last undo on the line left, though something has been entered since; 0 if there is none."""
    entries = session.match.entries
    undone = (at for at in reversed(E.line(entries)) if type(entries[at - 1]) is E.Rewound)
    return next(undone, 1) - 1


def _drawn_by_itself(session: Session, entry: E.Entry) -> bool:
    """Did nobody enter what chance did? A shuffle of real cards that showed nothing records itself."""
    if not isinstance(entry, E.Played) or entry.actor != CHANCE:
        return False
    if not session.match.undealt:
        return not session.by_hand
    action = session.match.game.decoder().decode(entry.action)
    return unordered(action) == action and not E.seen_before(entry.told)


def need_all(session: Session) -> None:
    """Whoever records for some seats only may not name what is hidden."""
    if not session.all_ours:
        session.tell("play.all_seats")
        raise Back


def correct(session: Session, told: Told, usual: str) -> None:
    """Facts by hand, and why."""
    about = session.store, session.match.id, session.by, session.reason(usual), told
    version = session.match.version
    finish(session, lambda: matches.correct(*about, expected=version, at=now()))


def finish(session: Session, ask: Callable[[], Any]) -> bool:
    """Record what is no action; False if it was not."""
    if not session.meant(" ".join(session.drafts.words)):
        return session.let_go()
    answer = session.safely(ask)
    if isinstance(answer, Recorded):
        session.done(answer)
        return True
    if answer is not None:
        session.trouble(answer)
    return session.let_go()
