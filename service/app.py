"""The ASGI application: the routes of the API and the pages, and the headers of every response."""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

import msgspec
from litestar import Litestar, Request as HttpRequest, Response as HttpResponse
from litestar.concurrency import sync_to_thread
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from domain.formats.errors import not_utf8
from domain.words import LANGS, Lang, Text
from recorder.store import StoreError
from service import limits, security
from service.access import ANONYMOUS, Operation, Session, session_of
from service.api import MATCH
from service.call_queue import CallQueue
from service.context import AppContext
from service.live import event_stream, hub, sending
from service.problems import HttpProblem, Type, busy, http_problem, too_large
from service.rendering import STATIC, answer_page, draw_problem_page
from service.reports import job_progress
from service.requests import API, Request, Response, Route, answer, problem_response, store_problem
from service.routes import API_ROUTES, PAGE_ROUTES


@cache
def build_decoders() -> None:
    """Build the JSON decoder of every struct once, in one thread. Types without a decoder are skipped."""
    for known in _subclasses(Struct):
        try:
            msgspec.json.Decoder(known)
        except (TypeError, NameError):
            continue


def _subclasses(kind: type[Struct]) -> Iterator[type[Any]]:
    for known in kind.__subclasses__():
        yield known
        yield from _subclasses(known)


WRITERS: Final = 4
"""Threads for requests that write."""
WRITE_WAIT_S: Final = 0.5
"""Seconds that a request to write waits for a thread. After that, newer ones are told to come back."""
WRITE_OPERATIONS: Final[frozenset[Operation]] = frozenset(
    (
        "record", "offer", "undo", "reveal", "open", "pair", "branch", "call", "break_seal", "ask_rewind",
        "approve_rewind", "dispute", "rule", "decide", "import", "seal_log",
    )
)  # fmt: skip


def is_write(route: Route) -> bool:
    return route.method != "GET" and route.operation in WRITE_OPERATIONS and route.limit != "tries"


def with_hsts(send: Any) -> Any:
    async def send_secured(event: Any) -> None:
        if event["type"] == "http.response.start":
            hsts = (b"strict-transport-security", security.HSTS.encode())
            event = {**event, "headers": [*event.get("headers", ()), hsts]}
        await send(event)

    return send_secured


class HeadApplication(Litestar):
    """An application that answers HEAD wherever it answers GET, with the same status and headers."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. For HEAD a stream is cut after its first part."""
        if scope["type"] == "http" and self.state.context.settings.secure:
            send = with_hsts(send)
        if scope["type"] == "http" and scope["method"] == "POST" and (match := COMMAND_PATH.fullmatch(scope["path"])):
            await answer_command({**scope, "litestar_app": self, "path_params": {"match": match[1]}}, receive, send)
            return
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await super().__call__(scope, receive, send)
            return
        started = asyncio.Event()

        async def send_head(message: Any) -> None:
            if message["type"] != "http.response.body":
                await send(message)
            elif not started.is_set():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                if message.get("more_body"):
                    started.set()

        get_scope: Any = {**scope, "method": "GET"}
        response_task = asyncio.create_task(super().__call__(get_scope, receive, send_head))
        stream_task = asyncio.create_task(started.wait())
        try:
            await asyncio.wait((response_task, stream_task), return_when=asyncio.FIRST_COMPLETED)
            if not started.is_set():
                await response_task
        finally:
            stream_task.cancel()
            response_task.cancel()
            with suppress(asyncio.CancelledError):
                await response_task


Incoming = HttpRequest[Any, Any, Any]
Outgoing = HttpResponse[Any]
LOG: Final = logging.getLogger(__name__)
BEARER: Final = "bearer "
TYPES: Final[dict[int, Type]] = {404: "unknown", 405: "wrong-method", 413: "too-large", 400: "unreadable"}
"""Problem type for each error status of the framework."""
GZIP_MIN, GZIP_LEVEL = 500, 6
"""Smaller bodies are not compressed. A higher level doubles the time for a timeline and saves 5 percent."""
NOT_COMPRESSED: Final = "as_it_is"
"""Option of routes that are not compressed. Each event of a stream must be sent at once."""
FOREVER: Final = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)
"""Caching of static files. Their URLs contain a hash of the content."""
STATIC_ROOT: Final = "/static"
STATIC_PATHS: Final = frozenset(f"{STATIC_ROOT}/{file.name}" for file in STATIC.iterdir())
COMMAND_ROUTE: Final = next(
    route for route in API_ROUTES if route.method == "POST" and route.path == f"{MATCH}/entries"
)
COMMAND_PATH: Final = re.compile(COMMAND_ROUTE.path.replace("{match:str}", "([^/]+)"))
BODY_S, IMPORT_S = 30.0, 300.0
"""Seconds allowed to send a body, and an import."""


