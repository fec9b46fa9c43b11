"""Requests, responses and routes, and the handler that serves every route.

The API document, the access checks and the tests read the same routes.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import ceil
from typing import Any, Final, Literal, TypeVar, get_args, get_origin
from urllib.parse import parse_qsl, unquote_plus

import msgspec
from markupsafe import Markup
from msgspec import Struct

from domain.formats.errors import FormatError, not_utf8
from domain.table.table import Seat
from domain.words import Lang, Text, TextError, listed
from domain.words.foreign import REPEATED_MAX, explain_decode_error
from recorder.match_list import Head
from recorder.seating import require_seat_readable
from recorder.store import StoreError
from service.access import Operation, Session, may
from service.context import AppContext, MatchView
from service.drawing.times import Form
from service.limits import Bucket
from service.live import event_stream
from service.problems import HttpProblem, Problem, Type, busy, http_problem

Method = Literal["GET", "POST", "DELETE"]
JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
HTML: Final = "text/html"
API: Final = "/api/"
LOG: Final = logging.getLogger(__name__)
FIELDS_MAX = 200
SECOND_MS = 1_000
LOCKED_SECONDS = 1
"""Retry delay while another program writes to the store."""
NUMBER_DIGITS = 9
NUMBER_MAX: Final = 10**NUMBER_DIGITS - 1

FORBIDDEN: Final = 403
NAMED_MAX = 6
"""Matches of a token that a refusal names."""

READING: Final[tuple[Operation, ...]] = ("see", "explain", "findings")
"""Operations that accept a damaged record up to its first unreadable entry."""

T = TypeVar("T")
_fields_of: Final = cache(msgspec.structs.fields)
"""Fields of a struct type, cached, because every request reads those of its query and form."""


class EmptyPayload(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty query, body or response."""


NOTHING: Final = EmptyPayload()


class Request(Struct, frozen=True, kw_only=True):
    """A request: session, language, path parameters, and headers with lower-case names."""

    context: AppContext
    session: Session
    lang: Lang = "en"
    url: str = ""
    query: str = ""
    path: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    ended: bool = False
    """True if the browser's sign-in has expired or was revoked."""
    reads: bool = False
    """True for a page view, which may show a damaged record up to the damage. Other requests need a sound record."""

    def look(self, viewer: str = "", operation: Operation = "see", *, bare: bool = False) -> MatchView:
        """Return the match in the path, as the session may see it. `bare` accepts unknown rules. Raises HttpProblem."""
        sound = self.reads and operation in READING
        return self.context.look(self.session, self.path["match"], viewer, operation, sound=sound, bare=bare)

    def time(self, at: int, form: Form) -> Markup:
        """Write a time (milliseconds since 1970) for a page."""
        return self.context.times.write(at, form)

    @property
    def own_seat(self) -> Seat:
        """Seat of the session in the match of the path; '' if it has none there."""
        match = self.path.get("match", "")
        seat = self.context.seat_of(self.session, match)
        opening = self.context.store.head(match) if seat else None
        return seat if isinstance(opening, Head) and seat in opening.seats else Seat("")

    @property
    def viewer(self) -> str:
        """Viewer of the page: the one in the path, else the player's own seat, else the spectator."""
        return self.path.get("viewer") or self.own_seat

    def require(self, operation: Operation, match: str = "") -> None:
        """Raise HttpProblem unless the session may do this. Raises StoreError if a damaged record hides its seat."""
        if not may(self.session, operation, match):
            if self.session.holder.for_event:
                require_seat_readable(self.context.store, match, self.session.name)
            raise no_authority(self.session, operation, match)

    def count(self, bucket: Bucket) -> None:
        """Count this request in a rate limit. Raises HttpProblem if the limit is reached."""
        wait = self.context.limits.count(bucket, self.session.number, self.context.clock())
        if wait:
            raise busy("too-many", ceil(wait / SECOND_MS))

    def number(self, name: str, last: int) -> int:
        """Return an entry number of the path. Raises HttpProblem if there is no such entry."""
        text = self.path[name]
        if "." in text:
            raise no_entry(text, last)
        return read_moment(text, last)[0]


