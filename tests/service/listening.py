"""Event streams without a socket: an ASGI client that reads events and disconnects at will."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.law import Law
from recorder.keyring import Keyring
from recorder.simulate import simulate
from recorder.store import Store
from service.context import AppContext
from service.settings import Settings
from tests.places import MEMORY, place
from tests.service.apps import app_over
from tests.service.harness import Clock

PATIENCE_S = 60
"""Seconds to wait for an expected event."""


@cache
def random_match(key: str, seed: int, length: int) -> list[Entry]:
    game = GAMES[key]
    return simulate(Law(game, tuple(game.versions.values())[-1]), seed, length)


class Event(Struct, frozen=True):
    kind: str
    id: int
    data: Any
    raw: bytes


class Hearing:
    """A client with the response and the events that it received."""

    def __init__(
        self, app: Litestar, path: str, headers: dict[str, str], method: str = "GET", address: str = "127.0.0.1"
    ) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.raw = b""
        self.slow = asyncio.Event()
        """Cleared while the client does not read."""
        self.slow.set()
        self._arrived = asyncio.Event()
        self._left = asyncio.Event()
        self._asked = False
        self._read = 0
        self.ended = False
        place, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": place, "raw_path": place.encode(), "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": (address, 1), "server": ("testserver", 80), "state": {},
        }  # fmt: skip
        self.task = asyncio.create_task(app(scope, self._receive, self._send))  # type: ignore[arg-type]

    async def _receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.slow.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.raw += message.get("body", b"")
            self.ended = not message.get("more_body", False)
        self._arrived.set()

    async def until(self, holds: Any) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._arrived.clear()
                await self._arrived.wait()

    async def next(self) -> Event:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await self.until(lambda: b"\n\n" in self.raw[self._read :])
                end = self.raw.index(b"\n\n", self._read) + 2
                raw, self._read = self.raw[self._read : end], end
                lines = [line for line in raw.decode().split("\n") if line and not line.startswith(":")]
                fields = dict(line.split(": ", 1) for line in lines)
                if "event" in fields:
                    return Event(fields["event"], int(fields.get("id", 0)), json.loads(fields["data"]), raw)

    async def entries(self, *numbers: int) -> list[Event]:
        """Return the next events and check that they belong to these entries."""
        events = [await self.next() for _ in numbers]
        assert [event.id for event in events] == list(numbers), events
        return events

    def silent(self) -> bool:
        """True if no unread event has arrived."""
        return b"event: " not in self.raw[self._read :]

    async def leave(self) -> None:
        """Disconnect and wait for the application to finish."""
        self._left.set()
        self.slow.set()
        async with asyncio.timeout(PATIENCE_S):
            await self.task


class Stage:
    def __init__(self, app: Litestar, context: AppContext, clock: Clock, match: str, entries: Sequence[Entry]) -> None:
        self.app, self.context, self.clock, self.match, self.entries = app, context, clock, match, entries
        self.hub = app.state.hub

    async def record(self, upto: int, *, wake: bool = True) -> None:
        version = self.context.store.version(self.match)
        news = [replace(entry, at=self.clock.at) for entry in self.entries[version:upto]]
        assert await asyncio.to_thread(self.context.store.append, self.match, version, news) == upto
        if wake:
            await asyncio.to_thread(self.context.wake, self.match)

    @asynccontextmanager
    async def listen(
        self, query: str = "", headers: dict[str, str] | None = None, address: str = "127.0.0.1"
    ) -> AsyncIterator[Hearing]:
        path = f"/api/v1/matches/{self.match}/live?{query}"
        hearing = Hearing(self.app, path, headers or {}, address=address)
        try:
            await hearing.until(lambda: hearing.status)
            yield hearing
        finally:
            with suppress(TimeoutError):
                await hearing.leave()
            hearing.task.cancel()


@asynccontextmanager
async def stage(
    key: str = "blackpoker",
    *,
    seed: int = 3,
    length: int = 60,
    begun: int = 10,
    settings: Settings | None = None,
    where: str | Path = MEMORY,
    entries: Sequence[Entry] = (),
) -> AsyncIterator[Stage]:
    """Serve a match, random or given, recorded up to an entry."""
    clock = Clock()
    store = Store.open(place(where))
    given = replace(settings or Settings(store=MEMORY), store=store.name)
    context = AppContext(store, Keyring.open(MEMORY), given, clock)
    with app_over(context) as app:
        async with app.lifespan():
            staged = Stage(app, context, clock, "M-1", entries or random_match(key, seed, length))
            await staged.record(begun)
            yield staged
