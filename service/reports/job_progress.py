"""Event streams of the progress of jobs."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from typing import Final

from litestar.response import Stream
from msgspec import Struct

from service.context import AppContext
from service.live.event_stream import BEGIN, HEADERS, KIND, PING, admit, event
from service.problems import busy
from service.reports.job_answers import ShownJob
from service.reports.job_records import ENDED

TICK_S: Final = 0.25
MOST: Final = 100
"""Streams of all clients, since each polls."""
PING_TICKS: Final = 60
"""Polls without news before a ping."""
TICKS_MAX: Final = 2_400
"""Polls before a stream ends. A client that reconnects must show its token again."""


class Progress(Struct, frozen=True):
    """A stream to open: the number of the caller's token, and a function that returns the job's state."""

    number: str
    look: Callable[[], ShownJob]
    address: str = ""

    @property
    def holder(self) -> str:
        """Return the key under which streams are counted: the token's number, or the address."""
        return self.number or self.address


class StreamCounts:
    """Streams by token, or by address without one. Use it from the event loop only."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def admit(self, progress: Progress) -> None:
        if self.held.total() >= MOST:
            raise busy("too-many")
        admit(self.held[progress.holder], progress.number, MOST)


def stream(context: AppContext, counts: StreamCounts, progress: Progress) -> Stream:
    """Return the stream as a response. Raises HttpProblem if there are too many."""
    counts.admit(progress)
    return Stream(events(context, counts, progress), media_type=KIND, headers=HEADERS)


async def events(context: AppContext, counts: StreamCounts, progress: Progress) -> AsyncGenerator[bytes, None]:
    """Yield the job's state whenever it changes, until the job is over."""
    counts.held[progress.holder] += 1
    last_state: ShownJob | None = None
    try:
        yield BEGIN
        for tick in range(1, TICKS_MAX):
            job = progress.look()
            if job != last_state:
                last_state = job
                yield event("progress", job)
            elif tick % PING_TICKS == 0:
                yield PING
            if job.state in ENDED:
                yield event("over", {})
                return
            if context.draining:
                break
            await asyncio.sleep(TICK_S)
        yield event("bye", {})
    finally:
        counts.held[progress.holder] -= 1
