"""A loaded match at any entry: the same table as by folding, cached or not."""

from random import Random

import pytest

from domain.games import GAMES
from domain.law.entries import Entry, Restored, Rewound, fold_entries
from domain.law.law import Law
from recorder.lru_cache import LruCache
from recorder.match_loader import STRIDE, LoadedMatch, TableCache, truncate
from recorder.simulate import simulate

LENGTH = 120


def entries_of(game: str) -> list[Entry]:
    played = simulate(Law(GAMES[game], tuple(GAMES[game].versions.values())[-1]), 3, LENGTH, closing=False)
    at = len(played) // 2
    back = Rewound(to=at, by="floor", reason="")
    return [*played, back, *played[at : at + 9], Restored(to=at + 5, by="floor", reason=""), *played[at + 5 :], back]


@pytest.mark.parametrize("most", [3, 1_000])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_at_any_entry_is_the_one_that_its_facts_lead_to(game: str, most: int) -> None:
    entries = tuple(entries_of(game))
    law = Law(GAMES[game], tuple(GAMES[game].versions.values())[-1])
    match = LoadedMatch(law=law, entries=entries, id="m", table=fold_entries(entries), folded=TableCache(most))
    numbers = list(range(match.version + 1))
    Random(0).shuffle(numbers)
    assert match.version > STRIDE
    for number in numbers:
        assert match.after(number) == fold_entries(entries, number), number
        assert match.folded.weight <= most
    for number in numbers[:10]:
        assert truncate(match, max(1, number)).table == fold_entries(entries, max(1, number))


def test_what_is_kept_may_be_put_in_the_place_of_what_was() -> None:
    kept: LruCache[str, str] = LruCache(6, len)
    assert kept.put("a", "123") == "123"
    assert kept.put("a", "1", lambda before: len(before) < 1) == "123"
    assert kept.put("a", "12345", lambda before: len(before) < 5) == "12345"
    assert kept.make("a", lambda: "never") == "12345" and kept.weight == 5
    assert kept.make("b", lambda: "12") == "12"
    assert (kept.get("a"), kept.get("b"), kept.weight) == (None, "12", 2)
