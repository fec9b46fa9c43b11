"""A service that is about to stop takes nothing new on, and tells those who have something going on."""

import asyncio
import os
import signal
from contextlib import suppress
from typing import Any

import pytest

from service.running import hear
from tests.service.browsing import run_loop
from tests.service.processes import PATIENCE
from tests.service.serving import Served


# That the byte is lost is what the interpreter warns of.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_is_heard_where_so_much_wakes_the_loop_that_its_own_byte_is_lost() -> None:
    async def signalled() -> bool:
        loop: Any = asyncio.get_running_loop()
        told = asyncio.Event()
        hear(loop, signal.SIGUSR1, lambda number: told.set())
        with suppress(BlockingIOError):
            while True:
                loop._csock.send(bytes(4096))
        os.kill(os.getpid(), signal.SIGUSR1)
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), PATIENCE)
        loop.remove_signal_handler(signal.SIGUSR1)
        return told.is_set()

    assert run_loop(signalled())


def test_nothing_new_is_taken_on_once_it_is_about_to_stop(served: Served) -> None:
    told: list[str] = []
    served.house.drains.append(lambda: told.append("bye"))
    assert served.get("/api/v1/sessions", "head").status_code == 200 and told == []
    served.house.drain()
    assert told == ["bye"]
    for answer in (served.get("/api/v1/sessions"), served.get("/en/floor")):
        assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
    assert served.get("/api/v1/sessions").json()["type"] == "/problem/draining"
