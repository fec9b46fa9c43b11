"""What tests of the service begin with."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from service.access import Role
from service.search import queries
from tests.cli.runs import Ran, inside
from tests.places import borrowed
from tests.service.browsing import browser
from tests.service.journeys import Stage, stage_of
from tests.service.processes import PATIENCE
from tests.service.serving import Served, serve
from tests.service.test_client import URL, Begin, client


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start one browser for all tests of a worker; each page gets a context of its own."""
    with browser() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _stores(database: str) -> Iterator[None]:
    """Services have their stores where `place` says; those that a test begins are free for the next one."""
    with borrowed():
        yield


@pytest.fixture(autouse=True, scope="session")
def _patience() -> Iterator[None]:
    """Who asks for what was found waits until nobody looks at a match: what is answered hangs on no other thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "PATIENCE", PATIENCE)
        yield


@pytest.fixture
def served() -> Iterator[Served]:
    """Start a service over an empty store in memory."""
    with serve() as ready:
        yield ready


@pytest.fixture
def stage(chromium: Browser) -> Iterator[Stage]:
    """Start a service over an empty store that browsers ask."""
    with stage_of(chromium) as ready:
        yield ready


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """What runs commands against a service without a socket, in a role."""

    def beginning(served: Served, role: Role = "head", *matches: str, seat: str = "") -> Callable[..., Ran]:
        there = client(served, role, *matches, seat=seat)
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: there)
        return lambda *arguments: inside(URL, *arguments)

    return beginning
