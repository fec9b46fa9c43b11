"""API of entries, as the session may see them."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from projections.seen_entries import SeenEntry, see_entry_at, seen_entries
from projections.timeline import MatchEntries
from service.api import Query, link_next, make_route, tag_seen, view_response
from service.context import MatchView
from service.requests import NUMBER_MAX, Request, Response

PAGE_MAX: Final = 500
PAGE: Final = 100
PAGE_BYTES: Final = 256 * 1024
"""Bytes of JSON after which a page of entries ends early."""


class EntriesQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="the entry before the first")] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE
    flow: Annotated[bool, Meta(description="include facts that only move play along")] = False


def list_entries(request: Request, query: EntriesQuery, body: None) -> Response:
    view = request.look(query.viewer)
    entries = _read_page(view, query)
    last = entries[-1].number if entries else view.head
    more = link_next(request, query, after=last) if last < view.head else {}
    answer = MatchEntries(view.match.id, view.eyes.viewer, entries)
    return view_response(request, view, tag_seen(request, view), lambda: answer, headers=more)


def _read_page(view: MatchView, query: EntriesQuery) -> tuple[SeenEntry, ...]:
    """Return the entries of a page: up to `limit`, or fewer if their JSON as the viewer sees it is long."""
    first, last = query.after + 1, min(query.after + query.limit, view.head)
    page: list[SeenEntry] = []
    length = 0
    if first > last:
        return ()
    for entry in seen_entries(view.match, view.eyes, last, first=first, flow=query.flow, judges=view.judges):
        page.append(entry)
        length += len(msgspec.json.encode(entry))
        if length > PAGE_BYTES:
            break
    return tuple(page)


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
