"""A persistent pool of worker processes over all cores. Results keep the order of the input. Memory is bounded by a
window of chunks, not by the length of the input."""

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
"""Default number of items in a chunk."""
CHUNK_GROWTH_MAX = 4
"""Factor by which chunks grow at most, since each chunk has overhead."""
CHUNK_SHARE = 8
"""A chunk is at most one part in this many of a worker's items so far, so that all workers end together."""
BATCH_ITEMS_MAX = 256
"""Limit of the items in a batch, including those with known results."""
WINDOW = 4
"""Chunks in flight for each worker."""

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
"""Signals blocked while a process starts, which they would interrupt half-way."""

T = TypeVar("T")
R = TypeVar("R")
T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Lost = Callable[[tuple[str, ...]], None]
"""Callback with the names of items that are retried one at a time after a worker died."""


class ReadyResult(Struct, Generic[R], frozen=True):
    """An item whose result is known."""

    result: R


class Work(Struct, Generic[T, R], frozen=True):
    """A task: a function that can be pickled, such as a module's function or a `partial` of one. `killed` gives the
    result of an item that crashes its worker, `name` an item's name, and `chunk` the items in a chunk."""

    do: Callable[[T], R]
    killed: Callable[[T], R]
    name: Callable[[T], str]
    chunk: int = CHUNK