class Response(Struct, frozen=True):
    """A response: a value to encode as JSON, or bytes of another media type."""

    value: Any
    status: int = 200
    headers: dict[str, str] = {}
    kind: str = JSON

    def body(self) -> bytes:
        return self.value if isinstance(self.value, bytes) else msgspec.json.encode(self.value)


Call = Callable[[Request, Any, Any], Response]
"""Function of a route, called in a thread with query and body as the route's types. Raises HttpProblem."""


class Route(Struct, frozen=True, kw_only=True):
    """A path and method. `says` describes it in the API document, `answer` is the response type, `problems` the errors.

    A session needs the right to `operation` or one of `also`; the call then checks the one that applies. `limit` is the
    rate limit that counts its requests.
    """

    method: Method
    path: str
    operation: Operation
    call: Call
    says: str
    also: tuple[Operation, ...] = ()
    limit: Bucket | None = None
    query: type[Struct] = EmptyPayload
    body: Any = None
    answer: Any = EmptyPayload
    status: int = 200
    kind: str = JSON
    problems: Sequence[Type] = ()
    large: bool = False
    """True if its body may be as large as an import."""
    again: bool = False
    """True if a repeat is answered with 200."""
    follows: bool = False
    """True if If-Match must name the head."""
    tagged: bool = False
    """True if it has an ETag and answers 304."""
    paged: bool = False
    """True if it is paged, with a Link to the next page."""


def no_authority(session: Session, operation: Operation, match: str = "") -> HttpProblem:
    """Return the refusal of an operation. It names the token's matches if the role could do it without that limit."""
    limits = ((), (match,)) if session.matches else ()
    if not any(may(msgspec.structs.replace(session, matches=matches), operation, match) for matches in limits):
        return http_problem("no-authority")
    some = [*session.matches[:NAMED_MAX], *(["..."] if len(session.matches) > NAMED_MAX else [])]
    return http_problem("no-authority", Text("problem.limited", {"matches": listed(some)}))


def read_moment(text: str, last: int) -> tuple[int, int]:
    """Return an entry and the number of its fact (0: all), as in `206` or `206.3`. Raises HttpProblem."""
    number, dot, fact = text.partition(".")
    parts = (number, fact) if dot else (number,)
    good = all(part.isascii() and part.isdecimal() and len(part) <= NUMBER_DIGITS and int(part) for part in parts)
    if good and int(number) <= last:
        return int(number), int(fact or 0)
    raise no_entry(text, last)


def no_entry(text: str, last: int) -> HttpProblem:
    return http_problem("unknown", Text("match.no_entry", {"entry": text[:NUMBER_DIGITS], "last": last}))


def read_query(route: Route, query: str) -> Any:
    """Return the query as the route's type. Raises HttpProblem that names the error. Pages and downloads ignore unknown
    parameters, because chat and mail programs add their own to links."""
    is_data = route.path.startswith(API) and route.kind in (JSON, event_stream.KIND)
    known = query if is_data else keep_known(query, route.query)
    try:
        form = read_form(known, route.query)
        _check_choices(form, route.query)
        return msgspec.convert(form, route.query, strict=False)
    except (msgspec.ValidationError, RecursionError, ValueError) as error:
        raise http_problem("unreadable", Text("problem.query", {"why": _error_text(error)})) from None


def _check_choices(form: dict[str, str | list[str]], into: type[Struct]) -> None:
    """Raise HttpProblem with the choices if a value is none of its field's choices."""
    for field in _fields_of(into):
        value, known = form.get(field.encode_name), [*map(str, get_args(field.type))]
        if isinstance(value, str) and get_origin(field.type) is Literal and value not in known:
            given = {"name": field.encode_name, "value": repr(value[:REPEATED_MAX])}
            why = Text("problem.choice", {**given, "known": listed(each for each in known if each)})
            raise http_problem("unreadable", Text("problem.query", {"why": why}))


