"""What is asked and what is answered: a route names its operation, what it takes and gives; one handler serves all.

The document of the API, the guard and the tests read the same routes.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Final, Literal, TypeVar, get_args, get_origin
from urllib.parse import parse_qsl, unquote_plus

import msgspec
from markupsafe import Markup
from msgspec import Struct

from domain.formats.errors import FormatError, not_utf8
from domain.table.table import Seat
from domain.words import Lang, Text, TextError, listed
from domain.words.foreign import REPEATED_MAX, misfit
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
"""A form has at most so many fields."""
SECOND_MS = 1_000
LOCKED_SECONDS = 1
"""After so long it is worth while to try again where another program writes to the store."""
NUMBER_DIGITS = 9
"""Numbers in addresses have at most so many digits."""
NUMBER_MAX: Final = 10**NUMBER_DIGITS - 1

FORBIDDEN: Final = 403
NAMED_MAX = 6
"""Matches of a token that a refusal names."""

READING: Final[tuple[Operation, ...]] = ("see", "explain", "findings")
"""Operations for which it is enough to know a match as far as it goes."""

T = TypeVar("T")


class EmptyPayload(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing is taken, or given."""


NOTHING: Final = EmptyPayload()


class Request(Struct, frozen=True, kw_only=True):
    """One request: whoever asks, in which language, the parts of its path, and its headers by small letters."""

    context: AppContext
    session: Session
    lang: Lang = "en"
    url: str = ""
    query: str = ""
    """What follows the path, as it was written."""
    path: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    ended: bool = False
    """True if the browser's sign-in has ended or was taken back."""
    reads: bool = False
    """Is a page only read? Then a damaged record is shown as far as it goes; for all else it must be whole."""

    def look(self, viewer: str = "", operation: Operation = "see", *, bare: bool = False) -> MatchView:
        """The match that the path names, as whoever asks may see it; `bare`: even if its law is not known here. Halts
        with a problem."""
        sound = self.reads and operation in READING
        return self.context.look(self.session, self.path["match"], viewer, operation, sound=sound, bare=bare)

    def time(self, at: int, form: Form) -> Markup:
        """Write a time (milliseconds since 1970) for a page."""
        return self.context.times.write(at, form)

    @property
    def own_seat(self) -> Seat:
        """The seat that the session holds in the match of the path; '' for none, or a seat that the match has not."""
        match = self.path.get("match", "")
        seat = self.context.seat_of(self.session, match)
        opening = self.context.store.head(match) if seat else None
        return seat if isinstance(opening, Head) and seat in opening.seats else Seat("")

    @property
    def viewer(self) -> str:
        """Whose eyes a page is asked for with: those the path names, else a player's own, else a spectator's."""
        return self.path.get("viewer") or self.own_seat

    def require(self, operation: Operation, match: str = "") -> None:
        """Halt unless the session may do this. Raises StoreError where only a damaged record keeps it from its seat."""
        if not may(self.session, operation, match):
            if self.session.holder.for_event:
                require_seat_readable(self.context.store, match, self.session.name)
            raise no_authority(self.session, operation, match)

    def take(self, bucket: Bucket) -> None:
        """Count this request among others of its kind. Halts if whoever asks has asked too often."""
        wait = self.context.limits.take(bucket, self.session.number, self.context.clock())
        if wait:
            raise busy("too-many", ceil(wait / SECOND_MS))

    def number(self, name: str, last: int) -> int:
        """A number of the path, from 1 to the last one. Halts where there is no such entry."""
        text = self.path[name]
        if "." in text:
            raise no_entry(text, last)
        return read_moment(text, last)[0]


class Response(Struct, frozen=True):
    """What is answered: a value that is encoded as JSON, or bytes of another kind."""

    value: Any
    status: int = 200
    headers: dict[str, str] = {}
    kind: str = JSON

    def body(self) -> bytes:
        """The bytes to be sent."""
        return self.value if isinstance(self.value, bytes) else msgspec.json.encode(self.value)


Call = Callable[[Request, Any, Any], Response]
"""What a route does, with the query and the body as the types it names. Runs in a thread; raises Halt."""


