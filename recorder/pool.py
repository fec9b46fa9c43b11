"""Work over all cores: a pool of processes that stays, results in the order of what came whatever finishes first.

What is taken, done and kept at once is bounded by a window of chunks, not by how much comes.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import Any, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType

from recorder.files import Closing

CHUNK = 4
"""How many are handed to a process at once, if nothing else is said."""
DONE_MAX = 256
"""How many of which the result is known may lie between them."""
WINDOW = 4
"""How many chunks a process are on their way."""

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
"""Signals that are not heeded while a process is begun: it would be cut off half-way."""

T = TypeVar("T")
R = TypeVar("R")
Lost = Callable[[tuple[str, ...]], None]
"""Told when a process has died: the names of those that are done again, one at a time."""


class Interrupted(Struct, frozen=True):
    """How much of its work an answer is about that somebody interrupted, and with which options the rest is done."""

    done: int
    all: int
    rest: str | UnsetType = UNSET


class Done(Struct, Generic[R], frozen=True):
    """One of which the result is known already."""

    result: R


class Work(Struct, Generic[T, R], frozen=True):
    """What is done with each: a function that can be handed to other processes, as a module's own or a `partial` of it.

    `killed` is the result of one that ends whatever process it is handed to, `name` what it is called, `chunk` how many
    are handed over at once.
    """

    do: Callable[[T], R]
    killed: Callable[[T], R]
    name: Callable[[T], str]
    chunk: int = CHUNK


def cores() -> int:
    """How many processes this machine runs at once, and this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(work: Work[T, R], coming: Iterable[T | Done[R]], jobs: int, lost: Lost) -> Generator[R, None, None]:
    """The results of all that comes, in its order. With one job in this very process."""
    if jobs == 1:
        for item in coming:
            yield item.result if isinstance(item, Done) else work.do(item)
        return
    with Pool(work, jobs) as pool:
        yield from pool.results(coming, lost)


class Sent(Struct, Generic[T, R], frozen=True):
    """A piece of what comes on its way: what is known of it already, and what the processes make of the rest."""

    items: tuple[T | Done[R], ...]
    todo: tuple[T, ...]
    """What was handed on."""
    future: "Future[list[R]]"

    @property
    def died(self) -> bool:
        """Has a process died before this was done?"""
        future = self.future
        return future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool)

    def merged(self, done: Iterable[R]) -> Iterator[R]:
        """What was known and what was done, in order."""
        made = iter(done)
        for item in self.items:
            yield item.result if isinstance(item, Done) else next(made)


class Pool(Closing, Generic[T, R]):
    """Processes that stay, begun anew where one has died. Use it in a `with`."""

    def __init__(self, work: Work[T, R], jobs: int) -> None:
        self.work, self.jobs = work, jobs
        self._executor = self._start()

    def results(self, coming: Iterable[T | Done[R]], lost: Lost) -> Generator[R, None, None]:
        """The results of all that comes, in its order."""
        rest = iter(coming)
        waiting: deque[Sent[T, R]] = deque()
        while True:
            while len(waiting) < self.jobs * WINDOW and (items := self._chunk(rest)):
                todo = tuple(item for item in items if not isinstance(item, Done))
                waiting.append(Sent(items, todo, self._submit(todo)))
            if not waiting:
                return
            sent = waiting.popleft()
            try:
                yield from sent.merged(sent.future.result())
            except BrokenProcessPool:
                broken = (sent, *waiting)
                waiting.clear()
                yield from self._again(broken, lost)

    def _chunk(self, coming: Iterator[T | Done[R]]) -> tuple[T | Done[R], ...]:
        """As much of what comes as is handed on at once."""
        items: list[T | Done[R]] = []
        todo = 0
        for item in coming:
            items.append(item)
            todo += not isinstance(item, Done)
            if todo == self.work.chunk or len(items) == DONE_MAX:
                break
        return tuple(items)

    def _again(self, broken: tuple[Sent[T, R], ...], lost: Lost) -> Iterator[R]:
        """After a process has died: what is done is kept, the rest done one at a time; what kills again is given up."""
        self._renew()
        lost(tuple(self.work.name(item) for sent in broken if sent.died for item in sent.todo))
        for sent in broken:
            yield from sent.merged(map(self._alone, sent.todo) if sent.died else sent.future.result())

    def _alone(self, item: T) -> R:
        try:
            return self._submit((item,)).result()[0]
        except BrokenProcessPool:
            self._renew()
            return self.work.killed(item)

    def _start(self) -> ProcessPoolExecutor:
        # Spawned and not forked: nothing that is open here, a store or a terminal, may be shared. A process that is
        # spawned looks for its modules in the current folder first, unless it is told not to.
        os.environ["PYTHONSAFEPATH"] = "1"
        return ProcessPoolExecutor(self.jobs, get_context("spawn"), initializer=_prepare, initargs=(self.work.do,))

    def _submit(self, todo: tuple[T, ...]) -> "Future[list[R]]":
        """Hand some to whichever process is free; a pool found broken here breaks their result."""
        at_once: Future[list[R]] = Future()
        if not todo:
            at_once.set_result([])
            return at_once
        try:
            with _undisturbed():
                return self._executor.submit(_do, todo)
        except BrokenProcessPool as error:
            at_once.set_exception(error)
            return at_once

    def _renew(self) -> None:
        """New processes for those that died."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._start()

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Interruptions wait: whoever submits may begin a process, which is born with what waits here.

    So an interruption from a terminal, which reaches every process of it, finds none that does not know its way yet.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in a process of the pool -----------------------------------------------------------------------------------------

_WORK: list[Callable[[Any], Any]] = []


def _prepare(do: Callable[[Any], Any]) -> None:
    """Keep what is to be done, leave interrupts to the parent, and end with it, however it ends."""
    _WORK[:] = [do]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _do(chunk: tuple[Any, ...]) -> list[Any]:
    return [_WORK[0](item) for item in chunk]
