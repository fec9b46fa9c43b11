"""Threads that run calls for the event loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from msgspec import Struct

from service.problems import busy
from service.requests import LOCKED_SECONDS

T = TypeVar("T")


class _Call(Struct, frozen=True):
    run: Callable[[], Any]
    future: "asyncio.Future[Any]"
    since: float


class CallQueue:
    """A few threads with one queue. Threads and the loop wake each other once for all calls that are ready: an executor
    of the standard library does so for each call, which costs more than many calls do.

    Calls start in order. One that has waited for more than `wait_max` seconds is refused, and so are those that come
    meanwhile.
    """

    def __init__(self, name: str, threads: int, wait_max: float = inf) -> None:
        self._wait_max = wait_max
        self._waiting: deque[_Call] = deque()
        self._tickets: SimpleQueue[bool] = SimpleQueue()
        """True for each waiting call, False for each thread that is to end."""
        self._done: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._announced = self._stopped = False
        self._threads = [Thread(target=self._work, name=f"{name}-{number}", daemon=True) for number in range(threads)]

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the threads after the calls that wait, and wait for them. Later calls are refused."""
        self._stopped = True
        for _ in self._threads:
            self._tickets.put(False)
        for thread in self._threads:
            thread.join()

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call in a thread. Raises HttpProblem if the queue is too slow."""
        if self._stopped:
            raise busy("draining")
        if self._waiting:
            self._require_in_time(self._waiting[0].since)
        future: asyncio.Future[T] = self._loop.create_future()
        self._waiting.append(_Call(call, future, self._loop.time()))
        self._tickets.put(True)
        return await future

    def _require_in_time(self, since: float) -> None:
        if self._loop.time() - since > self._wait_max:
            raise busy("store-unavailable", LOCKED_SECONDS)

    def _work(self) -> None:
        while self._tickets.get():
            call = self._waiting.popleft()
            value, error = None, None
            try:
                self._require_in_time(call.since)
                value = call.run()
            except BaseException as raised:
                error = raised
            self._done.append((call.future, value, error))
            if not self._announced:
                self._announced = True
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._announced = False  # before the queue is read, so that a later result is announced again
        while self._done:
            future, value, error = self._done.popleft()
            if future.cancelled():
                continue
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)
