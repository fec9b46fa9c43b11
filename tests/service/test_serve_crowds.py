"""A server with more followers than its capacity still answers other requests."""

import asyncio
import resource
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from msgspec import Struct

from service import capacity
from tests.service.browsing import run_loop
from tests.service.processes import PATIENCE, Server, bearer, begin_store, server, shinpan

pytestmark = pytest.mark.process
MATCH = "table-1"
CROWD = 10_000
AT_ONCE = 500
OURS = 256
"""Files that the tests need in addition to the connections."""
EACH_KB = 64
"""Memory limit of the server for each follower."""
FIXED_KB = 128 * 1024
FEW = 1_024
ADDRESSES = 4
"""Number of client addresses reported by the proxy, since one address may not open all the streams."""
PROXY = ("--proxy", "127.0.0.1")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return begin_store(tmp_path, MATCH)


@contextmanager
def files(most: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def most_files() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return capacity.FILES if hard == resource.RLIM_INFINITY else min(capacity.FILES, hard)


class Follower(Struct):
    head: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def status(self) -> int:
        return int(self.head.split()[1])


async def follow(served: Server, client: int = 0) -> Follower:
    address = urlsplit(served.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    forwarded = f"X-Forwarded-For: 10.0.0.{client % ADDRESSES}\r\n"
    writer.write(f"GET /api/v1/matches/{MATCH}/live HTTP/1.1\r\nHost: {address.netloc}\r\n{forwarded}\r\n".encode())
    return Follower(await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE), reader, writer)


async def gather(served: Server, count: int) -> list[Follower]:
    crowd: list[Follower] = []
    while len(crowd) < count:
        some = min(AT_ONCE, count - len(crowd))
        crowd += await asyncio.gather(*(follow(served, len(crowd) + one) for one in range(some)))
    return crowd


def leave(crowd: Sequence[Follower]) -> None:
    for follower in crowd:
        follower.writer.close()


def peak_kb(served: Server) -> int:
    status = Path(f"/proc/{served.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def note(served: Server, held: dict[str, str], text: str) -> httpx.Response:
    body = {"kind": "note", "text": text, "id": str(uuid4())}
    return served.post(f"/api/v1/matches/{MATCH}/entries", body, headers={**held, "If-Match": "*"})


@pytest.mark.nightly
def test_of_ten_thousand_who_follow_those_beyond_the_limit_are_told_to_come_back(store: Path) -> None:
    allowed, held = most_files(), bearer(store)
    most = capacity.compute_capacity(allowed).streams
    count = min(CROWD, allowed - OURS)
    scale = f"{count} streams and room for {most}, where this machine lets a process open {allowed} files"

    async def come(served: Server) -> None:
        before = peak_kb(served)
        crowd = await gather(served, count)
        assert Counter(follower.status for follower in crowd) == {200: most, 503: count - most}, scale
        for refused in (follower for follower in crowd if follower.status == 503):
            assert b"retry-after: 5\r\n" in refused.head and b"application/problem+json" in refused.head
            assert b'"/problem/crowded"' in await refused.reader.read(), "and it ends: it makes room"
        assert (await asyncio.to_thread(served.get, "/en/floor")).status_code == 200, scale
        assert (await asyncio.to_thread(note, served, held, "heard by all")).status_code == 201, scale
        following = [follower for follower in crowd if follower.status == 200]
        for follower in (following[0], following[-1]):
            await asyncio.wait_for(follower.reader.readuntil(b"event: entry"), PATIENCE)
        assert peak_kb(served) - before < FIXED_KB + most * EACH_KB, scale
        leave(crowd)
        back = await gather(served, 1)
        while back[-1].status == 503:
            back += await gather(served, 1)
        leave(back)

    with files(allowed), server(*PROXY, store=store) as served:
        run_loop(come(served))
        served.end()


@pytest.mark.nightly
def test_with_few_files_fewer_follow_and_it_is_said_at_the_start(store: Path) -> None:
    most = capacity.compute_capacity(FEW).streams

    async def come(served: Server) -> None:
        crowd = await gather(served, most + 1)
        assert sorted(follower.status for follower in crowd) == [200] * most + [503]
        assert (await asyncio.to_thread(served.get, "/en/floor")).status_code == 200
        leave(crowd)

    with server(*PROXY, store=store, files=FEW) as served:
        assert f"{most} people can follow matches live" in served.text
        run_loop(come(served))


def test_with_too_few_files_it_does_not_begin_and_says_why(store: Path) -> None:
    least = capacity.FILES_MIN
    ended = shinpan(store, "serve", "--port", "0", files=least - 1)
    assert ended.returncode == 2 and f"{least - 1} open files, but the service needs {least}" in ended.stderr