def create_app(context: AppContext) -> Litestar:
    handlers: list[ControllerRouterHandler] = [handler(route) for route in routes()]
    app = HeadApplication(
        [
            *handlers,
            create_static_files_router(
                STATIC_ROOT, [STATIC], cache_control=FOREVER, before_request=require_static_file
            ),
        ],
        openapi_config=None,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=GZIP_MIN, gzip_compress_level=GZIP_LEVEL, exclude_opt_key=NOT_COMPRESSED
        ),
        exception_handlers={Exception: handle_exception},
        after_request=add_security_headers,
        request_max_body_size=context.settings.import_max,
        logging_config=None,
    )
    attach_context(app, context)
    return app


def attach_context(app: Litestar, context: AppContext) -> None:
    """Attach a context to an application that is not running. Its limit for imports must be the same."""

    def begin(app: Litestar) -> None:
        build_decoders()
        app.state.context, app.state.hub, app.state.counts = context, watchers, job_progress.StreamCounts()
        app.state.bodies = Counter()
        context.begin()

    def end(app: Litestar) -> None:
        app.state.writers.stop()
        context.close()

    async def start_writers(app: Litestar) -> None:
        app.state.writers = CallQueue("write", WRITERS, WRITE_WAIT_S)
        app.state.writers.start()

    watchers = hub.Hub(context)
    app.on_startup[:] = [begin, start_writers, watchers.begin]
    app.on_shutdown[:] = [watchers.end, end]


def routes() -> Sequence[Route]:
    return (*API_ROUTES, *PAGE_ROUTES)


def handler(route: Route) -> HTTPRouteHandler:
    async def serve(request: Incoming) -> Outgoing:
        response = await respond(route, request)
        match response.value:
            case hub.StreamRequest() | job_progress.Progress():
                return open_event_stream(request, msgspec.structs.replace(response.value, address=address_of(request)))
            case _:
                return to_http_response(response)

    return HTTPRouteHandler(
        route.path,
        http_method=[route.method],
        status_code=200,
        name=f"{route.method} {route.path}",
        opt={NOT_COMPRESSED: route.kind == event_stream.KIND},
    )(serve)


async def answer_command(scope: Any, receive: Any, send: Any) -> None:
    """Answer a command without the framework's router and middlewares, which cost as much as to decide it."""
    incoming: Incoming = HttpRequest(scope, receive, send)
    try:
        response = await respond(COMMAND_ROUTE, incoming)
    except Exception as error:
        response = draw_exception(incoming, error)
    body = response.body()
    headers = {"content-type": response.kind, "content-length": str(len(body)), **headers_of(response)}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": response.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def respond(route: Route, incoming: Incoming) -> Response:
    """Read a request and answer it in a thread. Requests that write have threads of their own."""
    state = incoming.app.state
    settings = state.context.settings
    bytes_max, seconds = (settings.import_max, IMPORT_S) if route.large else (settings.body_max, BODY_S)
    call = answer if route.path.startswith(API) else answer_page
    try:
        body = b"" if route.method == "GET" else await read_in_time(incoming, bytes_max, seconds)

        def run() -> Response:
            return call(route, request_of(incoming, state.context), body)

        return await (state.writers.run(run) if is_write(route) else sync_to_thread(run))
    except HttpProblem as error:
        return draw_problem(incoming, error)


def open_event_stream(incoming: Incoming, following: hub.StreamRequest | job_progress.Progress) -> Outgoing:
    """Return the event stream of a match or a job, or a problem if too many streams are open."""
    state = incoming.app.state
    try:
        if isinstance(following, hub.StreamRequest):
            return sending.StreamResponse(state.hub, following)
        return job_progress.stream(state.context, state.counts, following)
    except HttpProblem as error:
        return to_http_response(draw_problem(incoming, error))


def request_of(incoming: Incoming, context: AppContext) -> Request:
    """Return the request with its session and language. Raises HttpProblem for a write from a foreign origin."""
    if context.draining:
        raise busy("draining")
    headers = {name.lower(): value for name, value in incoming.headers.items()}
    header = headers.get("authorization", "")
    bearer = header[len(BEARER) :].strip() if header[: len(BEARER)].lower() == BEARER else ""
    token = bearer or incoming.cookies.get(security.cookie_name(context.settings.secure), "")
    if not security.is_trusted_origin(incoming.method, headers, context.settings.public, bool(bearer)):
        raise http_problem("foreign-origin")
    context.drop_forgotten()
    key = context.keys.key(token, context.clock()) if token else None
    if bearer and key is None:
        raise http_problem("no-token", headers={"WWW-Authenticate": "Bearer"})
    path = {name: str(value) for name, value in incoming.path_params.items()}
    session: Session = ANONYMOUS if key is None else context.in_match(session_of(key), path.get("match", ""))
    url = incoming.scope["path"]
    return Request(
        context=context,
        session=session,
        lang=find_language(url),
        url=url,
        query=query_of(incoming),
        path=path,
        headers=headers,
        ended=bool(token) and key is None,
    )


