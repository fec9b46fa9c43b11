"""Live matches: wakes the streams of a match, and draws each entry once for all streams of the same view.

A wake carries only the match id; content is read from the store and drawn in threads. A client is a position in the
log, not a queue. A client that falls too far back is told to fetch the timeline.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Final, Literal

from msgspec import Struct

from domain.table.table import Seat
from domain.words import Lang
from projections.viewing import is_over
from recorder.match_loader import LoadedMatch
from recorder.troubles import StoreError
from service.access import ANONYMOUS, Session, is_delayed
from service.call_queue import CallQueue
from service.context import AppContext
from service.live.event_stream import BEGIN, PING, RETRY_MS, admit, event
from service.live.messages import Feed
from service.problems import HttpProblem, busy

PING_S: Final = 15.0
TICK_S: Final = 1.0
IDLE_POLL_S: Final = 10.0
"""Seconds between polls of the store if the database notifies us of other writers."""
BATCH_S: Final = 0.05
"""Seconds in which notifications are handled together."""
REPLAY_MAX: Final = 64
"""Entries sent to a client that reconnects; beyond this it fetches the timeline."""
SHUTDOWN_S, PAUSE_S = 2.0, 0.01
"""Seconds to wait at shutdown until all streams have ended, and between checks."""
THREADS: Final = 2
SPREAD_MS, STEP_MS = 8_000, 37
"""Reconnects are spread over this time, one step after the other."""

LOG: Final = logging.getLogger(__name__)
SEALED: Final = event("sealed", {})


class StreamRequest(Struct, frozen=True):
    """A stream to start: session, match, viewer, and the last entry the client has. `gap`: it must fetch the timeline
    first. `judges`: the session is a judge of the match and reads messages to judges."""

    session: Session
    match: str
    viewer: Seat
    lang: Lang
    after: int
    gap: bool = False
    address: str = ""
    judges: bool = False

    @property
    def eyes(self) -> "Eyes":
        return self.viewer, self.judges, self.lang

    @property
    def holder(self) -> str:
        """Return the key under which streams are counted: the token's number, or the address."""
        return self.session.number or self.address


Eyes = tuple[Seat, bool, Lang]
"""Viewer, whether it reads messages to judges, and language: streams with the same get the same events."""


class LiveMatch:
    """A match with streams: its newest state, the entries due for delayed viewers, and the streams."""

    def __init__(self, hub: "Hub", match: str) -> None:
        self.hub, self.id = hub, match
        self.streams: set[Stream] = set()
        self.match: LoadedMatch | None = None
        self.due = 0
        self._feeds: dict[Eyes, tuple[Feed, Lock]] = {}
        self._forgotten = hub.context.erasure_count
        self._stale = False
        self._reading: asyncio.Task[None] | None = None

    def refresh(self) -> None:
        self._stale = True
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._stale:
                self._stale = False
                watching = {stream.following.eyes for stream in self.streams if not stream.delayed}
                self.match = await self.hub.drawing.run(partial(self._look, watching))
                self.update_due()
                self.wake()
        except (StoreError, HttpProblem) as error:
            LOG.error("%s: %s", self.id, error)  # keep the last state; the next read may succeed
        finally:
            self._reading = None

    def _look(self, watching: Collection[Eyes]) -> LoadedMatch:
        """Return the match, with its new entries drawn for those who watch. Names that were forgotten are not drawn
        again."""
        context = self.hub.context
        context.drop_forgotten()
        if context.erasure_count != self._forgotten:
            self._feeds, self._forgotten = {}, context.erasure_count
        match = context.match(self.id)
        if self.match is not None and match.version - self.match.version <= REPLAY_MAX:
            for eyes in watching:
                self._draw(match, eyes, self.match.version + 1, match.version)
        return match

    def update_due(self) -> bool:
        """Update the entries due for delayed viewers, and return True if there are more."""
        before = self.due
        if self.match is not None:
            self.due = self.hub.context.count_visible(ANONYMOUS, self.match.entries, before)
        return self.due > before

    def wake(self) -> None:
        for stream in self.streams:
            stream.woken.set()

    def leave(self, stream: "Stream") -> None:
        self.streams.discard(stream)
        if not self.streams and self._reading is not None:
            self._reading.cancel()

    async def frames(self, match: LoadedMatch, eyes: Eyes, first: int, last: int) -> list[bytes]:
        """Return the events of a range of entries. Each is drawn once."""
        drawn = [frame for frame in self._find_drawn(eyes, first, last) if frame is not None]
        return (
            drawn
            if len(drawn) > last - first
            else await self.hub.drawing.run(partial(self._draw, match, eyes, first, last))
        )

    def _find_drawn(self, eyes: Eyes, first: int, last: int) -> list[bytes | None]:
        return [self.hub.context.timelines.get((self.id, number, *eyes)) for number in range(first, last + 1)]

    def _draw(self, match: LoadedMatch, eyes: Eyes, first: int, last: int) -> list[bytes]:
        viewer, judges, lang = eyes
        feed, drawing = self._feeds.setdefault(eyes, (Feed(viewer, lang, self.hub.context.times, judges), Lock()))
        with drawing:
            drawn = self._find_drawn(eyes, first, last)
            if None in drawn:
                start = first + drawn.index(None)
                for number, frame in enumerate(feed.frames(match, start, last), start=start):
                    drawn[number - first] = self.hub.context.timelines.put((self.id, number, *eyes), frame)
            return [frame for frame in drawn if frame is not None]


