"""The history of a thing, and the newest fact of each kind."""

import pytest

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.thing_history import NotFound, ThingHistory, find_latest_facts, history
from projections.viewing import NotInMatch
from tests.rotation import rotate
from tests.rows import for_each
from tests.shelves import SHELVES, seen_by

pytestmark = pytest.mark.rotates(2)

SHELF = SHELVES["blackpoker"]
ENTRIES = SHELF.entries("disputed")
THINGS = range(1, SHELF.table("disputed").minted + 1)


@pytest.mark.random
@for_each("viewer", rotate([SPECTATOR, Seat("p1"), JUDGE], 1))
def test_the_newest_of_each_kind_stand_in_the_whole_history(viewer: Seat) -> None:
    longer = 0
    for thing in THINGS:
        every, newest = (
            look(*seen_by(SHELF.game, ENTRIES, viewer), f"u{thing}") for look in (history, find_latest_facts)
        )
        if isinstance(every, NotFound):
            assert newest == every
            continue
        assert isinstance(newest, ThingHistory)
        assert [fact for fact in every.last if fact in newest.last] == list(newest.last)
        kinds = [(fact.what, fact.mark) for fact in newest.last]
        assert len(set(kinds)) == len(kinds) and set(kinds) == {(fact.what, fact.mark) for fact in every.last}
        entries = [fact.entry for fact in every.last]
        assert entries == sorted(entries, reverse=True)
        longer += len(every.last) > len(newest.last)
    assert longer


def test_a_history_ends_at_the_entry_that_is_asked_for() -> None:
    record, eyes = seen_by(SHELF.game, ENTRIES, SPECTATOR)
    told = history(record, eyes, "u64", 20)
    assert isinstance(told, ThingHistory) and told.at == 20 and all(fact.entry <= 20 for fact in told.last)
    with pytest.raises(NotInMatch):
        history(record, eyes, "u64", len(ENTRIES) + 1)


@for_each("viewer", [SPECTATOR, Seat("p1"), JUDGE])
def test_no_thing_has_the_number_of_those_that_cannot_be_pointed_at(viewer: Seat) -> None:
    for text in ("u0", "u00"):
        assert find_latest_facts(*seen_by(SHELF.game, ENTRIES, viewer), text) == NotFound("when.unknown")
