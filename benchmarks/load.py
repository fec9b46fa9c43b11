"""Load generator: many clients of one service in one thread, with persistent connections and event streams."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

LINE_MAX = 2**20
ANSWER_S = 60.0
"""Timeout of a response in seconds."""
SENT_MAX: Final = 20
"""Most attempts of a command that is refused with a retry time, or whose response is lost."""
LOST_S: Final = 0.1
"""Delay in seconds before a lost command is sent again."""
FINE, POLITE = (200, 201), (429, 503)
ACKNOWLEDGED, RESET, LATE = "acknowledged", "connection lost", "never answered"
REFUSED, WRONG = "told to come back", "answered otherwise"


class ResponseHead(Struct, frozen=True):
    """Head of a response: the fields this client needs."""

    status: int
    length: int = 0
    wait: float | None = None
    """Seconds of `Retry-After`."""
    parts: bool = False
    """True if the server closes the connection."""


class Connection:
    """A persistent HTTP connection for one request at a time. It reconnects after a loss."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.wait: float | None = None
        """`Retry-After` of the last response in seconds."""
        self.began = 0.0
        """Time when the last request was sent."""

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> tuple[int, bytes]:
        """Return status and body of a response. Raises TimeoutError; OSError and EOFError if the connection is lost."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self._ask(request(method, path, self._host, headers, body))
        except (OSError, EOFError):
            self.close()
            raise

    async def _ask(self, sent: bytes) -> tuple[int, bytes]:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port, limit=LINE_MAX)
        self.began = perf_counter()
        self._writer.write(sent)
        head = await read_head(self._reader)
        body = await self._reader.readexactly(head.length) if head.length else b""
        self.wait = head.wait
        if head.parts:
            self.close()
        return head.status, body

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def request(method: str, path: str, host: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode() + body


async def read_head(reader: asyncio.StreamReader) -> ResponseHead:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in head[1:])
    fields = {name.lower(): value.strip() for name, _, value in pairs}
    return ResponseHead(
        status=int(head[0].split()[1]),
        length=int(fields.get("content-length", 0)),
        wait=float(fields["retry-after"]) if "retry-after" in fields else None,
        parts=fields.get("connection", "").lower() == "close",
    )


async def send_until_acknowledged(
    connection: Connection, path: str, headers: Mapping[str, str], body: bytes, sent: Counter[str]
) -> bytes | None:
    """Send a command until it is acknowledged. Return the response body, or None if the command fails.

    A command is sent again unchanged if it is refused with a retry time or its response is lost. `sent` counts the
    outcome of each attempt.
    """
    for _ in range(SENT_MAX):
        try:
            status, answer = await connection.ask("POST", path, headers, body)
        except TimeoutError:
            sent[LATE] += 1
            continue
        except (OSError, EOFError):
            sent[RESET] += 1
            await asyncio.sleep(LOST_S)
            continue
        if status in FINE:
            sent[ACKNOWLEDGED] += 1
            return answer
        if status not in POLITE or connection.wait is None:
            sent[f"{WRONG} {status}"] += 1
            return None
        sent[f"{REFUSED} {status}"] += 1
        await asyncio.sleep(connection.wait)
    return None


async def follow(
    url: str,
    path: str,
    headers: Mapping[str, str],
    seen: Callable[[int, float], None],
    opened: Callable[[], None],
) -> None:
    """Read a stream until it is cancelled. `seen` gets the number and the time of each entry."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname or "", parts.port or 80, limit=LINE_MAX)
    try:
        writer.write(request("GET", path, parts.hostname or "", {"Accept": "text/event-stream", **headers}))
        head = await read_head(reader)
        if head.status != 200:
            raise RuntimeError(f"{path}: {head.status}")
        opened()
        while line := await reader.readline():
            if line.startswith(b"id:"):
                seen(int(line[3:]), perf_counter())
    finally:
        writer.close()


async def call_at_rate(rate: float, seconds: float, begin: Callable[[float], None]) -> None:
    """Call `begin` `rate` times per second with the due time, without waiting for earlier calls."""
    start = perf_counter()
    for number in range(int(rate * seconds)):
        due = start + number / rate
        while (wait := due - perf_counter()) > 0:
            await asyncio.sleep(wait)
        begin(due)
        if not number % 50:
            await asyncio.sleep(0)