def query_of(incoming: Incoming) -> str:
    """Return the query string. Raises HttpProblem if it is not UTF-8."""
    raw: bytes = incoming.scope["query_string"]
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise http_problem("unreadable", Text("problem.query", {"why": not_utf8(error, error.start)})) from None


def find_language(path: str) -> Lang:
    """Return the language that a path begins with; English by default."""
    first = path.split("/", 2)[1] if "/" in path else ""
    return next((lang for lang in LANGS if lang == first), "en")


def address_of(incoming: Incoming) -> str:
    """Return the client address that a request counts for."""
    proxy = incoming.app.state.context.settings.proxy
    forwarded = [value for name, value in incoming.scope["headers"] if name.lower() == b"x-forwarded-for"]
    peer = incoming.scope["client"] or ("", 0)
    return limits.address_of(peer[0], forwarded[-1].decode("latin-1") if forwarded else "", proxy)


async def read_in_time(incoming: Incoming, bytes_max: int, seconds: float) -> bytes:
    """Return the body. Raises HttpProblem if it takes more than `seconds`, or if this address sends too many bodies at
    once."""
    bodies, address = incoming.app.state.bodies, address_of(incoming)
    if bodies[address] >= limits.BODIES_MAX:
        raise busy("too-many", text=Text("problem.address_bodies", {"most": limits.BODIES_MAX}))
    bodies[address] += 1
    try:
        async with asyncio.timeout(seconds):
            return await read_body(incoming, bytes_max)
    except TimeoutError:
        raise http_problem("too-slow", headers={"Connection": "close"}) from None
    finally:
        bodies[address] -= 1
        if not bodies[address]:
            del bodies[address]


async def read_body(incoming: Incoming, bytes_max: int) -> bytes:
    """Return the body. Raises HttpProblem if it has more than `bytes_max` bytes or is cut off."""
    declared = incoming.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > bytes_max:
        raise too_large(bytes_max)
    parts: list[bytes] = []
    size, has_more = 0, True
    while has_more:
        message: Any = await incoming.receive()
        if message["type"] == "http.disconnect":
            raise http_problem("unreadable", Text("problem.cut_off"))
        parts.append(message.get("body", b""))
        size, has_more = size + len(parts[-1]), message.get("more_body", False)
        if size > bytes_max:
            raise too_large(bytes_max)
    return b"".join(parts)


def to_http_response(response: Response) -> HttpResponse[bytes]:
    """Convert a response. It is not cached unless its headers allow it."""
    headers = headers_of(response)
    return HttpResponse(response.body(), status_code=response.status, media_type=response.kind, headers=headers)


def headers_of(response: Response) -> dict[str, str]:
    return {**security.HEADERS, "Cache-Control": security.NO_STORE, **response.headers}


def draw_problem(incoming: Incoming, error: HttpProblem) -> Response:
    """Return a problem as JSON for API paths and as a page for all others."""
    context: AppContext = incoming.app.state.context
    path = incoming.scope["path"]
    request = Request(context=context, session=ANONYMOUS, lang=find_language(path), url=path)
    return problem_response(request, error) if path.startswith(API) else draw_problem_page(request, error)


def require_static_file(incoming: Incoming) -> None:
    """Raise NotFoundException for an unknown path, without touching the disk."""
    if incoming.scope["path"] not in STATIC_PATHS:
        raise NotFoundException


def handle_exception(incoming: Incoming, error: Exception) -> HttpResponse[bytes]:
    return to_http_response(draw_exception(incoming, error))


def draw_exception(incoming: Incoming, error: Exception) -> Response:
    """Return the problem for an unknown address or an internal error. Internal errors are logged and not shown."""
    if isinstance(error, StoreError):
        return draw_problem(incoming, store_problem(error))
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status not in TYPES:
        LOG.error("%s %r", incoming.method, incoming.scope["path"], exc_info=error)
    return draw_problem(incoming, http_problem(TYPES.get(status, "our-fault")))


def add_security_headers(outgoing: Outgoing) -> Outgoing:
    for name, value in security.HEADERS.items():
        outgoing.headers.setdefault(name, value)
    return outgoing
