"""Whose turn it is to write: a store is written by one at a time; whoever waits for it takes no thread from readers."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from litestar.concurrency import sync_to_thread

from service.access import Operation
from service.asking import LOCKED_SECONDS, Route
from service.problems import busy

AT_ONCE: Final = 4
"""So many read, decide and write at once; all threads of the service are many more."""
PATIENCE_S: Final = 5.0
"""So long somebody waits for their turn; with it they wait for the store for `LOCK_SECONDS` more at most."""
WRITING: Final[frozenset[Operation]] = frozenset(
    (
        "record", "open", "pair", "branch", "call", "break_seal", "ask_rewind", "approve_rewind", "dispute", "rule",
        "decide", "import", "seal_log",
    )
)  # fmt: skip
"""What writes to the store where it is sent."""
T = TypeVar("T")


def writes(route: Route) -> bool:
    """Does a route write to the store?"""
    return route.method != "GET" and route.operation in WRITING


class Turns:
    """Those who write, a few at a time. Asked in the loop of the application alone."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def take(self, call: Callable[..., T], *given: object) -> T:
        """Call it in a thread when it is its turn. Halts where that is too long to wait for."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise busy("store-unavailable", LOCKED_SECONDS) from None
        try:
            return await sync_to_thread(call, *given)
        finally:
            self._free.release()
