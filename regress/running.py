"""A task over all cores: a pool of processes that stays, results in the order of the corpus whatever finishes first.

What is read, judged and kept at once is bounded by a window of chunks, not by the corpus.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from threading import Thread

from corpus.sources import Source
from domain.words import Text
from regress.judging import bad, judged
from regress.summary import Summary, Task

CHUNK = 4
"""How many matches are handed to a process at once."""
WINDOW = 4
"""How many chunks a process are on their way."""

Placed = tuple[int, Source]
Chunk = tuple[Placed, ...]
Lost = Callable[[tuple[str, ...]], None]
"""Told when a process has died: the matches that are judged again, one at a time."""


def cores() -> int:
    """How many processes this machine runs at once, and this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def summaries(task: Task, sources: Iterable[Placed], jobs: int, lost: Lost) -> Iterator[Summary]:
    """The summaries of these matches, in their order. With one job in this very process."""
    if jobs == 1:
        yield from (judged(task, at, source) for at, source in sources)
        return
    with _Pool(task, jobs) as pool:
        yield from _windowed(pool, sources, lost)


def _windowed(pool: "_Pool", sources: Iterable[Placed], lost: Lost) -> Iterator[Summary]:
    coming = iter(sources)
    waiting: deque[tuple[Chunk, Future[list[Summary]]]] = deque()
    while True:
        while len(waiting) < pool.jobs * WINDOW and (chunk := tuple(islice(coming, CHUNK))):
            waiting.append((chunk, pool.submit(chunk)))
        if not waiting:
            return
        chunk, future = waiting.popleft()
        try:
            yield from future.result()
        except BrokenProcessPool:
            broken = [(chunk, future), *waiting]
            waiting.clear()
            yield from _again(pool, broken, lost)


def _again(pool: "_Pool", broken: list[tuple[Chunk, Future[list[Summary]]]], lost: Lost) -> Iterator[Summary]:
    """After a process has died: what is done is kept, the rest judged one at a time. What kills one again is bad."""
    pool.renew()
    lost(tuple(source.name for chunk, future in broken if _died(future) for _, source in chunk))
    for chunk, future in broken:
        if not _died(future):
            yield from future.result()
            continue
        for at, source in chunk:
            try:
                yield from pool.submit(((at, source),)).result()
            except BrokenProcessPool:
                pool.renew()
                yield bad(at, source, Text("regress.killed"))


def _died(future: "Future[list[Summary]]") -> bool:
    return future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool)


class _Pool:
    """Processes that stay, begun anew where one has died."""

    def __init__(self, task: Task, jobs: int) -> None:
        self.task, self.jobs = task, jobs
        self._executor = self._begun()

    def _begun(self) -> ProcessPoolExecutor:
        # Spawned and not forked: nothing that is open here, a store or a terminal, may be shared.
        return ProcessPoolExecutor(self.jobs, get_context("spawn"), initializer=_begin, initargs=(self.task,))

    def submit(self, chunk: Chunk) -> "Future[list[Summary]]":
        """Hand a chunk to whichever process is free; a pool found broken here breaks its result."""
        try:
            return self._executor.submit(_judge, chunk)
        except BrokenProcessPool as error:
            failed: Future[list[Summary]] = Future()
            failed.set_exception(error)
            return failed

    def renew(self) -> None:
        """New processes for those that died."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._begun()

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


# -- in a process of the pool -----------------------------------------------------------------------------------------

_TASKS: list[Task] = []


def _begin(task: Task) -> None:
    """Keep the task, leave interrupts to the parent, and end with it, however it ends."""
    _TASKS[:] = [task]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _judge(chunk: Chunk) -> list[Summary]:
    return [judged(_TASKS[0], at, source) for at, source in chunk]
