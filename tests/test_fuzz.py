"""A few fuzz inputs, to keep the fuzz working; `make fuzz` runs many."""

from random import Random

import pytest

from tests import fuzz
from tests.rotation import rotate
from tests.rows import for_each

pytestmark = pytest.mark.random


@for_each("first", rotate(range(0, 160, 40), 2))
def test_whatever_is_asked_ends_in_words(first: int) -> None:
    assert [failure for number in range(first, first + 40) if (failure := fuzz.run_input(number)) is not None] == []


def test_an_input_is_the_same_again() -> None:
    data = fuzz._sources("fixtures/*/matches/disputed.spn")[0]
    assert fuzz.bytes_made_wrong(data, Random(3)) == fuzz.bytes_made_wrong(data, Random(3)) != data
    assert fuzz.lines_made_wrong(data, Random(3)) == fuzz.lines_made_wrong(data, Random(3))


def test_what_ends_otherwise_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("made wrong on purpose")

    monkeypatch.setattr(fuzz, "inside", fail)
    failure = fuzz.run_input(0)
    assert failure is not None and "made wrong on purpose" in failure.what
