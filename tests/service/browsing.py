"""A real browser on a real server: the application runs in a thread of the tests."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from os import environ
from typing import Any, ParamSpec, TypeVar

import pytest
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar
from playwright.sync_api import Browser, expect, sync_playwright

from service.context import AppContext
from tests.service.apps import app_over
from tests.service.processes import PATIENCE, wait_for
from tools import chromium
from tools.cluster import is_reached

T = TypeVar("T")
P = ParamSpec("P")
REQUIRED = "SHINPAN_BROWSER"
"""CI sets it to `required`, so that a missing browser fails the test."""


@contextmanager
def listening(context: AppContext, around: Callable[[Litestar], Any] = lambda app: app) -> Iterator[str]:
    """Serve the application on a local port and yield its URL; `around` wraps it as middleware."""
    with held_port() as port:
        yield from _serve(context, around, port)


def _serve(context: AppContext, around: Callable[[Litestar], Any], port: int) -> Iterator[str]:
    loop = asyncio.new_event_loop()
    served: list[Server] = []

    def run() -> None:
        asyncio.set_event_loop(loop)
        with app_over(context) as app:
            serving = {"interface": Interfaces.ASGI, "websockets": False, "log_enabled": False}
            served.append(Server(around(app), "127.0.0.1", port, **serving))
            loop.run_until_complete(served[0].serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        wait_for(lambda: not thread.is_alive() or is_reached(port))
        assert thread.is_alive(), "the service does not answer"
        yield f"http://127.0.0.1:{port}"
    finally:
        context.drain()
        loop.call_soon_threadsafe(served[0].stop)
        thread.join()


@contextmanager
def held_port() -> Iterator[int]:
    """Reserve a free port; a server that shares its port can listen on it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        yield probe.getsockname()[1]


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser, or skip the test if none is installed and none is required."""
    where = chromium.find()
    if where is None:
        (pytest.fail if environ.get(REQUIRED) == "required" else pytest.skip)(f"no Chromium: {chromium.VARIABLE}=PATH")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1_000)
        opened = playwright.chromium.launch(executable_path=where, args=list(chromium.ARGUMENTS))
        yield opened
        opened.close()


def run_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in this thread, where Playwright may have left its own loop."""
    left = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return asyncio.run(coroutine)
    finally:
        asyncio._set_running_loop(left)


def played(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Turn a test coroutine into a test."""

    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        run_loop(test(*given, **named))

    return run
