"""Many clients of one service, in one process without threads: requests over connections that stay, and streams."""

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter
from urllib.parse import urlsplit

LINE_MAX = 2**20


class Connection:
    """One connection over which requests go one after the other."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> tuple[int, bytes]:
        """The status and the body of an answer. Raises OSError and EOFError where the other side goes."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port, limit=LINE_MAX)
        assert self._reader is not None
        self._writer.write(request(method, path, self._host, headers, body))
        status, length = await read_head(self._reader)
        return status, await self._reader.readexactly(length) if length else b""

    def close(self) -> None:
        """Let go of it."""
        if self._writer is not None:
            self._writer.close()


def request(method: str, path: str, host: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """A request as it is sent."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode() + body


async def read_head(reader: asyncio.StreamReader) -> tuple[int, int]:
    """The status, and how long the body is."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    length = 0
    for line in head[1:]:
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    return int(head[0].split()[1]), length


async def follow(
    url: str,
    path: str,
    headers: Mapping[str, str],
    seen: Callable[[int, float], None],
    opened: Callable[[], None],
) -> None:
    """Read a stream until it is cancelled: `seen` is told each entry's number and when it came."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname or "", parts.port or 80, limit=LINE_MAX)
    try:
        writer.write(request("GET", path, parts.hostname or "", {"Accept": "text/event-stream", **headers}))
        status, _ = await read_head(reader)
        if status != 200:
            raise RuntimeError(f"{path}: {status}")
        opened()
        while line := await reader.readline():
            if line.startswith(b"id:"):
                seen(int(line[3:]), perf_counter())
    finally:
        writer.close()


async def in_order(rate: float, seconds: float, begin: Callable[[float], None]) -> None:
    """Begin something so many times a second, each told when it was due, whether or not what came before is done."""
    start = perf_counter()
    for number in range(int(rate * seconds)):
        due = start + number / rate
        while (wait := due - perf_counter()) > 0:
            await asyncio.sleep(wait)
        begin(due)
        if not number % 50:
            await asyncio.sleep(0)
