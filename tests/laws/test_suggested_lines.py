"""The lines suggested after a command are the first ones of all allowed actions."""

from itertools import chain, zip_longest

import pytest

from domain.judging.allowed import allowed, suggest_lines
from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from tests.games import PLAYED
from tests.laws.samples import sample, seeds_in_turn

EVERY, MANY = 11, 400


@pytest.mark.parametrize("key", PLAYED)
def test_suggested_lines_are_the_first_ones_of_all(key: str) -> None:
    played = sample(key, seeds_in_turn(key)[0])
    record = record_of(played.game, played.entries)
    found = set[str]()
    for viewer in (SPECTATOR, *record.opening.seats, JUDGE):
        eyes = record.eyes(viewer)
        for at in range(1, len(record.entries), EVERY):
            by_verb = (each.actions for each in allowed(record, eyes, at, MANY))
            first = [line for line in chain.from_iterable(zip_longest(*by_verb)) if line is not None]
            for most in (1, 3, MANY):
                assert suggest_lines(record, eyes, at, most) == tuple(first[:most])
            found |= {*first}
    assert found
