"""API of disputes for reading. They are recorded by commands, like all entries."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from domain.table.redact import SPECTATOR
from domain.words import Text
from projections.disputes import SeenDispute, seen_disputes
from service.api import (
    LIST_PAGE,
    LIST_PAGE_MAX,
    NAME_MAX,
    REVALIDATE_PRIVATE,
    Query,
    hashed_response,
    make_route,
    page_with_link,
)
from service.context import MatchView
from service.idempotency import author_of
from service.problems import http_problem
from service.requests import Request, Response
from service.security import NO_STORE


class DisputesQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    open: Annotated[bool, Meta(description="only those that wait for a ruling or a decision")] = False
    after: Annotated[str, Meta(max_length=NAME_MAX, description="the last dispute of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


def show_disputes(request: Request, query: DisputesQuery, body: None) -> Response:
    view = request.look(query.viewer)
    every = [seen for seen in list_disputes(request, view) if not query.open or seen.pending]
    return _respond(request, view, *page_with_link(request, query, every, dispute_key))


def dispute_key(dispute: SeenDispute) -> str:
    return str(dispute.dispute)


def show_dispute(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer)
    return _respond(request, view, find_dispute(request, view))


def list_disputes(request: Request, view: MatchView) -> tuple[SeenDispute, ...]:
    """Return the disputes of a match. A judge of the match reads all claims as any viewer."""
    by = author_of(request.session) if view.judges else None
    return seen_disputes(view.match, view.match.id, view.eyes, by, judges=view.judges)


def find_dispute(request: Request, view: MatchView) -> SeenDispute:
    """Return the dispute in the path. Raises HttpProblem if its entry opens none."""
    number = request.number("n", view.head)
    for dispute in list_disputes(request, view):
        if dispute.dispute == number:
            return dispute
    raise http_problem("unknown", Text("docket.no_dispute", {"entry": number}))


def _respond(request: Request, view: MatchView, value: object, headers: Mapping[str, str] = {}) -> Response:
    """Return a response tagged by its content, because the content depends on the session too."""
    cache_control = REVALIDATE_PRIVATE if view.eyes.viewer == SPECTATOR else NO_STORE
    return hashed_response(request, value, {"Cache-Control": cache_control, **headers})


ROUTES: Final = (
    make_route(
        "/disputes", show_disputes, tuple[SeenDispute, ...],
        "List the disputes of a match with their subject, claims, rulings and state.", query=DisputesQuery,
        paged=True, problems=("unreadable",),
    ),
    make_route("/disputes/{n:str}", show_dispute, SeenDispute, "Return a dispute by the entry that opened it."),
)  # fmt: skip
