"""Threads of the event loop: order, refusals and the end."""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from service.call_queue import CallQueue
from service.problems import HttpProblem
from tests.service.browsing import run_loop


def run_with(calls: CallQueue, call: Callable[[], Any]) -> Any:
    async def run() -> Any:
        calls.start()
        try:
            return await call()
        finally:
            calls.stop()

    return run_loop(run())


def test_calls_run_in_order_and_each_gets_its_own_result() -> None:
    calls, ran = CallQueue("test", 1), list[int]()

    def make(number: int) -> Callable[[], int]:
        return lambda: ran.append(number) or number * number

    async def run_all() -> list[int]:
        return await asyncio.gather(*(calls.run(make(number)) for number in range(100)))

    assert run_with(calls, run_all) == [number * number for number in range(100)]
    assert ran == [*range(100)]


def test_an_error_reaches_its_own_caller_only() -> None:
    calls = CallQueue("test", 2)

    async def run_both() -> list[Any]:
        return await asyncio.gather(calls.run(lambda: 1 // 0), calls.run(lambda: 7), return_exceptions=True)

    failed, value = run_with(calls, run_both)
    assert isinstance(failed, ZeroDivisionError) and value == 7


def test_what_waits_too_long_is_told_to_come_back_and_does_not_run() -> None:
    calls, free, ran = CallQueue("test", 1, wait_max=0.05), Event(), list[str]()

    async def run_slowly() -> list[Any]:
        first = asyncio.ensure_future(calls.run(free.wait))
        await asyncio.sleep(0.01)
        second = asyncio.ensure_future(calls.run(lambda: ran.append("second")))
        await asyncio.sleep(0.1)
        with pytest.raises(HttpProblem) as newest:
            await calls.run(lambda: ran.append("newest"))
        free.set()
        old = await asyncio.gather(first, second, return_exceptions=True)
        await calls.run(lambda: ran.append("later"))
        return [newest.value, *old]

    newest, first, second = run_with(calls, run_slowly)
    assert first is True and ran == ["later"]
    for refused in (newest, second):
        assert refused.problem.status == 503 and refused.headers["Retry-After"] == "1"


def test_a_caller_that_leaves_disturbs_nobody() -> None:
    calls, free = CallQueue("test", 1), Event()

    async def run_and_leave() -> int:
        left = asyncio.ensure_future(calls.run(free.wait))
        other = asyncio.ensure_future(calls.run(lambda: 3))
        await asyncio.sleep(0)
        left.cancel()
        free.set()
        return await other

    assert run_with(calls, run_and_leave) == 3


def test_a_stopped_queue_refuses() -> None:
    calls = CallQueue("test", 1)

    async def run() -> None:
        await calls.run(lambda: None)
        calls.stop()
        with pytest.raises(HttpProblem) as refused:
            await calls.run(lambda: None)
        assert refused.value.problem.status == 503

    async def start() -> None:
        calls.start()
        await run()

    run_loop(start())
