"""HEAD: what GET answers, without its body."""

import asyncio
from contextlib import suppress
from typing import Any

from litestar import Litestar


class Heading(Litestar):
    """An application that answers HEAD wherever it answers GET, with the same status and the same headers."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. Of a stream only the beginning is made."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await super().__call__(scope, receive, send)
            return
        begun = asyncio.Event()

        async def send_head(message: Any) -> None:
            if message["type"] != "http.response.body":
                await send(message)
            elif not begun.is_set():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                if message.get("more_body"):
                    begun.set()

        asked: Any = {**scope, "method": "GET"}
        answering = asyncio.create_task(super().__call__(asked, receive, send_head))
        goes_on = asyncio.create_task(begun.wait())
        try:
            await asyncio.wait((answering, goes_on), return_when=asyncio.FIRST_COMPLETED)
            if not begun.is_set():
                await answering
        finally:
            goes_on.cancel()
            answering.cancel()
            with suppress(asyncio.CancelledError):
                await answering
