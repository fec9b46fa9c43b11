"""A table without hidden faces is cached for one viewer and moment only."""

import pytest
from msgspec.structs import replace

from domain.law.entries import tables
from domain.law.record import record_of
from domain.table.redact import SPECTATOR, TableViewer
from tests.games import PLAYED
from tests.laws.samples import sample, seeds_in_turn

EVERY = 7


@pytest.mark.parametrize("key", PLAYED)
def test_a_cached_table_is_that_of_the_viewer_and_of_the_moment(key: str) -> None:
    played = sample(key, seeds_in_turn(key)[0])
    record = record_of(played.game, played.entries)
    eyes = record.eyes(SPECTATOR)
    for at in range(1, len(record.entries), EVERY):
        for table in (record.after(at), record.after(at).with_changes(marks={"x": at})):
            for viewer in (SPECTATOR, *record.opening.seats):
                copied = replace(eyes, viewer=viewer)  # shares the cache
                fresh = TableViewer(eyes.physics, viewer)
                assert copied.without_hidden_faces(table) == fresh.without_hidden_faces(table)


@pytest.mark.parametrize("key", PLAYED)
def test_a_viewer_that_follows_the_match_sees_what_a_new_one_sees(key: str) -> None:
    played = sample(key, seeds_in_turn(key)[0])
    record = record_of(played.game, played.entries)
    moments = [after for _, _, _, after in tables(record.entries)]  # they share what did not change
    for viewer in (SPECTATOR, *record.opening.seats):
        following = TableViewer(record.eyes().physics, viewer)
        for table in (*moments, *moments[::-EVERY]):
            fresh = TableViewer(following.physics, viewer)
            assert following.without_hidden_faces(table) == fresh.without_hidden_faces(table)
