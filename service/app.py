"""The application: all routes of the API and of the pages behind one handler, and what every answer tells browsers."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from litestar import Litestar, Request, Response
from litestar.concurrency import sync_to_thread
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException, InternalServerException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from domain.formats.errors import not_utf8
from domain.words import LANGS, Lang, Text
from recorder.store import StoreError
from service import api, events, limits, live, pages, progress, security
from service.access import ANYBODY, Operation, Session, session_of
from service.asking import API, LOCKED_SECONDS, Ask, Reply, Route, answer, told, unavailable
from service.drawing import STATIC
from service.house import House
from service.problems import Halt, Type, busy, halt, too_large


@cache
def learn_types() -> None:
    """Learn every type there is, in one thread. Those that cannot be read are none that anybody reads."""
    for known in _below(Struct):
        try:
            msgspec.json.Decoder(known)
        except (TypeError, NameError):
            continue


def _below(kind: type[Struct]) -> Iterator[type[Any]]:
    for known in kind.__subclasses__():
        yield known
        yield from _below(known)


AT_ONCE: Final = 4
"""Writers that run at the same time; the service has many more threads."""
PATIENCE_S: Final = 5.0
"""Seconds a writer waits for a turn, before it waits for the store for at most `LOCK_SECONDS`."""
WRITING: Final[frozenset[Operation]] = frozenset(
    (
        "record", "open", "pair", "branch", "call", "break_seal", "ask_rewind", "approve_rewind", "dispute", "rule",
        "decide", "import", "seal_log",
    )
)  # fmt: skip
"""Operations that write to the store unless they are read with GET."""
T = TypeVar("T")


def writes(route: Route) -> bool:
    """True if a route writes to the store."""
    return route.method != "GET" and route.operation in WRITING


class Turns:
    """Those who write, a few at a time. Asked in the loop of the application alone."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def take(self, call: Callable[..., T], *given: object) -> T:
        """Call it in a thread when it is its turn. Halts where that is too long to wait for."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise busy("store-unavailable", LOCKED_SECONDS) from None
        try:
            return await sync_to_thread(call, *given)
        finally:
            self._free.release()


def secured(send: Any) -> Any:
    """Send with HSTS."""

    async def send_secured(message: Any) -> None:
        if message["type"] == "http.response.start":
            hsts = (b"strict-transport-security", security.HSTS.encode())
            message = {**message, "headers": [*message.get("headers", ()), hsts]}
        await send(message)

    return send_secured


class Heading(Litestar):
    """An application that answers HEAD wherever it answers GET, with the same status and the same headers."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. Of a stream only the beginning is made."""
        if scope["type"] == "http" and self.state.house.settings.secure:
            send = secured(send)
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await super().__call__(scope, receive, send)
            return
        begun = asyncio.Event()

        async def send_head(message: Any) -> None:
            if message["type"] != "http.response.body":
                await send(message)
            elif not begun.is_set():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                if message.get("more_body"):
                    begun.set()

        asked: Any = {**scope, "method": "GET"}
        answering = asyncio.create_task(super().__call__(asked, receive, send_head))
        goes_on = asyncio.create_task(begun.wait())
        try:
            await asyncio.wait((answering, goes_on), return_when=asyncio.FIRST_COMPLETED)
            if not begun.is_set():
                await answering
        finally:
            goes_on.cancel()
            answering.cancel()
            with suppress(asyncio.CancelledError):
                await answering


LOG: Final = logging.getLogger(__name__)
BEARER: Final = "bearer "
TYPES: Final[dict[int, Type]] = {404: "unknown", 405: "wrong-method", 413: "too-large", 400: "unreadable"}
"""What the framework itself says, as a problem."""
GZIP_MIN, GZIP_LEVEL = 500, 6
"""What is smaller is not packed; packed closer, a film takes twice as long for a twentieth less."""
AS_IT_IS: Final = "as_it_is"
"""The option of routes whose answers nobody packs: of a stream each event is to go out at once, the same for all."""
FOREVER: Final = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)
"""How long static files are kept: pages address them by what they hold."""
STATIC_ROOT: Final = "/static"
FILES: Final = frozenset(f"{STATIC_ROOT}/{file.name}" for file in STATIC.iterdir())
BODY_S, IMPORT_S = 30.0, 300.0
"""So long it may take to send a body, and one that may be as large as an import."""


