"""A server and malformed requests: no internal error, no request smuggling, and no output on the terminal."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from tests.service.processes import PATIENCE, Server, bearer, begin_store, server

pytestmark = [pytest.mark.process, pytest.mark.nightly]
MATCH = "table-1"
ENTRIES = f"/api/v1/matches/{MATCH}/entries"
QUIET = 1.0
"""Seconds of silence that end a response."""
SMUGGLED = b"GET /en/floor HTTP/1.1\r\nHost: x\r\n\r\n"
"""A request hidden in the body of another."""

BODIES: dict[str, tuple[bytes, bytes]] = {
    "two lengths": (b"Content-Length: 5\r\nContent-Length: 6", b"abcdef"),
    "a length and parts": (b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"0\r\n\r\n" + SMUGGLED),
    "unknown parts": (b"Transfer-Encoding: xchunked", b"0\r\n\r\n" + SMUGGLED),
    "parts of two kinds": (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", b"0\r\n\r\n" + SMUGGLED),
    "a length below nothing": (b"Content-Length: -5", SMUGGLED),
    "a length with a sign": (b"Content-Length: +5", b"abcde"),
    "a length beyond all": (b"Content-Length: " + b"9" * 40, b"x"),
    "a length in other digits": ("Content-Length: ٥".encode(), b"abcde"),
    "parts that are none": (b"Transfer-Encoding: chunked", b"ZZ\r\n\r\n"),
    "a part too long": (b"Transfer-Encoding: chunked", b"fffffffffffffffff\r\nx"),
}
HEADS: dict[str, bytes] = {
    "no version": b"GET /en/floor\r\n\r\n",
    "a version that is none": b"GET /en/floor HTTP/9.9\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00" * 30,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50,
    "a header of a megabyte": b"GET / HTTP/1.1\r\nHost: x\r\nAccept-Language: " + b"ja," * 350_000 + b"\r\n\r\n",
    "headers by the hundred": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: 1\r\n" * 500 + b"\r\n",
    "bytes in a path": b"GET /en/m/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    "nothing in a path": b"GET  HTTP/1.1\r\nHost: x\r\n\r\n",
    "a line in a header": b"GET / HTTP/1.1\r\nHost: x\r\nX: a\nb\r\n\r\n",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a store with a match, and check that the server prints nothing."""
    with server(store=begin_store(tmp_path_factory.mktemp("hostile"), MATCH)) as served:
        yield served
        served.end()
        assert served.process.stdout is not None
        assert served.process.stdout.read() == ""


def send(served: Server, data: bytes, first: float = QUIET) -> bytes:
    """Return the response up to the end or a silence; `first` is the timeout in seconds for the first byte."""
    address = urlsplit(served.url)
    parts = []
    with socket.create_connection((address.hostname, address.port), timeout=first) as connection:
        try:
            connection.sendall(data)
            while part := connection.recv(65_536):
                parts.append(part)
                connection.settimeout(QUIET)
        except (TimeoutError, ConnectionError):
            pass
    return b"".join(parts)


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_that_is_none_is_refused_and_nothing_hides_behind_it(served: Server, kind: str) -> None:
    header, body = BODIES[kind]
    (token,) = bearer(served.store).values()
    head = f"POST {ENTRIES} HTTP/1.1\r\nHost: x\r\nIf-Match: *\r\nAuthorization: {token}\r\n".encode()
    answer = send(served, head + header + b"\r\n\r\n" + body, PATIENCE)
    assert answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1 and b"<html" not in answer


@pytest.mark.parametrize("kind", HEADS)
def test_a_head_that_is_none_is_refused(served: Server, kind: str) -> None:
    answer = send(served, HEADS[kind])
    assert answer[:10] in (b"", b"HTTP/1.1 4", b"HTTP/1.0 4"), answer[:200]


def test_a_body_that_breaks_off_is_nobodys_fault(served: Server) -> None:
    address = urlsplit(served.url)
    for body in (b'{"kind"', b""):
        with socket.create_connection((address.hostname, address.port)) as connection:
            head = f"POST {ENTRIES} HTTP/1.1\r\nHost: x\r\nOrigin: {served.url}\r\nContent-Length: 100\r\n\r\n"
            connection.sendall(head.encode() + body)
            connection.shutdown(socket.SHUT_WR)
            with suppress(TimeoutError, ConnectionError):
                connection.settimeout(QUIET)
                assert b" 500 " not in connection.recv(65_536)
    assert served.get("/en/floor").status_code == 200