class Route(Struct, frozen=True, kw_only=True):
    """One address and method. `says` is its sentence in the document; `answer` is what it gives, `problems` instead.

    Whoever may do its operation, or one of those `also` done here, is let in; which of them it comes to is looked at by
    what it calls. `limit` names what its requests are counted with.
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
    """May its body be as large as an import?"""
    again: bool = False
    """Is what was done already answered once more, with 200?"""
    follows: bool = False
    """Must what is asked for follow on the entry that If-Match names?"""
    tagged: bool = False
    """Does it answer under a tag, and that nothing has changed to who names it?"""
    paged: bool = False
    """Does it answer a page at a time, with a link to the next?"""


def no_authority(session: Session, operation: Operation, match: str = "") -> HttpProblem:
    """The refusal of an operation; it names the matches of the token if the same role may do it without that limit."""
    limits = ((), (match,)) if session.matches else ()
    if not any(may(msgspec.structs.replace(session, matches=matches), operation, match) for matches in limits):
        return http_problem("no-authority")
    some = [*session.matches[:NAMED_MAX], *(["..."] if len(session.matches) > NAMED_MAX else [])]
    return http_problem("no-authority", Text("problem.limited", {"matches": listed(some)}))


def read_moment(text: str, last: int) -> tuple[int, int]:
    """An entry and which of its facts (0: all), as in `206` or `206.3`. Halts where there is no such entry."""
    number, dot, fact = text.partition(".")
    parts = (number, fact) if dot else (number,)
    good = all(part.isascii() and part.isdecimal() and len(part) <= NUMBER_DIGITS and int(part) for part in parts)
    if good and int(number) <= last:
        return int(number), int(fact or 0)
    raise no_entry(text, last)


def no_entry(text: str, last: int) -> HttpProblem:
    """What is told of an entry that is not there."""
    return http_problem("unknown", Text("match.no_entry", {"entry": text[:NUMBER_DIGITS], "last": last}))


def read_query(route: Route, query: str) -> Any:
    """Return the query as the route's type. Halts where it does not fit, naming what and where.

    Pages and downloads ignore unknown parameters: programs for chats and mail add their own to every link.
    """
    data = route.path.startswith(API) and route.kind in (JSON, event_stream.KIND)
    known = query if data else keep_known(query, route.query)
    try:
        form = read_form(known, route.query)
        _check_choices(form, route.query)
        return msgspec.convert(form, route.query, strict=False)
    except (msgspec.ValidationError, RecursionError, ValueError) as error:
        raise http_problem("unreadable", Text("problem.query", {"why": _why(error)})) from None


def _check_choices(form: dict[str, str | list[str]], into: type[Struct]) -> None:
    """Halt where a value is none of those that its field may have, and list them."""
    for field in msgspec.structs.fields(into):
        value, known = form.get(field.encode_name), [*map(str, get_args(field.type))]
        if isinstance(value, str) and get_origin(field.type) is Literal and value not in known:
            given = {"name": field.encode_name, "value": repr(value[:REPEATED_MAX])}
            why = Text("problem.choice", {**given, "known": listed(each for each in known if each)})
            raise http_problem("unreadable", Text("problem.query", {"why": why}))


def keep_known(query: str, into: type[Struct]) -> str:
    """Return the parameters of a query that a type has fields for, as they were written."""
    names = {field.encode_name for field in msgspec.structs.fields(into)}
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) in names)


def read_body(route: Route, body: bytes) -> Any:
    """The body as the route's type. Halts where it is no such thing, naming what and where."""
    if route.body is None:
        return None
    if route.body is bytes:
        return body
    try:
        if route.kind == HTML:
            return msgspec.convert(read_form(body.decode(), route.body, strict=True), route.body, strict=False)
        read = msgspec.json.decode(body, type=route.body)
        # Numbers are not read again: one of thousands of digits would take long.
        json.loads(body, object_pairs_hook=_read_once, parse_int=len, parse_float=len)
        return read
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise http_problem("unreadable", Text("problem.body", {"why": _why(error)})) from None


def _read_once(pairs: list[tuple[str, object]]) -> None:
    """Raise ValidationError for an object with two fields of one name: programs differ in which of them counts."""
    names = set[str]()
    for name, _ in pairs:
        if name in names:
            raise msgspec.ValidationError(f"Object contains field `{name}` twice")
        names.add(name)


def _why(error: Exception) -> Text:
    return not_utf8(error, error.start) if isinstance(error, UnicodeDecodeError) else misfit(error)


def read_form(text: str, into: type[Struct], *, strict: bool = False) -> dict[str, str | list[str]]:
    """A form as it was sent, or a query: all values of a field that is a tuple, the only one of any other.

    Raises ValidationError where a field that has one value is sent twice, and ValueError for what is no form (`strict`:
    what has a name and no value, too).
    """
    pairs = parse_qsl(
        text,
        keep_blank_values=True,
        strict_parsing=strict and bool(text),
        max_num_fields=FIELDS_MAX,
        errors="strict",
    )
    several = {field.name for field in msgspec.structs.fields(into) if get_origin(field.type) is tuple}
    form: dict[str, str | list[str]] = {name: [] for name, _ in pairs if name in several}
    for name, value in pairs:
        held = form.get(name)
        if isinstance(held, list):
            held.append(value)
        elif held is None:
            form[name] = value
        else:
            raise msgspec.ValidationError(f"Object contains field `{name}` twice")
    return form


def answer(route: Route, request: Request, body: bytes) -> Response:
    """What a route answers: its own reply, or a problem."""
    try:
        if not any(may(request.session, operation) for operation in (route.operation, *route.also)):
            raise no_authority(request.session, route.operation)
        if route.limit is not None:
            request.take(route.limit)
        return route.call(request, read_query(route, request.query), read_body(route, body))
    except HttpProblem as stopped:
        signed_out = request.ended and stopped.problem.status == FORBIDDEN
        return problem_response(
            request, http_problem("no-token", Text("problem.signed_out")) if signed_out else stopped
        )
    except StoreError as error:
        return problem_response(request, unavailable(error))
    except FormatError as error:
        return problem_response(
            request, http_problem("unreadable", error.message, line=error.line, column=error.column)
        )
    except TextError as error:
        return problem_response(request, http_problem("unreadable", error.text))


def unavailable(error: StoreError) -> HttpProblem:
    """The store cannot be used; why is said to the operator alone, for it names files of this machine."""
    LOG.error("%s", error.text)
    if error.trouble in ("locked", "unreachable"):
        return busy("store-unavailable", LOCKED_SECONDS)
    says = Text("problem.damaged", {"entry": error.entry}) if error.trouble == "corrupt" and error.entry else None
    return http_problem("store-unavailable", says, entry=error.entry)


def problem_response(request: Request, stopped: HttpProblem) -> Response:
    """A problem as a reply."""
    problem: Problem = msgspec.structs.replace(stopped.problem, instance=request.url)
    return Response(problem, problem.status, stopped.headers, PROBLEM)
