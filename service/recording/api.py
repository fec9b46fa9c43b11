"""API of commands: record or try them."""

from typing import Final

from domain.judging.incomplete import IncompleteAction
from domain.words import Text
from recorder.usecases import commands as C
from service import payloads
from service.access import may
from service.api import VIEW_PROBLEMS, Query, tag_seen, view_response
from service.problems import http_problem
from service.recording import checks, commands
from service.recording.offers import doables_of
from service.recording.refusals import etag, refusal_problem
from service.requests import Request, Response, Route


def write(request: Request, query: Query, body: C.AnyCommand) -> Response:
    return commands.write(request, query.viewer, body, request.headers.get("if-match", "").strip())


def reveal(request: Request, query: Query, body: C.RevealSecret) -> Response:
    """Record the secret of a seat. No If-Match is needed."""
    return commands.write(request, query.viewer, body, request.headers.get("if-match", "").strip() or "*")


def try_command(request: Request, query: Query, body: C.AnyCommand) -> Response:
    """Decide a command from what the viewer knows, without recording it. Raises HttpProblem for a session that may not
    send it. A session that records may also try the offers of a player."""
    view = commands.look(request, query.viewer, commands.operation_tried(request.session, body))
    if view.match.closed:
        raise http_problem("closed")
    tried = checks.attempt(view, body)
    if tried.stands is False and isinstance(body, C.PlayAction) and commands.mode_of(request.session, body) == "offer":
        failing = next(step.clause for step in tried.trail if step.holds is False)
        lacking = IncompleteAction(tried.missing, tried.candidates)
        raise refusal_problem(view, "not-allowed", failing, tried.trail, lacking)
    return Response(tried, 200, etag(view.head))


def show_next(request: Request, query: Query, body: None) -> Response:
    """Return what may be recorded now: all known actions for a session that records, a player's own for a player."""
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
        query=Query, answer=payloads.Next, problems=VIEW_PROBLEMS, tagged=True,
        says="Return what may be recorded now, as far as the session can know.",
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=write, query=Query,
        body=C.AnyCommand, answer=payloads.EntriesWithFlags, status=201, again=True, follows=True, limit="commands",
        says="Record one command as one entry on the head that If-Match names.",
        problems=(
            "not-allowed", "physically-impossible", "conflict", "precondition-required", "command-reused",
            "out-of-order", "needs-confirmation", "closed", "unknown", "not-your-eyes", "sealed", "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/reveals", operation="reveal", call=reveal, query=Query,
        body=C.RevealSecret, answer=payloads.EntriesWithFlags, status=201, again=True, limit="commands",
        says="Reveal the secret of a seat. After the last one the croupier draws.",
        problems=(
            "conflict", "command-reused", "out-of-order", "closed", "unknown", "not-your-eyes", "sealed",
            "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries:try", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=try_command, query=Query,
        body=C.AnyCommand, answer=payloads.Tried, limit="tries",
        says="Try a command without recording it, as far as the viewer can know the outcome.",
        problems=("not-allowed", "closed", "unknown", "not-your-eyes", "sealed"),
    ),
)  # fmt: skip