def create_app(house: House) -> Litestar:
    """The application over a house, which it closes when it ends."""
    handlers: list[ControllerRouterHandler] = [handler(route) for route in routes()]
    app = Heading(
        [*handlers, create_static_files_router(STATIC_ROOT, [STATIC], cache_control=FOREVER, before_request=find_file)],
        openapi_config=None,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=GZIP_MIN, gzip_compress_level=GZIP_LEVEL, exclude_opt_key=AS_IT_IS
        ),
        exception_handlers={Exception: failed},
        after_request=finish,
        request_max_body_size=house.settings.import_max,
        logging_config=None,
    )
    put_over(app, house)
    return app


def put_over(app: Litestar, house: House) -> None:
    """Let an application that has not begun, or has ended, serve a house that takes imports of the same size."""

    def begin(app: Litestar) -> None:
        learn_types()
        app.state.house, app.state.hub, app.state.counts = house, hub, progress.Counts()
        app.state.turns, app.state.bodies = Turns(), Counter()
        house.begin()

    def end(app: Litestar) -> None:
        house.close()

    hub = live.Hub(house)
    app.on_startup[:] = [begin, hub.begin]
    app.on_shutdown[:] = [hub.end, end]


def routes() -> Sequence[Route]:
    """Every route there is."""
    return (*api.ROUTES, *pages.ROUTES)


def handler(route: Route) -> HTTPRouteHandler:
    """What serves a route: it reads the request, and answers in a thread; what writes waits for its turn."""
    call = answer if route.path.startswith(API) else pages.answer
    in_turn = writes(route)

    async def serve(request: Request[Any, Any, Any]) -> Response[Any]:
        house: House = request.app.state.house
        settings = house.settings
        try:
            ask = await sync_to_thread(ask_of, request, house)
            most, within = (settings.import_max, IMPORT_S) if route.large else (settings.body_max, BODY_S)
            body = await read_in_time(request, most, within)
            run = request.app.state.turns.take if in_turn else sync_to_thread
            reply = await run(call, route, ask, body)
        except Halt as stopped:
            return drawn(request, stopped)
        match reply.value:
            case live.Watcher() | progress.Progress():
                return follow(request, msgspec.structs.replace(reply.value, address=address_of(request)))
            case _:
                return sent(reply)

    return HTTPRouteHandler(
        route.path,
        http_method=[route.method],
        status_code=200,
        name=f"{route.method} {route.path}",
        opt={AS_IT_IS: route.kind == events.KIND},
    )(serve)


def follow(request: Request[Any, Any, Any], following: live.Watcher | progress.Progress) -> Response[Any]:
    """How a match or a job goes on, if not too many are told so already."""
    state = request.app.state
    try:
        if isinstance(following, live.Watcher):
            return live.Streaming(state.hub, following)
        return progress.stream(state.house, state.counts, following)
    except Halt as stopped:
        return drawn(request, stopped)


def ask_of(request: Request[Any, Any, Any], house: House) -> Ask:
    """Who asks, in which language, and for what. Halts where a change is asked for from elsewhere."""
    if house.draining:
        raise busy("draining")
    headers = {name.lower(): value for name, value in request.headers.items()}
    header = headers.get("authorization", "")
    bearer = header[len(BEARER) :].strip() if header[: len(BEARER)].lower() == BEARER else ""
    token = bearer or request.cookies.get(security.cookie_name(house.settings.secure), "")
    if not security.is_ours(request.method, headers, house.settings.public, bool(bearer)):
        raise halt("foreign-origin")
    house.drop_forgotten()
    key = house.keys.key(token, house.clock()) if token else None
    if bearer and key is None:
        raise halt("no-token", headers={"WWW-Authenticate": "Bearer"})
    path = {name: str(value) for name, value in request.path_params.items()}
    session: Session = ANYBODY if key is None else house.in_match(session_of(key), path.get("match", ""))
    url = request.scope["path"]
    return Ask(
        house=house,
        session=session,
        lang=language(url),
        url=url,
        query=query_of(request),
        path=path,
        headers=headers,
        ended=bool(token) and key is None,
    )


