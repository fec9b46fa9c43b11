"""What tests of the service begin with."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.service.browsing import browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a module."""
    with browser() as opened:
        yield opened
