"""API of matches: the list that the session may see, and the state of one match."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct
from msgspec.structs import asdict, replace

from domain.words import Text
from domain.words.foreign import quoted
from projections.match_status import MatchStatusRow
from projections.seen_entries import seen_entries
from projections.tables import TableStatus, read_table_status
from recorder.match_list import damage_in, make_damaged_list_item
from recorder.store import DamagedMatch, MatchListItem, StoreError
from service.access import is_delayed, may
from service.api import NAME_MAX, REVALIDATE_PRIVATE, ROOT, Query, hashed_response, link_next, make_route, view_response
from service.etags import tag_head
from service.payloads import MatchHead
from service.problems import http_problem
from service.requests import Request, Response, Route

PAGE_MAX: Final = 500
PAGE: Final = 100
CHUNK: Final = 200


class MatchesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter of matches, by page, in the order in which they were added to the store."""

    after: Annotated[str, Meta(max_length=NAME_MAX, description="the last match of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE
    game: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    player: Annotated[str, Meta(max_length=NAME_MAX, description="part of a player's name")] = ""
    open: Annotated[bool, Meta(description="only matches that are not closed")] = False


def list_matches(request: Request, query: MatchesQuery, body: None) -> Response:
    """Return a page of matches. An unreadable match is listed without its state."""
    if query.after and request.context.read_listed_table(request.session, query.after) is None:
        raise http_problem("unreadable", Text("problem.no_cursor", {"after": quoted(query.after)}))
    rows = tuple(islice(_list_rows(request, query), query.limit + 1))
    page = rows[: query.limit]
    more = link_next(request, query, after=page[-1].match) if len(rows) > query.limit else {}
    return hashed_response(request, page, {"Cache-Control": REVALIDATE_PRIVATE, **more})


def _list_rows(request: Request, query: MatchesQuery) -> Iterator[MatchStatusRow]:
    for listed in _read_items(request, query.after):
        if isinstance(listed, DamagedMatch):
            row = _damaged_row(request, listed) if not (query.game or query.player) else None
            yield from () if row is None else (row,)
        elif _fits(query, listed) and not (query.open and listed.closed and not _is_delayed(request)):
            row = _make_row(request, listed)
            if row is not None and not (query.open and row.closed):
                yield row


def _read_items(request: Request, after: str) -> Iterable[MatchListItem | DamagedMatch]:
    while chunk := request.context.store.matches(after, CHUNK):
        yield from chunk
        after = chunk[-1].match


def _fits(query: MatchesQuery, listed: MatchListItem) -> bool:
    names = (listed.names.get(seat, seat).casefold() for seat in listed.seats)
    wanted = not query.player or any(query.player.casefold() in name for name in names)
    return wanted and query.game in ("", listed.game)


def _make_row(request: Request, listed: MatchListItem) -> MatchStatusRow | None:
    try:
        summary = request.context.read_listed_table(request.session, listed.match, listed.entries)
    except StoreError as error:
        return _damaged_row(request, damage_in(listed.match, error), listed)
    if summary is not None and summary.damaged:
        return _damaged_row(
            request,
            DamagedMatch(listed.match, summary.damaged, Text("problem.damaged", {"entry": summary.damaged})),
            listed,
        )
    return None if summary is None else row_of(summary)


def _damaged_row(request: Request, damaged: DamagedMatch, listed: MatchListItem | None = None) -> MatchStatusRow | None:
    """Return the row of a damaged match: the damaged entry, but none of its content. None if the session may not see
    it."""
    item = make_damaged_list_item(damaged) if listed is None else listed
    known = may(request.session, "see", damaged.match, closed=item.closed) and not _is_delayed(request)
    return MatchStatusRow(**asdict(item), damaged=damaged.entry) if known else None


def _is_delayed(request: Request) -> bool:
    """True if the delay may hide entries from the session."""
    return request.context.settings.delay > 0 and is_delayed(request.session)


def row_of(summary: TableStatus) -> MatchStatusRow:
    return MatchStatusRow(
        match=summary.match,
        entries=summary.entries,
        closed=summary.closed,
        game=summary.game,
        version=summary.edition,
        seats=summary.seats,
        names=summary.names,
        at=summary.opened,
        parent=summary.parent,
        parent_at=summary.parent_at,
        unofficial=bool(summary.parent),
        result=summary.result,
        turn=summary.turn,
        last=summary.last,
        occasion=summary.occasion,
        announced=summary.announced,
        countdown=summary.countdown or UNSET,
    )


def show_match(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer)
    match, eyes = view.match, view.eyes

    def make() -> MatchHead:
        opening = next(iter(seen_entries(match, eyes, 1)))
        stands = row_of(read_table_status(match.id, match.entries))
        return MatchHead(
            viewer=eyes.viewer, head=view.head, sealed=view.sealed, stands=stands, opening=replace(opening, facts=())
        )

    return view_response(request, view, tag_head(view.head), make)


ROUTES: Final = (
    Route(
        method="GET", path=f"{ROOT}/matches", operation="see", call=list_matches, query=MatchesQuery,
        answer=tuple[MatchStatusRow, ...], says="List the matches that the session may see, the oldest in the"
                                                " store first.",
        paged=True, tagged=True,
    ),
    make_route("", show_match, MatchHead, "Return the state and the opening of a match."),
)  # fmt: skip
