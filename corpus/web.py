"""Ranges over HTTP. Each answer says of which content it is part, so one that was replaced is noticed at once."""

import re
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Final, TypeVar

import httpx

from corpus import troubles
from corpus.addresses import address_of
from corpus.ranges import FIRST
from domain.words import Text

T = TypeVar("T")

CONNECT: Final = 10.0
ANSWER = 30.0
"""Seconds that a server may take to be reached, and to say something."""
TRIES: Final = 3
PAUSE = 0.5
"""Seconds before the first new try, twice as many before each other one."""
AGAIN: Final = frozenset((429, 500, 502, 503, 504))
"""What a server says that may answer well the next time."""
GONE: Final = frozenset((404, 410))
SHUT: Final = frozenset((401, 403, 407))
PART: Final = 206
BEHIND: Final = 416
RANGE: Final = re.compile(r"bytes (?:(?P<first>\d{1,18})-(?P<last>\d{1,18})|\*)/(?P<size>\d{1,18})")


class Web:
    """A file on a web server that answers with parts of it. Raises AddressError."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.size, self.stamp, self.first = 0, "", b""
        self._client = httpx.Client(
            follow_redirects=True,
            timeout=httpx.Timeout(ANSWER, connect=CONNECT),
            headers={"Accept-Encoding": "identity", "User-Agent": "shinpan"},
        )
        self.first = self._part(0, FIRST)

    def fetch(self, start: int, end: int) -> bytes:
        """These bytes, of the content that was found first."""
        return self._part(start, end)

    def stamp_now(self) -> str:
        """What the server says of the content by now."""
        return self._again(self._stamped)

    def _part(self, start: int, end: int) -> bytes:
        return self._again(partial(self._tried, start, end))

    def _again(self, ask: Callable[[int], T]) -> T:
        """What comes of asking, some times if need be; `ask` is told how many of these are left."""
        pause = PAUSE
        for left in reversed(range(TRIES)):
            try:
                return ask(left)
            except httpx.TimeoutException:
                raise troubles.away("broken", self.name, why=Text("corpus.why.late")) from None
            except httpx.TransportError as error:
                if not left:
                    raise troubles.away("broken", self.name, why=_why(error)) from None
            except _Later:
                pass
            Event().wait(pause)
            pause *= 2
        raise AssertionError

    def _stamped(self, left: int) -> str:
        with self._asked(0, 1) as answer:
            return _stamp(answer, self._told(answer, left)["size"])

    def _tried(self, start: int, end: int, left: int) -> bytes:
        with self._asked(start, end) as answer:
            told = self._told(answer, left)
            size = int(told["size"])
            if not self.stamp:
                self.size, self.stamp = size, _stamp(answer, told["size"])
            elif _stamp(answer, told["size"]) != self.stamp:
                raise troubles.away("changed", self.name)
            end = min(end, size)
            if answer.status_code == BEHIND and size == start == 0:
                return b""
            if told["first"] is None or (int(told["first"]), int(told["last"]) + 1) != (start, end):
                raise troubles.away("no_ranges", self.name)
            return self._body(answer, end - start)

    def _body(self, answer: httpx.Response, amount: int) -> bytes:
        data = bytearray()
        for some in answer.iter_raw():
            data += some
            if len(data) > amount:
                raise troubles.away("no_ranges", self.name)
        if len(data) < amount:
            raise httpx.RemoteProtocolError("incomplete")
        return bytes(data)

    def _asked(self, start: int, end: int) -> "_Answer":
        return _Answer(self._client, self.name, f"bytes={start}-{end - 1}")

    def _told(self, answer: httpx.Response, left: int) -> re.Match[str]:
        """Of which part of how much an answer is. Raises AddressError for one that is none."""
        status = answer.status_code
        if left and status in AGAIN:
            raise _Later
        if status in GONE:
            raise troubles.away("missing", self.name)
        if status in SHUT:
            raise troubles.away("shut", self.name, status=status)
        told = RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
        encoded = answer.headers.get("Content-Encoding", "identity") != "identity"
        if answer.is_success and (status != PART or told is None or encoded):
            raise troubles.away("no_ranges", self.name)
        if told is None or not (answer.is_success or status == BEHIND):
            raise troubles.away("status", self.name, status=status)
        return told


class _Later(Exception):
    """The server cannot answer now."""


class _Answer:
    """An answer of which nothing but its head was read, to be used in a `with`. Raises AddressError."""

    def __init__(self, client: httpx.Client, name: str, part: str) -> None:
        try:
            request = client.build_request("GET", address_of(name), headers={"Range": part})
            self._answer = client.send(request, stream=True)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError):
            raise troubles.away("address", name.partition("://")[0] + "://...") from None
        except httpx.TooManyRedirects:
            raise troubles.away("broken", name, why=Text("corpus.why.circle")) from None

    def __enter__(self) -> httpx.Response:
        return self._answer

    def __exit__(self, *_: object) -> None:
        self._answer.close()


def _stamp(answer: httpx.Response, size: str) -> str:
    """What tells a content from any other one, as far as the server says it."""
    said = (answer.headers.get(name, "") for name in ("ETag", "Last-Modified"))
    return " ".join((size, *said))


def _why(error: httpx.TransportError) -> Text:
    """What is wrong with the way there, in our own words: what libraries say may hold the address."""
    key = "reach" if isinstance(error, (httpx.ConnectError, httpx.ProxyError)) else "cut"
    return Text(f"corpus.why.{key}")
