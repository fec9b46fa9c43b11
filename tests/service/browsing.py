"""A real browser on a real server: the application in a thread of the tests, and pages that it opens."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar
from playwright.sync_api import Browser, sync_playwright

from recorder.clock import pause
from service.house import House
from tests.service.apps import app_over
from tools import chromium

LOOKS, LOOK_S = 500, 0.02


@contextmanager
def listening(house: House, around: Callable[[Litestar], Any] = lambda app: app) -> Iterator[str]:
    """The service on a port of this machine; its address. `around`: what stands between it and its clients."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    loop = asyncio.new_event_loop()
    served: list[Server] = []

    def run() -> None:
        asyncio.set_event_loop(loop)
        with app_over(house) as app:
            serving = {"interface": Interfaces.ASGI, "websockets": False, "log_enabled": False}
            served.append(Server(around(app), "127.0.0.1", port, **serving))
            loop.run_until_complete(served[0].serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        for _ in range(LOOKS):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            pause(LOOK_S)
        yield f"http://127.0.0.1:{port}"
    finally:
        house.drain()
        loop.call_soon_threadsafe(served[0].stop)
        thread.join()


@contextmanager
def browser() -> Iterator[Browser]:
    """The browser of this machine. Where there is none the test is left out, which CI does not let pass."""
    where = chromium.find()
    if where is None:
        pytest.skip(f"there is no browser here: {chromium.VARIABLE} names one")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=where, args=list(chromium.ARGUMENTS))
        yield opened
        opened.close()
