"""Anything asked of a service at an address. What it refuses is raised with its problem."""

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
"""So often a stream is asked for anew without a word of news between."""
STREAM_PAUSE_S: Final = 1.0
ENDS: Final = frozenset(("sealed", "over"))
"""Events after which there is nothing more to come."""

T = TypeVar("T")
Query = Mapping[str, object]


class ServiceError(Exception):
    """The service says no; `problem` says why, to people in both languages and to programs."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.en)
        self.problem = problem


class ServiceClient(Struct, frozen=True):
    """A service, spoken to with a token, or as a spectator without one. Everything raises Refused and Unreachable."""

    url: str
    send: Send
    stream: Stream
    token: str = ""

    def get(self, path: str, type: type[T], query: Query | None = None) -> T:
        """What stands at an address, read as this type."""
        return self.ask("GET", path, type, query)

    def post(self, path: str, body: object, type: type[T], *, query: Query | None = None, again: bool = False,
             headers: Mapping[str, str] | None = None) -> T:  # fmt: skip
        """What comes of something sent; `again`: it may be sent again where the connection is lost."""
        return self.ask("POST", path, type, query, body=msgspec.json.encode(body), headers=headers, again=again)

    def delete(self, path: str, type: type[T], query: Query | None = None, *, id: UUID | None = None) -> T:
        """What comes of taking back what stands at an address; under an id it may be sent again."""
        named = {} if id is None else {"Idempotency-Key": str(id)}
        return self.ask("DELETE", path, type, query, headers=named, again=id is not None)

    def fetch(self, path: str, query: Query | None = None) -> bytes:
        """The bytes of a file at an address."""
        return self._answer("GET", path, query).body

    def pages(self, path: str, type: type[T], query: Query | None = None) -> Iterator[T]:
        """Page after page of what stands at an address."""
        answer: ClientResponse | None = self._answer("GET", path, query)
        while answer is not None:
            yield self._read(answer, type)
            more = NEXT.search(answer.headers.get("link", ""))
            answer = self._answer("GET", more[1]) if more is not None else None

    def follow(self, path: str, query: Query | None = None, after: str = "") -> Iterator[ServerSentEvent]:
        """The events of a stream; where the connection is lost, on from behind the last one that came with a number."""
        left = STREAM_TRIES
        while left:
            if left < STREAM_TRIES:
                pause(STREAM_PAUSE_S)
            left -= 1
            sent = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
            try:
                for event in read_events(self.stream(self._request("GET", path, query, headers=sent))):
                    left, after = STREAM_TRIES, event.id or after
                    if event.kind != "bye":
                        yield event
                    if event.kind in ENDS:
                        return
            except StreamError as instead:
                self._check(instead.response)
                raise self.foreign() from None
            except ServiceUnreachable:
                if not left:
                    raise

    def ask(self, method: str, path: str, type: type[T], query: Query | None = None, *, body: bytes | None = None,
             headers: Mapping[str, str] | None = None, again: bool = True) -> T:  # fmt: skip
        return self._read(self._answer(method, path, query, body, headers, again), type)

    def _answer(self, method: str, path: str, query: Query | None = None, body: bytes | None = None,
                headers: Mapping[str, str] | None = None, again: bool = True) -> ClientResponse:  # fmt: skip
        answer = send_patiently(self.send, self._request(method, path, query, body, headers, again))
        self._check(answer)
        return answer

    def _request(self, method: str, path: str, query: Query | None = None, body: bytes | None = None,
                 headers: Mapping[str, str] | None = None, again: bool = True) -> ClientRequest:  # fmt: skip
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        where = path if path.startswith(f"{ROOT}/") else ROOT + path
        return ClientRequest(
            method, where + write_query(query), {"Accept": "application/json", **bearer, **(headers or {})}, body, again
        )

    def _check(self, answer: ClientResponse) -> None:
        if answer.status in FINE:
            return
        if not answer.headers.get("content-type", "").startswith(PROBLEM):
            raise self.foreign()
        raise ServiceError(self._read(answer, Problem))

    def _read(self, answer: ClientResponse, type: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.body, type=type)
        except msgspec.MsgspecError:
            raise self.foreign() from None

    def foreign(self) -> ServiceUnreachable:
        """What answers is no service that is known here."""
        return ServiceUnreachable(Text("client.foreign", {"url": self.url}))