def cores() -> int:
    """Return the number of CPU cores that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerDied(Exception):
    """A worker died before it returned its result."""


class Pending(Protocol[R_co]):
    """A submitted chunk."""

    def result(self) -> Sequence[R_co]:
        """Wait for the results. Raises WorkerDied."""

    @property
    def died(self) -> bool:
        """True if a process died before the chunk was done."""


class Executor(Protocol[T_contra, R_co]):
    """Workers, local or remote, that take work in chunks."""

    @property
    def width(self) -> int:
        """The number of workers."""

    @property
    def chunk(self) -> int:
        """The number of items in a chunk."""

    def submit(self, todo: tuple[T_contra, ...]) -> Pending[R_co]:
        """Submit a chunk to a free worker."""

    def restart_workers(self) -> None:
        """Replace workers that died."""

    def close(self) -> None:
        """Stop the workers and drop unfinished work."""


class Workers(Protocol):
    """A source of workers."""

    def begin(self, work: Work[T, R]) -> Executor[T, R]:
        """Start workers for a task."""


class Local(Struct, frozen=True):
    """Processes of this machine."""

    jobs: int

    def begin(self, work: Work[T, R]) -> Executor[T, R]:
        return ProcessPool(work, self.jobs)


def results(
    work: Work[T, R], coming: Iterable[T | ReadyResult[R]], workers: int | Workers, lost: Lost
) -> Generator[R, None, None]:
    """Yield the results in the order of the input. One worker means the current process."""
    if workers == 1:
        for item in coming:
            yield item.result if isinstance(item, ReadyResult) else work.do(item)
        return
    executor = (Local(workers) if isinstance(workers, int) else workers).begin(work)
    try:
        yield from yield_in_order(work, executor, coming, lost)
    finally:
        executor.close()


class PendingBatch(Struct, Generic[T, R], frozen=True):
    """A batch in flight: known results, and a pending chunk for the rest."""

    items: tuple[T | ReadyResult[R], ...]
    todo: tuple[T, ...]
    pending: Pending[R]

    def merged(self, done: Iterable[R]) -> Iterator[R]:
        """Yield known and computed results in order."""
        computed = iter(done)
        for item in self.items:
            yield item.result if isinstance(item, ReadyResult) else next(computed)


def yield_in_order(
    work: Work[T, R], executor: Executor[T, R], coming: Iterable[T | ReadyResult[R]], lost: Lost
) -> Generator[R, None, None]:
    """Yield the results in the order of the input, whichever worker finishes first."""
    rest = iter(coming)
    waiting: deque[PendingBatch[T, R]] = deque()
    submitted = 0
    while True:
        while len(waiting) < executor.width * WINDOW:
            items: tuple[T | ReadyResult[R], ...] = _chunk(rest, chunk_size(executor, submitted))
            if not items:
                break
            todo = tuple(item for item in items if not isinstance(item, ReadyResult))
            submitted += len(todo)
            waiting.append(PendingBatch(items, todo, executor.submit(todo) if todo else EmptyPending()))
        if not waiting:
            return
        batch = waiting.popleft()
        try:
            done = batch.pending.result()
        except WorkerDied:
            broken = (batch, *waiting)
            waiting.clear()
            yield from _retry_after_crash(work, executor, broken, lost)
        else:
            yield from batch.merged(done)


def chunk_size(executor: Executor[T, R], submitted: int) -> int:
    """Return the chunk size after `submitted` items. It starts small, so that every worker gets some."""
    least = executor.chunk
    return max(least, min(CHUNK_GROWTH_MAX * least, submitted // (executor.width * CHUNK_SHARE)))


class EmptyPending(Struct, frozen=True):
    """The result of an empty chunk."""

    died = False

    def result(self) -> list[Any]:
        return []


def _chunk(coming: Iterator[T | ReadyResult[R]], most: int) -> tuple[T | ReadyResult[R], ...]:
    items: list[T | ReadyResult[R]] = []
    todo = 0
    for item in coming:
        items.append(item)
        todo += not isinstance(item, ReadyResult)
        if todo == most or len(items) == BATCH_ITEMS_MAX:
            break
    return tuple(items)


def _retry_after_crash(
    work: Work[T, R], executor: Executor[T, R], broken: tuple[PendingBatch[T, R], ...], lost: Lost
) -> Iterator[R]:
    """Recover from a dead worker: keep finished results and retry the rest one at a time. An item that crashes its
    worker again gets the result of `killed`."""
    executor.restart_workers()
    died = tuple(batch.pending.died for batch in broken)
    lost(tuple(work.name(item) for batch, crashed in zip(broken, died, strict=True) if crashed for item in batch.todo))
    for at, (batch, crashed) in enumerate(zip(broken, died, strict=True)):
        if crashed:
            yield from batch.merged(_run_alone(work, executor, item) for item in batch.todo)
            continue
        try:
            done = batch.pending.result()
        except WorkerDied:
            yield from _retry_after_crash(work, executor, broken[at:], lost)
            return
        yield from batch.merged(done)


def _run_alone(work: Work[T, R], executor: Executor[T, R], item: T) -> R:
    try:
        return executor.submit((item,)).result()[0]
    except WorkerDied:
        executor.restart_workers()
        return work.killed(item)


class PoolFuture(Struct, Generic[R], frozen=True):
    """A chunk submitted to a local pool."""

    future: "Future[list[R]]"

    @property
    def died(self) -> bool:
        future = self.future
        return future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool)

    def result(self) -> list[R]:
        try:
            return self.future.result()
        except BrokenProcessPool:
            raise WorkerDied from None


class ProcessPool(Closeable, Generic[T, R]):
    """Persistent processes of this machine, restarted if one dies."""

    def __init__(self, work: Work[T, R], jobs: int) -> None:
        self.work, self.width, self.chunk = work, jobs, work.chunk
        self._executor = self._start()

    def results(self, coming: Iterable[T | ReadyResult[R]], lost: Lost) -> Generator[R, None, None]:
        return yield_in_order(self.work, self, coming, lost)

    def _start(self) -> ProcessPoolExecutor:
        # Spawned, not forked, because open stores and terminals must not be shared. A spawned process searches modules
        # in the current folder first, unless told not to.
        os.environ["PYTHONSAFEPATH"] = "1"
        return ProcessPoolExecutor(self.width, get_context("spawn"), initializer=_prepare, initargs=(self.work.do,))

    def submit(self, todo: tuple[T, ...]) -> PoolFuture[R]:
        """Submit a chunk to a free process. If the pool is broken, so is the result."""
        try:
            with _block_interrupts():
                return PoolFuture(self._executor.submit(_run_chunk, todo))
        except BrokenProcessPool as error:
            failed: Future[list[R]] = Future()
            failed.set_exception(error)
            return PoolFuture(failed)

    def restart_workers(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._start()

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block interrupts while a submission may start a process, which inherits the mask. An interrupt from a terminal
    reaches all its processes, and so finds none half-started."""
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
    """Store the function, leave interrupts to the parent, and exit when the parent does."""
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


def _run_chunk(chunk: tuple[Any, ...]) -> list[Any]:
    return [_WORK[0](item) for item in chunk]
