"""API of entries, as the session may see them."""

from typing import Annotated, Final

from msgspec import Meta

from projections.seen_entries import SeenEntry, see_entry_at, seen_entries
from projections.timeline import MatchEntries
from service.api import Query, link_next, make_route, tag_seen, view_response
from service.requests import NUMBER_MAX, Request, Response

PAGE_MAX: Final = 500
PAGE: Final = 100


class EntriesQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="the entry before the first")] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE
    flow: Annotated[bool, Meta(description="include facts that only move play along")] = False


def list_entries(request: Request, query: EntriesQuery, body: None) -> Response:
    view = request.look(query.viewer)
    last = min(query.after + query.limit, view.head)

    def make() -> MatchEntries:
        if query.after >= last:
            return MatchEntries(view.match.id, view.eyes.viewer, ())
        first = query.after + 1
        entries = seen_entries(view.match, view.eyes, last, first=first, flow=query.flow, judges=view.judges)
        return MatchEntries(view.match.id, view.eyes.viewer, tuple(entries))

    more = link_next(request, query, after=last) if last < view.head else {}
    return view_response(request, view, tag_seen(request, view), make, headers=more)


def show_entry(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer)
    number = request.number("n", view.head)

    def make() -> SeenEntry:
        return see_entry_at(view.match, view.eyes, number, judges=view.judges)

    return view_response(request, view, tag_seen(request, view, number), make)


ROUTES: Final = (
    make_route(
        "/entries", list_entries, MatchEntries, "List the entries of a match, by page.", query=EntriesQuery, paged=True
    ),
    make_route("/entries/{n:str}", show_entry, SeenEntry, "Return an entry of a match."),
)