def keep_known(query: str, into: type[Struct]) -> str:
    """Return the query string without parameters that the type has no field for."""
    names = {field.encode_name for field in _fields_of(into)}
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) in names)


def read_body(route: Route, body: bytes) -> Any:
    """Return the body as the route's type. Raises HttpProblem that names the error."""
    if route.body is None:
        return None
    if route.body is bytes:
        return body
    try:
        if route.kind == HTML:
            return msgspec.convert(read_form(body.decode(), route.body, strict=True), route.body, strict=False)
        read = msgspec.json.decode(body, type=route.body)
        # Numbers are not parsed again: one of thousands of digits would take long.
        json.loads(body, object_pairs_hook=_read_once, parse_int=len, parse_float=len)
        return read
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise http_problem("unreadable", Text("problem.body", {"why": _error_text(error)})) from None


def _read_once(pairs: list[tuple[str, object]]) -> None:
    """Raise ValidationError for an object with two fields of one name, since parsers differ in which one they use."""
    names = set[str]()
    for name, _ in pairs:
        if name in names:
            raise msgspec.ValidationError(f"Object contains field `{name}` twice")
        names.add(name)


def _error_text(error: Exception) -> Text:
    return not_utf8(error, error.start) if isinstance(error, UnicodeDecodeError) else explain_decode_error(error)


def read_form(text: str, into: type[Struct], *, strict: bool = False) -> dict[str, str | list[str]]:
    """Return the fields of a form or query: a list for a tuple field, a single value for others. Raises ValidationError
    for a repeated single field, and ValueError for a malformed form. `strict` also rejects names without a value."""
    pairs = parse_qsl(
        text,
        keep_blank_values=True,
        strict_parsing=strict and bool(text),
        max_num_fields=FIELDS_MAX,
        errors="strict",
    )
    several = {field.name for field in _fields_of(into) if get_origin(field.type) is tuple}
    form: dict[str, str | list[str]] = {name: [] for name, _ in pairs if name in several}
    for name, value in pairs:
        previous = form.get(name)
        if isinstance(previous, list):
            previous.append(value)
        elif previous is None:
            form[name] = value
        else:
            raise msgspec.ValidationError(f"Object contains field `{name}` twice")
    return form


def answer(route: Route, request: Request, body: bytes) -> Response:
    try:
        if not any(may(request.session, operation) for operation in (route.operation, *route.also)):
            raise no_authority(request.session, route.operation)
        if route.limit is not None:
            request.count(route.limit)
        return route.call(request, read_query(route, request.query), read_body(route, body))
    except HttpProblem as error:
        signed_out = request.ended and error.problem.status == FORBIDDEN
        return problem_response(request, http_problem("no-token", Text("problem.signed_out")) if signed_out else error)
    except StoreError as error:
        return problem_response(request, store_problem(error))
    except FormatError as error:
        return problem_response(
            request, http_problem("unreadable", error.message, line=error.line, column=error.column)
        )
    except TextError as error:
        return problem_response(request, http_problem("unreadable", error.text))


def store_problem(error: StoreError) -> HttpProblem:
    """Return the problem of an unusable store. The reason names local files, so it is only logged."""
    LOG.error("%s", error.text)
    if error.trouble in ("locked", "unreachable"):
        return busy("store-unavailable", LOCKED_SECONDS)
    says = Text("problem.damaged", {"entry": error.entry}) if error.trouble == "corrupt" and error.entry else None
    return http_problem("store-unavailable", says, entry=error.entry)


def problem_response(request: Request, error: HttpProblem) -> Response:
    problem: Problem = msgspec.structs.replace(error.problem, instance=request.url)
    return Response(problem, problem.status, error.headers, PROBLEM)
