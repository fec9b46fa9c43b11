"""Undo for a session: a player always asks a judge, and requests are limited."""

from msgspec.structs import replace

from projections.undoing import Undo
from recorder.loading import Match
from recorder.store import Store
from recorder.usecases import commands as C, handling
from recorder.writing import Answer, Terms
from service.access import Session
from service.context import MatchView
from service.idempotency import writer
from service.problems import halt
from service.requests import Request


def find_undo(store: Store, match: Match, session: Session, *, entry: int = 0, redo: bool = False) -> Undo:
    """Return what an undo or a redo by this session would do."""
    plan = handling.find_undo(store, match, writer(session), entry=entry, redo=redo)
    return replace(plan, obstacle="seat") if session.seat and plan.obstacle != "nothing" else plan


def undo(request: Request, view: MatchView, command: C.Undo, terms: Terms) -> Answer:
    """Record an undo, or the request to a judge. Halts where it needs a judge and none is asked."""
    store, match = request.context.store, view.match
    plan = find_undo(store, match, request.session, entry=command.entry, redo=command.redo)
    if plan.obstacle not in ("", "nothing"):
        if not command.ask:
            raise halt("no-authority", handling.obstacle_words(plan))
        request.take("rewinds")
    return handling.record_undo(store, match, plan, command, writer(request.session), terms)
