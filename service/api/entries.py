"""The entries of a match, each as whoever asks may see it."""

from typing import Annotated, Final

from msgspec import Meta

from projections.seen_entries import SeenEntry, seen_entries
from projections.timeline import Logged
from service.api.seeing import Query, link_next, make_route, tag_seen, tell
from service.asking import NUMBER_MAX, Ask, Reply

PAGE_MAX: Final = 500
PAGE: Final = 100


class Page(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of entries behind one; with the flow of play or without."""

    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="the entry before the first")] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE
    flow: Annotated[bool, Meta(description="with what only says how play goes on")] = False


def list_entries(ask: Ask, query: Page, body: None) -> Reply:
    """A page of entries; none behind the last."""
    sight = ask.look(query.viewer)
    last = min(query.after + query.limit, sight.head)

    def make() -> Logged:
        entries = (
            seen_entries(sight.match, sight.eyes, last, flow=query.flow, judges=sight.judges)
            if query.after < last
            else ()
        )
        page = tuple(entry for entry in entries if entry.number > query.after)
        return Logged(sight.match.id, sight.eyes.viewer, page)

    more = link_next(ask, query, after=last) if last < sight.head else {}
    return tell(ask, sight, tag_seen(ask, sight), make, headers=more)


def show_entry(ask: Ask, query: Query, body: None) -> Reply:
    """One entry, with the flow of play."""
    sight = ask.look(query.viewer)
    number = ask.number("n", sight.head)

    def make() -> SeenEntry:
        return list(seen_entries(sight.match, sight.eyes, number, flow=True, judges=sight.judges))[-1]

    return tell(ask, sight, tag_seen(ask, sight, number), make)


ROUTES: Final = (
    make_route("/entries", list_entries, Logged, "The entries of a match, a page at a time.", query=Page, paged=True),
    make_route("/entries/{n:str}", show_entry, SeenEntry, "One entry of a match."),
)
