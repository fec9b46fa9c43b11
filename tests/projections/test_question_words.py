"""The question to a seat that may pass says whether it responds to another player or acts by itself."""

import pytest

from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.words import say
from projections.questions import question
from tests.games import PLAYED
from tests.laws.samples import moments, sample, seeds_in_turn

ACTS, RESPONDS = "question.act", "question.respond"


@pytest.mark.parametrize("key", PLAYED)
def test_a_seat_that_may_pass_in_anothers_turn_is_asked_to_respond(key: str) -> None:
    seed = seeds_in_turn(key)[0]
    record = record_of(sample(key, seed).game, sample(key, seed).entries)
    eyes, asked = record.eyes(SPECTATOR), set[str]()
    for moment in moments(key, seed):
        table = moment.after
        for seat in table.clock.awaited:
            if table.stack or table.asked or table.clock.active is None or seat not in table.seats:
                continue
            words = ACTS if seat == table.clock.active else RESPONDS
            told = question(record, eyes, table, seat, ("pass", "other"), "en")
            if not told.verb:
                asked.add(words)
                assert told.words == say(words, "en", who=told.name)
            alone = question(record, eyes, table, seat, ("pass",), "ja")
            assert alone.verb or alone.words == say(RESPONDS, "ja", who=alone.name)
    assert ACTS in asked
