"""API of findings, undos and rewinds."""

from operator import itemgetter
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import asdict

from domain.law.entries import line
from projections.answers import AuditedRecord
from projections.corrections import corrections, list_gaps, list_manual_outcomes
from projections.findings import SeenFinding, seen_findings, seen_flags
from projections.knowledge import sights
from projections.undo_plans import PendingRewind, RewindPreview, Undo
from recorder.answers import RewindCost, Unavailable
from recorder.matches import rewind_cost
from recorder.remarks import find_rewind_request
from service.api import (
    LIST_PAGE,
    LIST_PAGE_MAX,
    MATCH,
    NAME_MAX,
    VIEW_PROBLEMS,
    Query,
    make_route,
    page_with_link,
    tag_seen,
    view_response,
)
from service.context import AppContext, MatchView
from service.problems import http_problem
from service.recording.undo import find_undo
from service.requests import NUMBER_MAX, Request, Response, Route
from service.security import NO_STORE


class FindingsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    clause: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    after: Annotated[str, Meta(max_length=NAME_MAX, description="position of the last row of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


def show_audit(request: Request, query: Query, body: None) -> Response:
    """Return the full audit of a match, with what was entered by hand."""
    view = request.look(query.viewer, "findings")
    view.require_judge()
    match = view.match

    def make() -> AuditedRecord:
        result, found = request.context.audit(match), list_findings(request.context, view)
        return AuditedRecord(
            match=match.id,
            viewer=view.eyes.viewer,
            findings=found,
            entries=result.entries,
            actions=result.actions,
            facts=result.facts,
            undone=sum(finding.undone for finding in found),
            corrections=corrections(match.game, match.entries, frozenset(line(match.entries))),
            entered=list_manual_outcomes(match.entries),
            gaps=list_gaps(match.entries),
        )

    return view_response(request, view, tag_seen(request, view), make)


def show_findings(request: Request, query: FindingsQuery, body: None) -> Response:
    view = request.look(query.viewer, "findings")
    found = list_findings(request.context, view)
    sought = (finding for finding in found if query.clause in ("", finding.clause))
    numbered = [(str(at), finding) for at, finding in enumerate(sought, start=1)]
    page, more = page_with_link(request, query, numbered, itemgetter(0))
    return view_response(request, view, tag_seen(request, view), lambda: [finding for _, finding in page], headers=more)


def list_findings(context: AppContext, view: MatchView) -> tuple[SeenFinding, ...]:
    """Return the findings of a match. Where these could reveal hidden cards, return only what the record flags."""
    if not view.may_see_hidden:
        return seen_flags(view.match, view.eyes)
    return seen_findings(view.match, view.eyes, view.match.law, context.audit(view.match).findings)


class UndoQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An undo of the last entry, an undo of `entry` and all that followed, or a redo."""

    entry: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    redo: bool = False


def show_undo(request: Request, query: UndoQuery, body: None) -> Response:
    view = request.look(query.viewer, "undo")
    if view.match.closed:
        raise http_problem("closed")
    plan = find_undo(request.context.store, view.match, request.session, entry=query.entry, redo=query.redo)
    return Response(plan, headers={"Cache-Control": NO_STORE})


def show_request(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer, "ask_rewind")
    pending = find_rewind_request(view.match.entries)
    answer = PendingRewind(match=view.match.id, **({} if pending is None else asdict(pending)))
    return Response(answer, headers={"Cache-Control": NO_STORE})


def show_cost(request: Request, query: Query, body: None) -> Response:
    """Return what a rewind to an entry undoes and restores, and what was learned since."""
    view = request.look(query.viewer, "ask_rewind")
    number, match = request.number("n", view.head), view.match
    cost = rewind_cost(request.context.store, match.id, number)
    if isinstance(cost, Unavailable):
        raise http_problem("closed", cost.why)
    if not isinstance(cost, RewindCost):
        raise http_problem("unknown", cost.what)

    def make() -> RewindPreview:
        learned = sights(match, view.eyes, cost.undone)
        return RewindPreview(match.id, view.eyes.viewer, number, cost.undone, cost.restored, learned)

    return view_response(request, view, tag_seen(request, view), make)


ROUTES: Final = (
    make_route("/audit", show_audit, AuditedRecord, "Return the full audit of a match.", operation="findings"),
    make_route(
        "/findings", show_findings, tuple[SeenFinding, ...], "List the findings of a match, optionally of one clause.",
        query=FindingsQuery, operation="findings", paged=True, problems=("unreadable",),
    ),
    make_route(
        "/rewind/{n:str}", show_cost, RewindPreview, "Return the cost of going back to an entry.",
        operation="ask_rewind", problems=("closed",),
    ),
    Route(
        method="GET", path=f"{MATCH}/rewind", operation="ask_rewind", call=show_request, query=Query,
        answer=PendingRewind, problems=VIEW_PROBLEMS, says="Return the open rewind request.",
    ),
    Route(
        method="GET", path=f"{MATCH}/undo", operation="undo", call=show_undo, query=UndoQuery, answer=Undo,
        problems=(*VIEW_PROBLEMS, "closed"),
        says="Return the effect of an undo or a redo, and whether it needs a judge.",
    ),
)  # fmt: skip
