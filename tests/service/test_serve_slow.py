"""A server and deliberately slow clients: it drops them after a timeout and never blocks others.

The server of these tests has shortened timeouts.
"""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from domain.table.table import Seat
from recorder.keyring import Holder
from recorder.matches import note
from recorder.store import Store
from tests.service.processes import PATIENCE, Server, begin_store, server, token_of, wait_for

pytestmark = [pytest.mark.process, pytest.mark.nightly]
MATCH, SEAT = "table-1", Seat("p1")
SHORT_MS = 1_000
HASTY = (
    "from service import app, server\n"
    "from service.live import sending\n"
    f"server.HEADER_MS = server.TCP_TIMEOUT_MS = {SHORT_MS}\n"
    f"app.BODY_S = sending.STALLED_S = {SHORT_MS / 1_000}\n"
    "from cli.main import main; main()"
)
NOTES, NOTE = 200, "x" * 60_000
"""More bytes than the buffers between a server and a client can hold."""
BUFFER = 4_096
SLOW = 3
ESTABLISHED = "01"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = begin_store(tmp_path, MATCH)
    with Store.open(path) as opened:
        for _ in range(NOTES):
            note(opened, MATCH, SEAT, NOTE)
    return path


@contextmanager
def hasty(store: Path) -> Iterator[Server]:
    with server(store=store, begin=(sys.executable, "-c", HASTY)) as served:
        yield served


def connect(served: Server, sent: str = "", buffer: int = 0) -> socket.socket:
    """Connect with a small receive buffer and send data."""
    address = urlsplit(served.url)
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(PATIENCE)
    connection.connect((address.hostname, address.port))
    connection.sendall(sent.replace("\n", "\r\n").encode())
    return connection


def read(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def ask(served: Server, path: str, token: str = "", buffer: int = 0) -> socket.socket:
    held = f"Authorization: Bearer {token}\n" if token else ""
    return connect(served, f"GET {path} HTTP/1.1\nHost: x\n{held}\n", buffer)


def connections(served: Server) -> int:
    port = f":{int(served.url.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(local.endswith(port) and state == ESTABLISHED for _, local, _, state, *_ in rows)


def test_who_does_not_end_the_head_of_a_request_is_let_go(store: Path) -> None:
    with hasty(store) as served:
        silent, begun = connect(served), connect(served, "GET /en/floor HTTP/1.1\nHost: x\nX-")
        idle = ask(served, "/en/me")
        assert idle.recv(BUFFER).startswith(b"HTTP/1.1 200")
        assert served.get("/en/floor").status_code == 200
        for connection in (silent, begun, idle):
            assert b"500" not in read(connection)[:20]
            connection.close()


def test_who_sends_its_head_byte_by_byte_is_let_go(store: Path) -> None:
    with hasty(store) as served:
        slow = connect(served, "GET /en/floor HTTP/1.1\nHost: x\nX-Slow: ")
        slow.settimeout(0.1)
        for _ in range(int(PATIENCE / 0.1)):
            try:
                slow.sendall(b"x")
                if not slow.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            raise AssertionError("it may go on for ever")
        assert served.get("/en/floor").status_code == 200


def test_who_never_ends_a_body_is_told_that_it_took_too_long(store: Path) -> None:
    held = token_of(store, Holder(role="head", name="x"))
    path = f"/api/v1/matches/{MATCH}/entries"
    head = f"POST {path} HTTP/1.1\nHost: x\nAuthorization: Bearer {held}\nIf-Match: *\nContent-Length: 1000\n\n"
    with hasty(store) as served:
        half, none = connect(served, head + '{"kind":'), connect(served, head)
        assert served.get("/en/floor").status_code == 200
        for connection in (half, none):
            answer = read(connection)
            assert answer.startswith(b"HTTP/1.1 408 ") and b"/problem/too-slow" in answer, answer
            connection.close()


@pytest.mark.parametrize("path", ["entries?limit=500&as=p1", "export.jsonl?as=p1", f"live?as=p1&after={NOTES - 50}"])
def test_who_never_reads_what_is_sent_is_let_go(store: Path, path: str) -> None:
    held = token_of(store, Holder(role="seat", name="x", seat=SEAT, matches=(MATCH,)))
    with hasty(store) as served:
        slow = list[socket.socket]()

        def come() -> bool:
            for connection in slow:
                connection.close()
            slow[:] = [ask(served, f"/api/v1/matches/{MATCH}/{path}", held, BUFFER) for _ in range(SLOW)]
            for connection in slow:
                assert connection.recv(BUFFER).startswith(b"HTTP/1.1 200 ")
            return connections(served) >= SLOW

        wait_for(come)
        assert served.get("/en/floor").status_code == 200
        wait_for(lambda: connections(served) == 0)
        for connection in slow:
            assert len(read_rest(connection)) < NOTES * len(NOTE), "it was cut off"
            connection.close()


def read_rest(connection: socket.socket) -> bytes:
    with suppress(ConnectionResetError):
        return read(connection)
    return b""
