"""Rights that depend on the content of a command, and problems of commands out of order."""

from typing import Final

from domain.law import disputes as D
from domain.law.docket import apply_filing, docket_of
from domain.words import Text
from recorder.usecases import commands as C
from service.access import Session, may
from service.context import MatchView
from service.problems import Type, http_problem

OUT_OF_ORDER: Final = (
    "docket.is_open", "docket.is_ruled", "docket.is_appealed", "docket.is_closed", "docket.paused", "docket.not_paused",
    "docket.revealed", "docket.too_late",
)  # fmt: skip
"""Reasons against a command that is early, late or repeated."""


def require_right(view: MatchView, session: Session, command: C.AnyFiled) -> None:
    """Raise HttpProblem if the session has no right to the content of a command.

    A seat claims only for itself. A ruling that goes back needs the right to approve rewinds. A dispute must not reveal
    a thing that the session cannot see.
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
    """True if this entry may come next."""
    return not isinstance(apply_filing(docket_of(view.match.entries), view.head + 1, entry), Text)


def problem_of(why: Text) -> Type:
    return "out-of-order" if why.key in OUT_OF_ORDER else "unreadable"


def is_seen(view: MatchView, number: int, thing: int) -> bool:
    """True if the viewer can point at a thing after an entry."""
    table = view.match.after(number)
    return any(piece.thing == thing and view.eyes.follows(table, card) for card, piece in table.pieces.items())
