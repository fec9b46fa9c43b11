"""Writing to a match, and trying what would come of it: commands as programs send them."""

from typing import Final

from domain.words import Text
from recorder.usecases import commands as C
from service import payloads
from service.access import may
from service.api import UNSEEN, Query, tag_seen, view_response
from service.problems import http_problem
from service.recording import checks, commands
from service.recording.offers import doables_of
from service.recording.refusals import etag, refusal_problem
from service.requests import Request, Response, Route


def write(request: Request, query: Query, body: C.AnyCommand) -> Response:
    """Record what a command says."""
    return commands.write(request, query.viewer, body, request.headers.get("if-match", "").strip())


def reveal(request: Request, query: Query, body: C.RevealSecret) -> Response:
    """Record what a seat reveals, whatever has happened meanwhile."""
    return commands.write(request, query.viewer, body, request.headers.get("if-match", "").strip() or "*")


def attempt(request: Request, query: Query, body: C.AnyCommand) -> Response:
    """Decide what a command says and record nothing: from what the viewer knows, so that nothing else can be told.

    Halts for whoever may not send this command; who records may also try what a player would be offered.
    """
    view = commands.look(request, query.viewer, commands.operation_tried(request.session, body))
    if view.match.closed:
        raise http_problem("closed")
    tried = checks.attempt(view, body)
    if tried.stands is False and isinstance(body, C.PlayAction) and commands.mode_of(request.session, body) == "offer":
        failing = next(step.clause for step in tried.trail if step.holds is False)
        raise refusal_problem(view, "not-allowed", failing, tried.trail)
    return Response(tried, 200, etag(view.head))


def show_next(request: Request, query: Query, body: None) -> Response:
    """What may be recorded now: to who records, as far as their eyes know; to a player what they may do themselves."""
    records = may(request.session, "record", request.path["match"])
    view = commands.look(request, query.viewer, "record" if records else "offer")
    match, viewer = view.match, view.eyes.viewer
    if not records and viewer != request.session.seat:
        raise http_problem("not-your-eyes", Text("problem.offers"))

    def make() -> payloads.Next:
        awaited = () if match.closed else match.law.awaited(match.table)
        allowed = doables_of(request.context, view)
        return payloads.Next(
            match=match.id, viewer=viewer, head=view.head, closed=match.closed, awaited=awaited, allowed=allowed
        )

    return view_response(request, view, tag_seen(request, view), make)


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/matches/{match:str}/next", operation="record", also=("offer",), call=show_next,
        query=Query, answer=payloads.Next, problems=UNSEEN, tagged=True,
        says="What may be recorded now, as far as whoever records it can know.",
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=write, query=Query,
        body=C.AnyCommand, answer=payloads.EntriesWithFlags, status=201, again=True, follows=True, limit="commands",
        says="Write to a match: one command, one entry, on the head that If-Match names.",
        problems=(
            "not-allowed", "physically-impossible", "conflict", "precondition-required", "command-reused",
            "out-of-order", "needs-confirmation", "closed", "unknown", "not-your-eyes", "sealed", "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/reveals", operation="reveal", call=reveal, query=Query,
        body=C.RevealSecret, answer=payloads.EntriesWithFlags, status=201, again=True, limit="commands",
        says="Reveal the secret that a seat had pledged; behind the last one the croupier draws.",
        problems=(
            "conflict", "command-reused", "out-of-order", "closed", "unknown", "not-your-eyes", "sealed",
            "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries:try", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=attempt, query=Query,
        body=C.AnyCommand, answer=payloads.Tried, limit="tries",
        says="What would come of a command, as far as the viewer can know; nothing is recorded.",
        problems=("not-allowed", "closed", "unknown", "not-your-eyes", "sealed"),
    ),
)  # fmt: skip
