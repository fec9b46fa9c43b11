"""The worker pool of batch commands: in order, one window at a time, even if workers die."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children

import pytest
from msgspec import Struct

from recorder.pool import (
    BATCH_ITEMS_MAX,
    CHUNK,
    CHUNK_GROWTH_MAX,
    CHUNK_SHARE,
    WINDOW,
    Executor,
    ProcessPool,
    ReadyResult,
    Work,
    WorkerDied,
    chunk_size,
    results,
)
from tests.rows import for_each

pytestmark = pytest.mark.process


def double(number: int) -> int:
    if number < 0:
        os._exit(9)
    return 2 * number


WORK = Work(double, lambda number: 0, str)


def nobody(names: tuple[str, ...]) -> None:
    raise AssertionError(names)


@for_each("jobs", [1, 2, 3])
def test_results_come_in_order_known_ones_among_the_others(jobs: int) -> None:
    coming = [ReadyResult(-number) if number % 3 else number for number in range(60)]
    assert list(results(WORK, coming, jobs, nobody)) == [-n if n % 3 else 2 * n for n in range(60)]
    assert list(results(WORK, [], jobs, nobody)) == []


@for_each("known", [False, True])
def test_no_more_than_a_window_is_taken_at_once(known: bool) -> None:
    taken: list[int] = []

    def coming() -> Iterator[int | ReadyResult[int]]:
        for number in range(100_000):
            taken.append(number)
            yield ReadyResult(number) if known else number

    found = results(WORK, coming(), 2, nobody)
    assert next(found) == 0
    assert len(taken) <= 2 * WINDOW * (BATCH_ITEMS_MAX if known else CHUNK)
    found.close()  # type: ignore[attr-defined]


def test_chunks_grow_with_what_was_handed_on_so_that_all_processes_end_together() -> None:
    with ProcessPool(WORK, 2) as pool:
        sizes = [chunk_size(pool, handed) for handed in range(0, 600, 8)]
    assert sizes[0] == CHUNK and sizes[-1] == CHUNK_GROWTH_MAX * CHUNK and sizes == sorted(sizes)
    for handed, size in zip(range(0, 600, 8), sizes, strict=True):
        assert size == CHUNK or size <= handed / 2 / CHUNK_SHARE


def test_every_size_of_chunk_brings_every_result_in_order() -> None:
    many = 2 * CHUNK_SHARE * CHUNK_GROWTH_MAX * CHUNK + 77
    assert list(results(WORK, range(many), 2, nobody)) == [2 * number for number in range(many)]


def test_what_kills_is_given_up_and_what_was_lost_with_it_done_again() -> None:
    lost: list[str] = []
    coming = [*range(9), -1, *range(9), -2]
    found = list(results(WORK, coming, 2, lost.extend))
    assert found == [*(2 * n for n in range(9)), 0, *(2 * n for n in range(9)), 0]
    assert {"-1", "-2"} <= set(lost) <= {str(number) for number in coming}


def test_a_worker_that_is_killed_costs_nothing() -> None:
    lost: list[str] = []
    found: list[int] = []
    before = set(active_children())
    for one in results(WORK, range(300), 2, lost.extend):
        if not found:
            worker = next(child.pid for child in active_children() if child not in before)
            assert worker is not None
            os.kill(worker, signal.SIGKILL)
        found.append(one)
    assert found == [2 * number for number in range(300)]


class RemoteExecutor(Struct):
    """An executor on other machines, where a single chunk can be lost; each runs when its result is requested."""

    deadly: frozenset[int]
    width: int = 2
    chunk: int = 3
    sent: list[tuple[int, ...]] = []
    mended: int = 0
    closed: bool = False

    def begin(self, work: Work[int, int]) -> Executor[int, int]:
        return self

    def submit(self, todo: tuple[int, ...]) -> "RemoteChunk":
        self.sent.append(todo)
        return RemoteChunk(todo, bool(self.deadly.intersection(todo)))

    def restart_workers(self) -> None:
        self.mended += 1

    def close(self) -> None:
        self.closed = True


class RemoteChunk(Struct):
    todo: tuple[int, ...]
    deadly: bool
    died: bool = False

    def result(self) -> list[int]:
        if self.deadly:
            self.died = True
            raise WorkerDied
        return [2 * number for number in self.todo]


def test_where_a_chunk_is_lost_alone_only_that_is_done_again() -> None:
    """Chunks two and four are pending together, and each kills its worker; each is found separately."""
    lost: list[str] = []
    elsewhere = RemoteExecutor(frozenset((4, 10)))
    found = list(results(WORK, range(30), elsewhere, lost.extend))  # type: ignore[arg-type]
    assert found == [0 if number in (4, 10) else 2 * number for number in range(30)]
    assert lost == ["3", "4", "5", "9", "10", "11"] and elsewhere.closed
    assert sorted(elsewhere.sent) == sorted(
        [*(tuple(range(n, n + 3)) for n in range(0, 30, 3)), (3,), (4,), (5,), (9,), (10,), (11,)]
    )


def test_whoever_leaves_before_the_end_lets_go_of_the_processes() -> None:
    elsewhere = RemoteExecutor(frozenset())
    coming = results(WORK, range(30), elsewhere, nobody)  # type: ignore[arg-type]
    assert next(coming) == 0 and not elsewhere.closed
    coming.close()
    assert elsewhere.closed