def query_of(request: Request[Any, Any, Any]) -> str:
    """What follows the path, as it was written. Halts where that is no text."""
    raw: bytes = request.scope["query_string"]
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise halt("unreadable", Text("problem.query", {"why": not_utf8(error, error.start)})) from None


def language(path: str) -> Lang:
    """The language that an address begins with; English where it begins with none."""
    first = path.split("/", 2)[1] if "/" in path else ""
    return next((lang for lang in LANGS if lang == first), "en")


def address_of(request: Request[Any, Any, Any]) -> str:
    """The address that a request counts for."""
    proxy = request.app.state.house.settings.proxy
    forwarded = [value for name, value in request.scope["headers"] if name.lower() == b"x-forwarded-for"]
    peer = request.scope["client"] or ("", 0)
    return limits.address_of(peer[0], forwarded[-1].decode("latin-1") if forwarded else "", proxy)


async def read_in_time(request: Request[Any, Any, Any], most: int, within: float) -> bytes:
    """The body, if it comes within so many seconds and whole. Halts if it does not, and if too many bodies are on their
    way from the same address."""
    bodies, address = request.app.state.bodies, address_of(request)
    if bodies[address] >= limits.BODIES_MAX:
        raise busy("too-many", text=Text("problem.address_bodies", {"most": limits.BODIES_MAX}))
    bodies[address] += 1
    try:
        async with asyncio.timeout(within):
            return await read(request, most)
    except TimeoutError:
        raise halt("too-slow", headers={"Connection": "close"}) from None
    except InternalServerException:  # the client has gone, or what it sent is no body
        raise halt("unreadable", Text("problem.cut_off")) from None
    finally:
        bodies[address] -= 1
        if not bodies[address]:
            del bodies[address]


async def read(request: Request[Any, Any, Any], most: int) -> bytes:
    """The body, if it is not larger than that. Halts if it is."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > most:
        raise too_large(most)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large(most)
        parts.append(part)
    return b"".join(parts)


def sent(reply: Reply) -> Response[bytes]:
    """A reply on its way; nobody keeps it unless it says so."""
    headers = {**security.HEADERS, "Cache-Control": security.NO_STORE, **reply.headers}
    return Response(reply.body(), status_code=reply.status, media_type=reply.kind, headers=headers)


def drawn(request: Request[Any, Any, Any], stopped: Halt) -> Response[bytes]:
    """A problem, for programs or for people, by the address that was asked for."""
    house: House = request.app.state.house
    path = request.scope["path"]
    ask = Ask(house=house, session=ANYBODY, lang=language(path), url=path)
    return sent(told(ask, stopped) if path.startswith(API) else pages.trouble(ask, stopped))


def find_file(request: Request[Any, Any, Any]) -> None:
    """Look for a static file by its whole address: what is none is not looked for on the disk."""
    if request.scope["path"] not in FILES:
        raise NotFoundException


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What no route answered: an unknown address, or a fault of our own, which is logged and not told."""
    if isinstance(error, StoreError):
        return drawn(request, unavailable(error))
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status not in TYPES:
        LOG.error("%s %r", request.method, request.scope["path"], exc_info=error)
    return drawn(request, halt(TYPES.get(status, "our-fault")))


def finish(response: Response[Any]) -> Response[Any]:
    """Say with every answer what browsers may do with it."""
    for name, value in security.HEADERS.items():
        response.headers.setdefault(name, value)
    return response
