"""Streams of events as the browser's EventSource reads them: how one is written, and what goes with every stream."""

from typing import Final

import msgspec

from domain.words import Text
from service.limits import ADDRESS_SHARE
from service.problems import busy

KIND: Final = "text/event-stream"
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Whatever stands between hands on each event as it comes."""
RETRY_MS: Final = 2_000
"""So long a client waits before it comes back."""
BEGIN: Final = b"retry: %d\n\n" % RETRY_MS
PING: Final = b": ping\n\n"
"""Keeps a line open that has nothing to tell."""
EACH: Final = 4
"""So many streams of a kind at once for one token."""


def admit(held: int, number: str, room: int) -> None:
    """Halt if the token of this number, or an address without a token, holds as many streams as it may already."""
    most = EACH if number else max(1, room // ADDRESS_SHARE)
    if held >= most:
        raise busy("too-many", text=None if number else Text("problem.address_streams", {"most": most}))


def event(kind: str, data: object, number: int = 0, retry: int = 0) -> bytes:
    """An event of a stream; `number` is that of the entry up to which the client then has everything."""
    head = f"id: {number}\n" if number else ""
    head += f"retry: {retry}\n" if retry else ""
    return f"{head}event: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
