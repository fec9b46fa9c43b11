"""HTTP transport to a service: one connection per request, no redirects, no cookies."""

import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from msgspec import Struct

from domain.words import Text, TextError
from domain.words.foreign import explain_system_error, quoted

SCHEMES: Final = ("http", "https")
TOKEN: Final = re.compile(r"[\x21-\x7e]*")
TIMEOUT_S: Final = 30.0
TRIES: Final = 3
"""Attempts of a repeatable request whose connection is lost before the response."""
OK: Final = 200
BUSY: Final = (429, 503)
BUSY_TRIES: Final = 3
"""Retries of a request that the service refuses with a retry time."""
BUSY_S: Final = 10.0
"""Longest `Retry-After` in seconds to wait for. A longer one is returned to the caller."""


class ServiceUnreachable(TextError):
    """The URL has no service, or the response is invalid. `sent` is True if the service may have the request."""

    def __init__(self, text: Text, *, sent: bool = True) -> None:
        super().__init__(text)
        self.sent = sent


class ClientRequest(Struct, frozen=True):
    """An HTTP request. `again` is True if sending it twice has no further effect."""

    method: str
    path: str
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    again: bool = True


class ClientResponse(Struct, frozen=True):
    """An HTTP response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Send = Callable[[ClientRequest], ClientResponse]
Stream = Callable[[ClientRequest], Iterator[bytes]]


def send_patiently(send: Send, request: ClientRequest) -> ClientResponse:
    """Send a request. If it is repeatable, wait and retry while the service is busy. Raises ServiceUnreachable."""
    answer = send(request)
    for _ in range(BUSY_TRIES if request.again else 0):
        wait = answer.headers.get("retry-after", "")
        if answer.status not in BUSY or not (wait.isascii() and wait.isdecimal()) or float(wait) > BUSY_S:
            break
        pause(float(wait))
        answer = send(request)
    return answer


class Address(Struct, frozen=True):
    scheme: str
    host: str
    timeout: float = TIMEOUT_S

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}"

    def send(self, request: ClientRequest) -> ClientResponse:
        """Send a request and wait for the response. Raises ServiceUnreachable."""
        sent = False
        for last in range(TRIES if request.again else 1, 0, -1):
            try:
                with closing(self._connect()) as connection:
                    connection.connect()
                    sent = True
                    answer = self._ask(connection, request)
                    return ClientResponse(answer.status, _headers(answer), answer.read())
            except (OSError, HTTPException, UnicodeError) as error:
                if last == 1 or isinstance(error, ssl.SSLCertVerificationError | UnicodeError):
                    raise self._lost(error, sent=sent) from None
        raise AssertionError

    def stream(self, request: ClientRequest) -> Iterator[bytes]:
        """Yield the lines of a streaming response. Raises StreamError for any other response, ServiceUnreachable."""
        try:
            with closing(self._connect()) as connection:
                answer = self._ask(connection, request)
                if answer.status != OK:
                    raise StreamError(ClientResponse(answer.status, _headers(answer), answer.read()))
                while line := answer.readline():
                    yield line.rstrip(b"\r\n")
        except (OSError, HTTPException, UnicodeError) as error:
            raise self._lost(error) from None

    def _connect(self) -> HTTPConnection:
        connect = HTTPSConnection if self.scheme == "https" else HTTPConnection
        return connect(self.host, timeout=self.timeout)

    def _ask(self, connection: HTTPConnection, request: ClientRequest) -> HTTPResponse:
        # a server that finds the body too large responds before its end
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request(request.method, request.path, request.body, dict(request.headers))
        return connection.getresponse()

    def _lost(self, error: Exception, *, sent: bool = True) -> ServiceUnreachable:
        return ServiceUnreachable(Text("client.unreachable", {"url": self.url, "why": self._why(error)}), sent=sent)

    def _why(self, error: Exception) -> Text:
        if isinstance(error, TimeoutError):
            return Text("client.slow", {"n": f"{self.timeout:g}"})
        if isinstance(error, ConnectionError):
            return explain_system_error(error) if error.errno else Text("system.ECONNRESET")
        return quoted(error if str(error) else type(error).__name__)


class StreamError(Exception):
    """The stream did not start; `response` is the response received instead."""

    def __init__(self, response: ClientResponse) -> None:
        super().__init__(str(response.status))
        self.response = response


def read_address(text: str, timeout: float = TIMEOUT_S) -> Address:
    """Return the address of a URL. Raises ServiceUnreachable if it is invalid or has a token or a path."""
    try:
        parts = urlsplit(text)
        bad = parts.scheme not in SCHEMES or not parts.hostname or parts.port == 0 or not text.isascii()
    except ValueError:
        bad = True
    if bad or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ServiceUnreachable(Text("client.bad_address", {"url": quoted(text)}))
    if parts.username is not None or parts.password is not None:
        raise ServiceUnreachable(Text("client.token_in_address"))
    return Address(parts.scheme, parts.netloc, timeout)


def check_token(token: str) -> str:
    """Return the token. Raises ServiceUnreachable if it cannot be sent, without repeating it."""
    if TOKEN.fullmatch(token) is None:
        raise ServiceUnreachable(Text("client.bad_token"))
    return token


def pause(seconds: float) -> None:
    Event().wait(seconds)


def _headers(answer: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}


def quote_part(text: str) -> str:
    return quote(text, safe="")


def write_query(query: Mapping[str, object] | None) -> str:
    """Return the query string after a path, without empty values."""
    given = {name: value for name, value in (query or {}).items() if value not in (None, "") and value is not False}
    plain = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return f"?{urlencode(plain)}" if plain else ""
