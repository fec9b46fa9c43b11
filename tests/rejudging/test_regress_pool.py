"""The pool that all work over many matches shares: in order, a window at a time, whatever dies in between."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from recorder.pool import CHUNK, DONE_MAX, WINDOW, Done, Work, results

pytestmark = pytest.mark.deep


def doubled(number: int) -> int:
    if number < 0:
        os._exit(9)
    return 2 * number


WORK = Work(doubled, lambda number: 0, str)


def nobody(names: tuple[str, ...]) -> None:
    raise AssertionError(names)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_known_ones_among_the_others(jobs: int) -> None:
    coming = [Done(-number) if number % 3 else number for number in range(60)]
    assert list(results(WORK, coming, jobs, nobody)) == [-n if n % 3 else 2 * n for n in range(60)]
    assert list(results(WORK, [], jobs, nobody)) == []


@pytest.mark.parametrize("known", [False, True])
def test_no_more_than_a_window_is_taken_at_once(known: bool) -> None:
    taken: list[int] = []

    def coming() -> Iterator[int | Done[int]]:
        for number in range(100_000):
            taken.append(number)
            yield Done(number) if known else number

    found = results(WORK, coming(), 2, nobody)
    assert next(found) == 0
    assert len(taken) <= 2 * WINDOW * (DONE_MAX if known else CHUNK)
    found.close()  # type: ignore[attr-defined]


def test_what_kills_is_given_up_and_what_was_lost_with_it_done_again() -> None:
    lost: list[str] = []
    coming = [*range(9), -1, *range(9), -2]
    found = list(results(WORK, coming, 2, lost.extend))
    assert found == [*(2 * n for n in range(9)), 0, *(2 * n for n in range(9)), 0]
    assert {"-1", "-2"} <= set(lost) <= {str(number) for number in coming}


def test_a_worker_that_is_killed_costs_nothing() -> None:
    lost: list[str] = []
    found: list[int] = []
    for one in results(WORK, range(300), 2, lost.extend):
        if not found:
            os.kill(active_children()[0].pid or 0, signal.SIGKILL)
        found.append(one)
    assert found == [2 * number for number in range(300)]
