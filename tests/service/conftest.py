"""Fixtures of the service tests."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from service.access import Role
from service.search import queries
from tests.cli.runs import Ran, inside
from tests.places import borrowed
from tests.service.browsing import browser
from tests.service.harness import Served, serve
from tests.service.journeys import Stage, stage_of
from tests.service.processes import PATIENCE
from tests.service.test_client import URL, Begin, client


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start one browser for each worker; each page gets its own context."""
    with browser() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _stores(database: str) -> Iterator[None]:
    """Open stores where `place` says, and free them for the next test."""
    with borrowed():
        yield


@pytest.fixture(autouse=True, scope="session")
def _patience() -> Iterator[None]:
    """Make searches wait for the index, so that answers do not depend on the speed of its thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "INDEX_WAIT_S", PATIENCE)
        yield


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as ready:
        yield ready


@pytest.fixture
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium) as ready:
        yield ready


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Return a function that runs commands against a service in a role, without a socket."""

    def beginning(served: Served, role: Role = "head", *matches: str, seat: str = "") -> Callable[..., Ran]:
        there = client(served, role, *matches, seat=seat)
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: there)
        return lambda *arguments: inside(URL, *arguments)

    return beginning
