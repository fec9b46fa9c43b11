"""Matches with rulings: only those of one game, skipping unreadable ones."""

from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import opened_of
from domain.law.law import Law
from domain.words import Text
from recorder.dispute_matches import ruled_matches
from recorder.match_loader import LoadedMatch
from recorder.matches import open_match
from recorder.store import Store
from tests.places import Place, rows
from tests.toy import GAMES, TOY


def begin(path: str) -> Store:
    store = Store.open(path)
    for name in ("a", "b", "c"):
        open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, seed=bytes(16), match_id=name)
    for name in ("c", "a"):
        number = store.version(name)
        ruling = D.Ruled(by="kato", dispute=number + 1, verdict="unclear")
        assert store.append(name, number, [D.Disputed(by="p1", matter=D.Matter(entry=1)), ruling]) == number + 2
    return store


def ruled(store: Store) -> list[tuple[str, bool]]:
    return [(name, isinstance(match, LoadedMatch)) for name, match in ruled_matches(store, TOY.key, GAMES)]


def test_matches_with_a_ruling_come_in_the_order_of_the_store(place: Place) -> None:
    with begin(place()) as store:
        assert store.list_matches_with(D.Ruled) == ["a", "c"] and store.list_matches_with(D.Appealed) == []
        assert ruled(store) == [("a", True), ("c", True)]


def test_another_game_is_passed_by_and_a_law_that_is_missing_is_said(place: Place) -> None:
    with begin(place()) as store:
        entries = store.read("a")
        store.append("z", 0, [replace(opened_of(entries), game="other"), *entries[1:]])
        wrong = dict.fromkeys(opened_of(entries).rules, ())
        store.append("y", 0, [replace(opened_of(entries), rules=wrong), *entries[1:]])
        assert ruled(store) == [("a", True), ("c", True), ("y", False)]


def test_one_that_is_damaged_is_named_and_the_others_are_read(place: Place) -> None:
    path = place()
    begin(path).close()
    rows(path, "UPDATE stored_events SET state=? WHERE originator_id='a' AND originator_version=2", bytes(1))
    with Store.open(path) as store:
        found = dict(ruled_matches(store, TOY.key, GAMES))
    assert isinstance(found["a"], Text) and isinstance(found["c"], LoadedMatch)
