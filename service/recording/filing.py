"""Rights that depend on the content of a command, and problems of commands out of order."""

from typing import Final

from domain.law import disputes as D
from domain.law.docket import docket_of, file
from domain.words import Text
from recorder.usecases import commands as C
from service.access import Session, may
from service.context import MatchView
from service.problems import Type, http_problem

OUT_OF_ORDER: Final = (
    "docket.is_open", "docket.is_ruled", "docket.is_appealed", "docket.is_closed", "docket.paused", "docket.not_paused",
    "docket.revealed", "docket.too_late",
)  # fmt: skip
"""What stands against something that comes too early, too late or twice."""


def require_right(view: MatchView, session: Session, command: C.AnyFiled) -> None:
    """Halt where whoever sends a command has no right to what it says: a seat speaks for itself alone, going back is
    for who may go back without a ruling, and nobody learns by a dispute whether a thing lies where they do not see it.
    """
    match command:
        case C.OpenDispute(about=about, thing=thing, claims=claims):
            if session.seat and any(seat != session.seat for seat in claims):
                raise http_problem("no-authority", Text("problem.own_claim", {"seat": session.seat}))
            at = about or view.head
            if thing and at <= view.head and not is_seen(view, at, thing):
                raise http_problem("unreadable", Text("docket.no_thing", {"thing": thing, "entry": at}))
        case C.RevealSecret(seat=seat) if session.seat not in ("", seat):
            raise http_problem("no-authority", Text("problem.own_secret", {"seat": session.seat}))
        case C.RevealSecret(secret="") if not may(session, "rule", view.match.id):
            raise http_problem("no-authority", Text("problem.missing_secret"))
        case C.Rule(to=to, asks=False) | C.Decide(to=to) if to and not may(session, "approve_rewind", view.match.id):
            raise http_problem("no-authority", Text("problem.ruled_rewind"))
        case _:
            pass


def stands(view: MatchView, entry: D.Filed) -> bool:
    """May such an entry come next?"""
    return not isinstance(file(docket_of(view.match.entries), view.head + 1, entry), Text)


def problem_of(why: Text) -> Type:
    """What kind of problem it is that stands against an entry."""
    return "out-of-order" if why.key in OUT_OF_ORDER else "unreadable"


def is_seen(view: MatchView, number: int, thing: int) -> bool:
    """Can whoever looks point at a thing after an entry?"""
    table = view.match.after(number)
    return any(piece.thing == thing and view.eyes.follows(table, card) for card, piece in table.pieces.items())
