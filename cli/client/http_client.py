"""HTTP client of a service. Refusals raise ServiceError with the problem."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from cli.client.events import ServerSentEvent, read_events
from cli.client.transport import (
    ClientRequest,
    ClientResponse,
    Send,
    ServiceUnreachable,
    Stream,
    StreamError,
    pause,
    send_patiently,
    write_query,
)
from domain.words import Text
from service.problems import Problem

ROOT: Final = "/api/v1"
NEXT: Final = re.compile(r'<(/[^>]*)>; rel="next"')
PROBLEM: Final = "application/problem+json"
FINE: Final = range(200, 300)
STREAM_TRIES: Final = 5
"""Attempts to reopen a stream without an event in between."""
STREAM_PAUSE_S: Final = 1.0
ENDS: Final = frozenset(("sealed", "over"))
"""Events that end a stream."""

T = TypeVar("T")
Query = Mapping[str, object]


class ServiceError(Exception):
    """The service refused the request. `problem` gives the reason for people and programs."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.en)
        self.problem = problem


class ServiceClient(Struct, frozen=True):
    """A service, used with a token or as a spectator without one. Requests raise ServiceError and
    ServiceUnreachable."""

    url: str
    send: Send
    stream: Stream
    token: str = ""

    def get(self, path: str, type: type[T], query: Query | None = None) -> T:
        """Return the resource at a path, decoded as this type."""
        return self.ask(self.request("GET", path, query), type)

    def post(self, path: str, body: object, type: type[T], *, query: Query | None = None, again: bool = False,
             headers: Mapping[str, str] | None = None) -> T:  # fmt: skip
        """Send a body; return the response. `again` allows a retry after a lost connection."""
        return self.ask(self.request("POST", path, query, msgspec.json.encode(body), headers, again), type)

    def delete(self, path: str, type: type[T], query: Query | None = None, *, id: UUID | None = None) -> T:
        """Delete the resource at a path. An id makes a retry safe."""
        named = {} if id is None else {"Idempotency-Key": str(id)}
        return self.ask(self.request("DELETE", path, query, headers=named, again=id is not None), type)

    def fetch(self, path: str, query: Query | None = None) -> bytes:
        return self._answer(self.request("GET", path, query)).body

    def pages(self, path: str, type: type[T], query: Query | None = None) -> Iterator[T]:
        answer: ClientResponse | None = self._answer(self.request("GET", path, query))
        while answer is not None:
            yield self._read(answer, type)
            more = NEXT.search(answer.headers.get("link", ""))
            answer = self._answer(self.request("GET", more[1])) if more is not None else None

    def follow(self, path: str, query: Query | None = None, after: str = "") -> Iterator[ServerSentEvent]:
        """Yield the events of a stream. After a lost connection, resume after the last numbered event."""
        left = STREAM_TRIES
        while left:
            if left < STREAM_TRIES:
                pause(STREAM_PAUSE_S)
            left -= 1
            sent = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
            try:
                for event in read_events(self.stream(self.request("GET", path, query, headers=sent))):
                    left, after = STREAM_TRIES, event.id or after
                    if event.kind != "bye":
                        yield event
                    if event.kind in ENDS:
                        return
            except StreamError as instead:
                self._check(instead.response)
                raise self.unknown_format_error() from None
            except ServiceUnreachable:
                if not left:
                    raise

    def ask(self, request: ClientRequest, type: type[T]) -> T:
        """Send a request; return the response, decoded as this type."""
        return self._read(self._answer(request), type)

    def _answer(self, request: ClientRequest) -> ClientResponse:
        answer = send_patiently(self.send, request)
        self._check(answer)
        return answer

    def request(self, method: str, path: str, query: Query | None = None, body: bytes | None = None,
                headers: Mapping[str, str] | None = None, again: bool = True) -> ClientRequest:  # fmt: skip
        """Return a request with the token. `again` allows a retry after a lost connection."""
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        where = path if path.startswith(f"{ROOT}/") else ROOT + path
        return ClientRequest(
            method, where + write_query(query), {"Accept": "application/json", **bearer, **(headers or {})}, body, again
        )

    def _check(self, answer: ClientResponse) -> None:
        if answer.status in FINE:
            return
        if not answer.headers.get("content-type", "").startswith(PROBLEM):
            raise self.unknown_format_error()
        raise ServiceError(self._read(answer, Problem))

    def _read(self, answer: ClientResponse, type: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.body, type=type)
        except msgspec.MsgspecError:
            raise self.unknown_format_error() from None

    def unknown_format_error(self) -> ServiceUnreachable:
        """Return the error for a response in an unknown format."""
        return ServiceUnreachable(Text("client.foreign", {"url": self.url}))
