"""Work over all cores: a pool of processes that stays, results in the order of what came whatever finishes first.

What is taken, done and kept at once is bounded by a window of chunks, not by how much comes.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from recorder.files import Closeable

CHUNK = 4
"""How many are handed to a process at once, if nothing else is said."""
GROWN = 4
"""How many times as many at most, once much has been handed on: handing on costs by the chunk."""
EVEN = 8
"""A chunk is no more than this part of what each process has been handed before, so that all end together."""
DONE_MAX = 256
"""How many of which the result is known may lie between them."""
WINDOW = 4
"""How many chunks a process are on their way."""

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
"""Signals that are not heeded while a process is begun: it would be cut off half-way."""

T = TypeVar("T")
R = TypeVar("R")
T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Lost = Callable[[tuple[str, ...]], None]
"""Told when a process has died: the names of those that are done again, one at a time."""


class ReadyResult(Struct, Generic[R], frozen=True):
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


class WorkerDied(Exception):
    """Whoever had this to do is gone, and so is what came of it."""


class Pending(Protocol[R_co]):
    """What was handed on and is not looked at yet."""

    def result(self) -> Sequence[R_co]:
        """What came of it, once it is done. Raises WorkerDied."""

    @property
    def died(self) -> bool:
        """Has it to be done again, for a process has died before it was done?"""


class Executor(Protocol[T_contra, R_co]):
    """Processes, here or elsewhere, to which work is handed in chunks."""

    @property
    def width(self) -> int:
        """How many of them work at once."""

    @property
    def chunk(self) -> int:
        """How many are handed to one of them at once."""

    def submit(self, todo: tuple[T_contra, ...]) -> Pending[R_co]:
        """Hand some to whichever is free."""

    def mend(self) -> None:
        """Go on after some have died."""

    def close(self) -> None:
        """Let go of all of them; what is still under way is given up."""


class Workers(Protocol):
    """Where processes are to be had."""

    def begin(self, work: Work[T, R]) -> Executor[T, R]:
        """Those that do this work."""


class Local(Struct, frozen=True):
    """So many processes of this machine."""

    jobs: int

    def begin(self, work: Work[T, R]) -> Executor[T, R]:
        """A pool of them."""
        return ProcessPool(work, self.jobs)


def results(
    work: Work[T, R], coming: Iterable[T | ReadyResult[R]], workers: int | Workers, lost: Lost
) -> Generator[R, None, None]:
    """The results of all that comes, in its order. With one job in this very process."""
    if workers == 1:
        for item in coming:
            yield item.result if isinstance(item, ReadyResult) else work.do(item)
        return
    begun = (Local(workers) if isinstance(workers, int) else workers).begin(work)
    try:
        yield from in_order(work, begun, coming, lost)
    finally:
        begun.close()


class PendingBatch(Struct, Generic[T, R], frozen=True):
    """A piece of what comes on its way: what is known of it already, and what the processes make of the rest."""

    items: tuple[T | ReadyResult[R], ...]
    todo: tuple[T, ...]
    """What was handed on."""
    pending: Pending[R]

    def merged(self, done: Iterable[R]) -> Iterator[R]:
        """What was known and what was done, in order."""
        made = iter(done)
        for item in self.items:
            yield item.result if isinstance(item, ReadyResult) else next(made)


def in_order(
    work: Work[T, R], executor: Executor[T, R], coming: Iterable[T | ReadyResult[R]], lost: Lost
) -> Generator[R, None, None]:
    """The results of all that comes, in its order, whoever does it and whatever finishes first."""
    rest = iter(coming)
    waiting: deque[PendingBatch[T, R]] = deque()
    handed = 0
    while True:
        while len(waiting) < executor.width * WINDOW:
            items: tuple[T | ReadyResult[R], ...] = _chunk(rest, grown(executor, handed))
            if not items:
                break
            todo = tuple(item for item in items if not isinstance(item, ReadyResult))
            handed += len(todo)
            waiting.append(PendingBatch(items, todo, executor.submit(todo) if todo else EmptyPending()))
        if not waiting:
            return
        sent = waiting.popleft()
        try:
            done = sent.pending.result()
        except WorkerDied:
            broken = (sent, *waiting)
            waiting.clear()
            yield from _retry_after_crash(work, executor, broken, lost)
        else:
            yield from sent.merged(done)


def grown(executor: Executor[T, R], handed: int) -> int:
    """How many are handed to a process at once, after so many were handed on: few first, so that each has some."""
    least = executor.chunk
    return max(least, min(GROWN * least, handed // (executor.width * EVEN)))


class EmptyPending(Struct, frozen=True):
    """Nothing was left to be done."""

    died = False

    def result(self) -> list[Any]:
        """None."""
        return []


def _chunk(coming: Iterator[T | ReadyResult[R]], most: int) -> tuple[T | ReadyResult[R], ...]:
    """As much of what comes as is handed on at once."""
    items: list[T | ReadyResult[R]] = []
    todo = 0
    for item in coming:
        items.append(item)
        todo += not isinstance(item, ReadyResult)
        if todo == most or len(items) == DONE_MAX:
            break
    return tuple(items)


def _retry_after_crash(
    work: Work[T, R], executor: Executor[T, R], broken: tuple[PendingBatch[T, R], ...], lost: Lost
) -> Iterator[R]:
    """After a process has died: what is done is kept, the rest done one at a time; what kills again is given up."""
    executor.mend()
    died = tuple(sent.pending.died for sent in broken)
    lost(tuple(work.name(item) for sent, gone in zip(broken, died, strict=True) if gone for item in sent.todo))
    for at, (sent, gone) in enumerate(zip(broken, died, strict=True)):
        if gone:
            yield from sent.merged(_alone(work, executor, item) for item in sent.todo)
            continue
        try:
            done = sent.pending.result()
        except WorkerDied:
            yield from _retry_after_crash(work, executor, broken[at:], lost)
            return
        yield from sent.merged(done)


def _alone(work: Work[T, R], executor: Executor[T, R], item: T) -> R:
    try:
        return executor.submit((item,)).result()[0]
    except WorkerDied:
        executor.mend()
        return work.killed(item)


class PoolFuture(Struct, Generic[R], frozen=True):
    """What processes of a pool were given to do."""

    future: "Future[list[R]]"

    @property
    def died(self) -> bool:
        """Has a process died before this was done?"""
        future = self.future
        return future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool)

    def result(self) -> list[R]:
        """What came of it. Raises WorkerDied."""
        try:
            return self.future.result()
        except BrokenProcessPool:
            raise WorkerDied from None


class ProcessPool(Closeable, Generic[T, R]):
    """Processes of this machine that stay, begun anew where one has died. Use it in a `with`."""

    def __init__(self, work: Work[T, R], jobs: int) -> None:
        self.work, self.width, self.chunk = work, jobs, work.chunk
        self._executor = self._start()

    def results(self, coming: Iterable[T | ReadyResult[R]], lost: Lost) -> Generator[R, None, None]:
        """The results of all that comes, in its order."""
        return in_order(self.work, self, coming, lost)

    def _start(self) -> ProcessPoolExecutor:
        # Spawned and not forked: nothing that is open here, a store or a terminal, may be shared. A process that is
        # spawned looks for its modules in the current folder first, unless it is told not to.
        os.environ["PYTHONSAFEPATH"] = "1"
        return ProcessPoolExecutor(self.width, get_context("spawn"), initializer=_prepare, initargs=(self.work.do,))

    def submit(self, todo: tuple[T, ...]) -> PoolFuture[R]:
        """Hand some to whichever process is free; a pool found broken here breaks their result."""
        try:
            with _undisturbed():
                return PoolFuture(self._executor.submit(_do, todo))
        except BrokenProcessPool as error:
            at_once: Future[list[R]] = Future()
            at_once.set_exception(error)
            return PoolFuture(at_once)

    def mend(self) -> None:
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

_WORK: list[Callable[[Any], object]] = []


def _prepare(do: Callable[[Any], object]) -> None:
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
