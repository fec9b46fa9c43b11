from collections.abc import Iterator

import pytest

from recorder.store import Store
from tests.places import Place


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with Store.open(place()) as opened:
        yield opened
