"""Helpers for API routes: the query of a viewer, entity tags, caching headers and routes of a match."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, TypedDict, TypeVar, Unpack
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from domain.table.redact import SPECTATOR
from domain.words import Text
from domain.words.foreign import quoted
from projections import retrospective_view
from service.access import Operation
from service.context import MatchView
from service.etags import is_known, tag_bytes, tag_moment
from service.limits import Bucket
from service.problems import Type, http_problem
from service.requests import JSON, Call, Request, Response, Route
from service.security import NO_STORE

Row = TypeVar("Row")
ROOT: Final = "/api/v1"
MATCH: Final = f"{ROOT}/matches/{{match:str}}"
LIST_PAGE, LIST_PAGE_MAX = 100, 500
"""Rows of a list on a page, by default and at most."""
NAME_MAX = 200
NOT_MODIFIED = 304
REVALIDATE_PRIVATE: Final = "private, no-cache"
"""A browser may cache the response, but revalidates it on each use."""
REVALIDATE_PUBLIC: Final = "public, no-cache"
"""The same for shared caches."""
VIEW_PROBLEMS: Final[tuple[Type, ...]] = ("unknown", "not-your-eyes", "sealed", "no-authority")
"""Problems of any route that looks at a match."""


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"viewer": "as"}):
    """The viewer to look as; a spectator by default."""

    viewer: Annotated[str, Meta(max_length=NAME_MAX, description="seat, player, `judge` or `spectator`")] = ""


def view_response(
    request: Request,
    view: MatchView,
    tag: str,
    make: Callable[[], Any],
    kind: str = JSON,
    headers: dict[str, str] | None = None,
) -> Response:
    """Return a view under its tag, or 304 if the client has it. Only a spectator's view may be cached."""
    cache_control = REVALIDATE_PRIVATE if view.eyes.viewer == SPECTATOR else NO_STORE
    return tagged_response(request, tag, make, {"Cache-Control": cache_control, **(headers or {})}, kind)


def tagged_response(
    request: Request, tag: str, make: Callable[[], Any], headers: dict[str, str], kind: str = JSON
) -> Response:
    """Return a response under a tag, or 304 without computing it if the client has this tag."""
    headers = {"ETag": tag, **headers}
    if is_known(request.headers.get("if-none-match", ""), tag):
        return Response(b"", NOT_MODIFIED, headers, kind)
    return Response(make(), 200, headers, kind)


def bytes_response(request: Request, body: bytes, kind: str, headers: dict[str, str]) -> Response:
    """Return bytes of another media type, tagged by their hash. `headers` may override the no-store default."""
    return tagged_response(request, tag_bytes(body), lambda: body, {"Cache-Control": NO_STORE, **headers}, kind)


def hashed_response(request: Request, value: Any, headers: dict[str, str]) -> Response:
    """Return a value tagged by the hash of its JSON, so that the tag reveals no more than the value."""
    body = msgspec.json.encode(value)
    return tagged_response(request, tag_bytes(body), lambda: body, headers)


def tag_seen(request: Request, view: MatchView, entry: int = 0, fact: int = 0) -> str:
    """Return the tag of a view after an entry (default: the last), or after its k-th fact."""
    since = retrospective_view.find_last_disclosure(view.eyes, view.match.entries)
    viewer = f"{view.eyes.viewer}+judge" if view.judges else view.eyes.viewer
    tag_viewer = f"{viewer}-{request.context.erasure_count}" if request.context.erasure_count else viewer
    return tag_moment(view.match.id, entry or view.head, tag_viewer, request.lang, fact, since)


class ListPageQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The page of a list."""

    after: Annotated[str, Meta(max_length=NAME_MAX, description="the key of the last row of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


def cut_page(rows: Sequence[Row], after: str, limit: int, key: Callable[[Row], str]) -> tuple[tuple[Row, ...], str]:
    """Return the rows after the one with the key `after`, and the key of the last of them if more follow, or ''. Raises
    HttpProblem if no row has that key."""
    first = next((at for at, row in enumerate(rows, start=1) if key(row) == after), 0) if after else 0
    if after and not first:
        raise http_problem("unreadable", Text("problem.no_cursor", {"after": quoted(after)}))
    page = tuple(rows[first : first + limit])
    return page, key(page[-1]) if first + limit < len(rows) else ""


def cut_rows(lists: Sequence[Sequence[Any]], after: int, limit: int) -> tuple[list[tuple[Any, ...]], int]:
    """Return the rows of several lists, read as one, that follow the first `after` rows. Also return the number of rows
    up to the end of this page, or 0 if none follow. Raises HttpProblem if there are no more than `after` rows."""
    page, start, end = list[tuple[Any, ...]](), after, after + limit
    for rows in lists:
        page.append(tuple(rows[max(start, 0) : max(end, 0)]))
        start, end = start - len(rows), end - len(rows)
    if after and start >= 0:
        raise http_problem("unreadable", Text("problem.no_cursor", {"after": quoted(str(after))}))
    return page, after + limit if end < 0 else 0


def page_with_link(
    request: Request, query: Any, rows: Sequence[Row], key: Callable[[Row], str]
) -> tuple[tuple[Row, ...], dict[str, str]]:
    """Return the page that a query with `after` and `limit` asks for, and the Link header of the next one, if any.
    Raises HttpProblem if no row has the key `after`."""
    page, last = cut_page(rows, query.after, query.limit, key)
    return page, link_next(request, query, after=last) if last else {}


def link_next(request: Request, query: Struct, **changed: object) -> dict[str, str]:
    """Return the Link header of the next page."""
    return {"Link": f'<{request.url}{query_string(query, **changed)}>; rel="next"'}


def query_string(query: Struct, **changed: object) -> str:
    """Return a query as part of a URL, with some values changed and without those that are empty."""
    names = zip(query.__struct_fields__, query.__struct_encode_fields__, strict=True)
    values = {alias: changed.get(name, getattr(query, name)) for name, alias in names}
    filled = {name: value for name, value in values.items() if value not in (None, "")}
    plain = {name: str(value).lower() if isinstance(value, bool) else value for name, value in filled.items()}
    return f"?{urlencode(plain)}"


class RouteOptions(TypedDict, total=False):
    """Fields of a route that a route of a match may set."""

    query: type[Query]
    operation: Operation
    problems: Sequence[Type]
    kind: str
    paged: bool
    limit: Bucket | None


def make_route(path: str, call: Call, answer: Any, says: str, **options: Unpack[RouteOptions]) -> Route:
    """Return a GET route under the path of a match."""
    problems = (*VIEW_PROBLEMS, *options.pop("problems", ()))
    fields: RouteOptions = {"operation": "see", "query": Query, **options, "problems": problems}
    return Route(
        method="GET",
        path=MATCH + path,
        call=call,
        says=says,
        answer=answer,
        tagged=True,
        **fields,
    )
