"""Responses that send an event stream until it ends or the client leaves."""

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import Any, Final

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.live.event_stream import HEADERS, KIND
from service.live.hub import Hub, Stream, StreamRequest

STALLED_S: Final = 60.0
"""Seconds without progress after which a stream is dropped."""
LOG: Final = logging.getLogger(__name__)


class StreamResponse(Response[bytes]):
    def __init__(self, hub: Hub, following: StreamRequest) -> None:
        super().__init__(b"", media_type=KIND, headers=HEADERS)
        self._hub, self._stream = hub, hub.enter(following)

    def to_asgi_response(self, app: Any, request: Any, **given: Any) -> ASGIResponse:
        return _Sending(self._hub, self._stream, {**(given.get("headers") or {}), **self.headers})


class _Sending(ASGIResponse):
    _should_set_content_length = False

    def __init__(self, hub: Hub, stream: Stream, headers: dict[str, Any]) -> None:
        super().__init__(headers=headers, media_type=KIND)
        self._hub, self._stream = hub, stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the stream ends or the client disconnects."""
        try:
            await self.start_response(send)
            disconnecting, sending = (
                asyncio.create_task(wait_for_disconnect(receive)),
                asyncio.create_task(self._send(send)),
            )
            try:
                await asyncio.wait((disconnecting, sending), return_when=asyncio.FIRST_COMPLETED)
            finally:
                disconnecting.cancel()
                sending.cancel()
                ended = await asyncio.gather(sending, disconnecting, return_exceptions=True)
                if isinstance(ended[0], Exception):
                    LOG.error("a stream broke off", exc_info=ended[0])
        finally:
            self._hub.leave(self._stream)

    async def _send(self, send: Send) -> None:
        async with aclosing(self._stream.events()) as events:
            async for part in events:
                with suppress(TimeoutError):
                    async with asyncio.timeout(STALLED_S):
                        await send({"type": "http.response.body", "body": part, "more_body": True})
                        continue
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
