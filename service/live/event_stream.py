"""Server-sent events: format, headers and limits of streams."""

from typing import Final

import msgspec

from domain.words import Text
from service.limits import ADDRESS_SHARE
from service.problems import busy

KIND: Final = "text/event-stream"
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Proxies must not buffer events."""
RETRY_MS: Final = 2_000
"""Milliseconds that a client waits before it reconnects."""
BEGIN: Final = b"retry: %d\n\n" % RETRY_MS
PING: Final = b": ping\n\n"
"""Comment that keeps an idle connection open."""
STREAMS_PER_TOKEN: Final = 4
"""Streams of a kind for each token."""


def admit(held: int, number: str, capacity: int) -> None:
    """Raise HttpProblem if a token, or an address without one, holds its maximum of streams."""
    most = STREAMS_PER_TOKEN if number else max(1, capacity // ADDRESS_SHARE)
    if held >= most:
        raise busy("too-many", text=None if number else Text("problem.address_streams", {"most": most}))


def event(kind: str, data: object, number: int = 0, retry: int = 0) -> bytes:
    """Return an event. `number` is the entry up to which the client is then complete."""
    head = f"id: {number}\n" if number else ""
    head += f"retry: {retry}\n" if retry else ""
    return f"{head}event: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