class Stream:
    def __init__(self, watch: LiveMatch, following: StreamRequest) -> None:
        self.watch, self.following = watch, following
        self.at = following.after
        self.delayed = is_delayed(following.session)
        self.woken = asyncio.Event()
        self.shut = False
        """True once the token is no longer valid."""

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield events until the session may not see the match any more or the service stops."""
        yield gap_event(self.at, BEGIN) if self.following.gap else BEGIN
        while True:
            news = await self._read_news()
            if (end := self.end()) is not None:
                yield SEALED if end == "sealed" else self.watch.hub.bye()
                return
            if news:
                yield b"".join(news)
            elif not await self._wait():
                yield PING

    async def _read_news(self) -> list[bytes]:
        match, at = self.watch.match, self.at
        if match is None:
            return []
        limit = self.watch.due if self.delayed else match.version
        if limit <= at:
            return []
        self.at = limit
        if limit - at > REPLAY_MAX:
            return [gap_event(limit)]
        return await self.watch.frames(match, self.following.eyes, at + 1, limit)

    def end(self) -> Literal["sealed", "bye"] | None:
        """Return the reason to end the stream, or None."""
        context, asked, match = self.watch.hub.context, self.following, self.watch.match
        if self.shut:
            return "sealed"
        if match is not None:
            closed = self.at > 0 and is_over(match.entries, self.at)
            if context.refusal(asked.session, asked.match, asked.viewer, closed) is not None:
                return "sealed"
        return "bye" if context.draining else None

    async def _wait(self) -> bool:
        """Wait for a wake. Return False if the ping is due first."""
        try:
            async with asyncio.timeout(self.watch.hub.ping_s):
                await self.woken.wait()
        except TimeoutError:
            return False
        self.woken.clear()
        return True


class Hub:
    """All streams by match. Runs in the event loop. Only `wake` and the `signal_` methods are thread-safe."""

    def __init__(self, context: AppContext, tick_s: float = TICK_S, ping_s: float = PING_S) -> None:
        self.context, self.tick_s, self.ping_s = context, tick_s, ping_s
        self.live_matches: dict[str, LiveMatch] = {}
        self.held: Counter[str] = Counter()
        """Streams by token, or by address without one."""
        self.count = 0
        self._change_cursor = 0
        self._last_poll = 0.0
        self._poll_lock = asyncio.Lock()
        self._store_changed = asyncio.Event()
        self._byes = 0
        self.drawing = CallQueue("draw", THREADS)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.drawing.start()
        self._change_cursor, _ = await self.drawing.run(self.context.store.list_changes)
        self.context.match_callbacks.append(self.wake)
        self.context.store_callbacks.append(self.signal_change)
        self.context.drain_callbacks.append(self.signal_shutdown)
        self._tasks = [asyncio.create_task(self._tick()), asyncio.create_task(self._listen())]

    async def end(self) -> None:
        """Stop, and let the streams say goodbye."""
        self.context.draining = True
        if not self._tasks:
            return
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        self.context.match_callbacks.remove(self.wake)
        self.context.store_callbacks.remove(self.signal_change)
        self.context.drain_callbacks.remove(self.signal_shutdown)
        self._wake_all()
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_S):
                while self.count:
                    await asyncio.sleep(PAUSE_S)
        self.drawing.stop()

    def streams(self) -> list[Stream]:
        return [stream for watch in self.live_matches.values() for stream in watch.streams]

    def enter(self, following: StreamRequest) -> Stream:
        """Add a stream. Raises HttpProblem if there are too many."""
        holder, capacity = following.holder, self.context.settings.streams_max
        if self.count >= capacity:
            raise busy("crowded")
        admit(self.held[holder], following.session.number, capacity)
        watch = self.live_matches.setdefault(following.match, LiveMatch(self, following.match))
        stream = Stream(watch, following)
        watch.streams.add(stream)
        self.held[holder] += 1
        self.count += 1
        if watch.match is None:
            watch.refresh()  # else each newcomer would wake all other streams
        return stream

    def leave(self, stream: Stream) -> None:
        watch, holder = stream.watch, stream.following.holder
        watch.leave(stream)
        if not watch.streams:
            del self.live_matches[watch.id]
        self.held[holder] -= 1
        if not self.held[holder]:
            del self.held[holder]
        self.count -= 1

    def wake(self, match: str) -> None:
        """Signal a change of a match. Thread-safe."""
        self._call_soon(self._refresh_match, match)

    def signal_change(self) -> None:
        """Signal a change of any match. Thread-safe."""
        self._call_soon(self._store_changed.set)

    def signal_shutdown(self) -> None:
        """Signal the coming shutdown. Thread-safe."""
        self._call_soon(self._wake_all)

    def _call_soon(self, call: Callable[..., object], *given: object) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(call, *given)

    def _wake_all(self) -> None:
        for stream in self.streams():
            stream.woken.set()

    def _refresh_match(self, match: str) -> None:
        if match in self.live_matches:
            self.live_matches[match].refresh()

    def bye(self) -> bytes:
        """Return the goodbye event with a retry time that differs for each client."""
        self._byes += 1
        return event("bye", {}, retry=RETRY_MS + self._byes * STEP_MS % SPREAD_MS)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self.tick_s)
            if self.live_matches:
                try:
                    await self.poll()
                except StoreError as error:
                    LOG.error("%s", error)

    async def _listen(self) -> None:
        while True:
            await self._store_changed.wait()
            self._store_changed.clear()
            if self.live_matches:
                try:
                    await self._find_news()
                except StoreError as error:
                    LOG.error("%s", error)
            await asyncio.sleep(BATCH_S)

    async def _find_news(self) -> None:
        async with self._poll_lock:
            self._last_poll, cursor = 0.0, self._change_cursor
            self._change_cursor, changed = await self.drawing.run(lambda: self.context.store.list_changes(cursor))
            self._last_poll = asyncio.get_running_loop().time()
            for match, last in changed.items():
                watch = self.live_matches.get(match)
                if watch is not None and (watch.match is None or watch.match.version < last):
                    watch.refresh()

    async def poll(self) -> None:
        """Find changes without a wake: entries of other programs, entries now due, expired tokens."""
        if (
            not self.context.has_change_notifications
            or asyncio.get_running_loop().time() - self._last_poll >= IDLE_POLL_S
        ):
            await self._find_news()
        numbers = {number for stream in self.streams() if (number := stream.following.session.number)}
        standing = await self.drawing.run(lambda: self.context.keys.list_valid_numbers(numbers, self.context.clock()))
        for watch in self.live_matches.values():
            if watch.update_due():
                watch.wake()
        expired = numbers - standing
        for stream in self.streams():
            stream.shut = stream.shut or stream.following.session.number in expired
            if stream.end() is not None:
                stream.woken.set()


def gap_event(number: int, before: bytes = b"") -> bytes:
    """Return the event that tells a client to fetch the timeline up to an entry."""
    return before + event("gap", {"n": number}, number)
