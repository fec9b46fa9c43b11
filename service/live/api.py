"""API of live streams."""

from typing import Final

from domain.words import Lang, Text
from service.api import MATCH, VIEW_PROBLEMS, Query
from service.live import event_stream, hub
from service.problems import http_problem
from service.requests import NUMBER_DIGITS, Request, Response, Route


class LiveQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    after: str = ""
    lang: Lang = "en"


def follow(request: Request, query: LiveQuery, body: None) -> Response:
    """Start a stream after the entry in the query or the last event received, whichever is later."""
    view = request.look(query.viewer)
    sources = [("after", query.after), ("Last-Event-ID", request.headers.get("last-event-id", ""))]
    named = [entry_number(name, text) for name, text in sources if text]
    after = max(named, default=view.head)
    gap = not 0 <= view.head - after <= hub.REPLAY_MAX
    viewer, at = view.eyes.viewer, view.head if gap else after
    follower = hub.StreamRequest(request.session, view.match.id, viewer, query.lang, at, gap, judges=view.judges)
    return Response(follower, kind=event_stream.KIND)


def entry_number(name: str, text: str) -> int:
    """Return the entry number that a client sent. Raises HttpProblem if it is none."""
    if not (text.isascii() and text.isdecimal() and len(text) <= NUMBER_DIGITS):
        raise http_problem("unreadable", Text("live.number", {"name": name}))
    return int(text)


ROUTES: Final = (
    Route(
        method="GET", path=f"{MATCH}/live", operation="see", call=follow, query=LiveQuery, kind=event_stream.KIND,
        problems=(*VIEW_PROBLEMS, "crowded"), says="Stream new entries as server-sent events.",
    ),
)  # fmt: skip
