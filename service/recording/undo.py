"""Undo for a session: a player always asks a judge, and requests are limited."""

from msgspec.structs import replace

from projections.undo_plans import Undo
from recorder.match_loader import LoadedMatch
from recorder.match_writer import Answer, Terms
from recorder.store import Store
from recorder.usecases import commands as C, handlers
from service.access import Session
from service.context import MatchView
from service.idempotency import author_of
from service.problems import http_problem
from service.requests import Request


def find_undo(store: Store, match: LoadedMatch, session: Session, *, entry: int = 0, redo: bool = False) -> Undo:
    """Return what an undo or a redo by this session would do."""
    plan = handlers.find_undo(store, match, author_of(session), entry=entry, redo=redo)
    return replace(plan, obstacle="seat") if session.seat and plan.obstacle != "nothing" else plan


def undo(request: Request, view: MatchView, command: C.UndoEntries, terms: Terms) -> Answer:
    """Record an undo, or the request to a judge. Raises HttpProblem if it needs a judge and `ask` is not set."""
    store, match = request.context.store, view.match
    plan = find_undo(store, match, request.session, entry=command.entry, redo=command.redo)
    if plan.obstacle not in ("", "nothing"):
        if not command.ask:
            raise http_problem("no-authority", handlers.obstacle_words(plan))
        request.count("rewinds")
    return handlers.record_undo(store, match, plan, command, author_of(request.session), terms)
