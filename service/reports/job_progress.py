"""Jobs as they go on: a stream that tells how far one is whenever that changes, and ends with it."""

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
"""So many follow jobs at once: each looks again and again."""
PING_TICKS: Final = 60
"""After so many looks without news a line is kept open by a word."""
TICKS_MAX: Final = 2_400
"""After so many looks a stream ends, and who comes back shows their token anew."""


class Progress(Struct, frozen=True):
    """A stream to open: the number of the caller's token, and a function that returns the job's state."""

    number: str
    look: Callable[[], ShownJob]
    address: str = ""

    @property
    def holder(self) -> str:
        """Who is counted: the token by its number, else the address."""
        return self.number or self.address


class Counts:
    """How many follow jobs, by token, or by address where there is none. Asked in the loop of the application alone."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def admit(self, progress: Progress) -> None:
        """Halts where too many follow already."""
        if self.held.total() >= MOST:
            raise busy("too-many")
        admit(self.held[progress.holder], progress.number, MOST)


def stream(context: AppContext, counts: Counts, progress: Progress) -> Stream:
    """The stream as an answer. Halts where there are too many already."""
    counts.admit(progress)
    return Stream(events(context, counts, progress), media_type=KIND, headers=HEADERS)


async def events(context: AppContext, counts: Counts, progress: Progress) -> AsyncGenerator[bytes, None]:
    """Yield the job's state whenever it changes, until the job is over."""
    counts.held[progress.holder] += 1
    told: ShownJob | None = None
    try:
        yield BEGIN
        for tick in range(1, TICKS_MAX):
            job = progress.look()
            if job != told:
                told = job
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
