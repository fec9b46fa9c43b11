"""Copies of a store between both databases: complete, or nothing that looks like a store."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.law import Law
from domain.table.table import Seat
from recorder import copying
from recorder.answers import RecordResult
from recorder.backup import backup
from recorder.copying import copy_store
from recorder.evidence.sealing import seal
from recorder.matches import close, note, open_match
from recorder.name_erasure import forget_names, known_names
from recorder.sealing import read_sealing
from recorder.store import Store, StoreError
from tests.evidence.sealed import ORGANISER
from tests.postgres import Cluster

BP = GAMES["blackpoker"]
LAW = Law(BP, BP.versions["8.1-lite"])


@pytest.fixture
def new(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return a function that gives the address of a new store, by kind of database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    numbers = iter(range(9))

    def place(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"s{next(numbers)}.sqlite")
        cluster: Cluster = request.getfixturevalue("cluster")
        return cluster.new()

    return place


def fill(store: Store) -> None:
    for match in ("m2", "m1", "m3"):
        assert open_match(store, LAW, "8.1-lite", {}, match_id=match) == match
        for number in range(4):
            done = note(store, match, "kato", f"said {number}", command_id=f"c{number}")
            assert isinstance(done, RecordResult)
    assert isinstance(close(store, "m1", "judge", "no time left", abandon=True), RecordResult)


def all_of(store: Store) -> dict[str, Any]:
    return {
        "matches": [listed.match for listed in store.matches()],
        "states": {listed.match: store.read_bytes(listed.match) for listed in store.matches()},
        "commands": [store.command("m1", f"c{number}") for number in range(4)],
        "secrets": [store.secret(match) for match in ("m1", "m2", "m3")],
        "sealing": read_sealing(store),
    }


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
@pytest.mark.parametrize("source", ["sqlite", "postgres"])
def test_a_copy_holds_all_of_it_and_goes_on_alone(new: Callable[[str], str], source: str, to: str) -> None:
    there = new(to)
    with Store.open(new(source)) as first:
        fill(first)
        seal(first, ORGANISER)
        told = list[int]()
        done = copy_store(first, there, told.append)
        before = all_of(first)
        assert (done.matches, done.entries, sum(told), done.resumed, done.damaged) == (
            3, sum(map(len, before["states"].values())), done.entries, 0, (),
        )  # fmt: skip
        with Store.open(there) as copy:
            assert all_of(copy) == before
            assert copy.identity() not in ("", first.identity())
            assert isinstance(note(copy, "m2", "kato", "said 0", command_id="c0"), RecordResult), (
                "a repetition is known"
            )
            assert copy.version("m2") == first.version("m2")
            assert isinstance(close(copy, "m2", "judge", "on", abandon=True), RecordResult)
            assert len(read_sealing(copy).leaves) == len(before["sealing"].leaves) + 1
            assert open_match(copy, LAW, "8.1-lite", {}, match_id="m4") == "m4"
            assert [listed.match for listed in copy.matches()] == ["m2", "m1", "m3", "m4"]
        with pytest.raises(StoreError, match="with matches in it"):
            copy_store(first, there)


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
def test_a_copy_that_was_stopped_goes_on_where_it_was(
    new: Callable[[str], str], to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 5)
    there, other = new(to), new("sqlite")
    with Store.open(new("sqlite")) as first, Store.open(other) as stranger:
        fill(first)
        fill(stranger)

        def stop(done: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            copy_store(first, there, stop)
        for read_only in (True, False):
            with pytest.raises(StoreError, match="unfinished copy") as caught:
                Store.open(there, read_only)
            assert caught.value.trouble == "corrupt"
        with pytest.raises(StoreError, match="another store"):
            copy_store(stranger, there)
        note(first, "m3", "kato", "meanwhile")
        told = list[int]()
        done = copy_store(first, there, told.append)
        assert done.resumed == 5 and sum(told) == done.entries - 5
        with Store.open(there) as copy:
            assert all_of(copy) == all_of(first)


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
def test_what_was_altered_on_the_way_is_no_store(
    new: Callable[[str], str], to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, page = new(to), copying._page

    def altered(moment: Any, place: str, at: int) -> list[Any]:
        rows = page(moment, place, at)
        return [(*row[:4], row[4][:-1] + b"!") if row[1:3] == ("m1", 2) else row for row in map(tuple, rows)]

    with Store.open(new("sqlite")) as first:
        fill(first)
        monkeypatch.setattr(copying, "_page", altered)
        with pytest.raises(StoreError, match="stored_events"):
            copy_store(first, there)
    with pytest.raises(StoreError, match="unfinished copy"):
        Store.open(there)


@pytest.mark.parametrize("source", ["sqlite", "postgres"])
def test_a_chain_that_was_broken_before_is_copied_as_it_is_and_named(new: Callable[[str], str], source: str) -> None:
    there = new("sqlite")
    with Store.open(new(source)) as first:
        fill(first)
        at = first.version("m3") - 1
        state = first.read_bytes("m3")[at - 1]
        with first.transaction() as c:
            altered = "UPDATE stored_events SET state=? WHERE originator_id='m3' AND originator_version=?"
            c.execute(altered, (state.replace(b"said", b"SAID"), at))
        assert copy_store(first, there).damaged == ("m3",)


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
def test_names_go_over_and_forgotten_ones_do_not(new: Callable[[str], str], to: str) -> None:
    there = new(to)
    with Store.open(new("sqlite")) as first:
        open_match(first, LAW, "8.1-lite", {Seat("p1"): "Aiko", Seat("p2"): "Bo"}, match_id="named")
        forget_names(first, [*known_names(first, "Aiko")])
        assert copy_store(first, there).damaged == ()
    with Store.open(there, read_only=True) as copy:
        assert opened_of(copy.read("named")).names == {Seat("p2"): "Bo"}


@pytest.mark.postgres
def test_a_backup_of_a_database_is_a_file(new: Callable[[str], str], tmp_path: Path) -> None:
    with Store.open(new("postgres")) as first:
        fill(first)
        done = backup(first, tmp_path / "copy.sqlite")
        assert (done.matches, done.entries) == (3, sum(listed.entries for listed in first.matches()))
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
        with pytest.raises(StoreError, match="a store already"):
            backup(first, tmp_path / "copy.sqlite")
        with Store.open(tmp_path / "copy.sqlite") as copy:
            assert all_of(copy) == all_of(first)
        restored = new("postgres")
        with Store.open(tmp_path / "copy.sqlite", read_only=True) as copy:
            copy_store(copy, restored)
        with Store.open(restored) as again:
            assert all_of(again) == all_of(first)
