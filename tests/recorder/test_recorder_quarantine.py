"""Quarantine: a damaged match is moved out of a store row by row, and the rest is unaffected."""

import json
import os
import signal
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import recorder.files
import recorder.quarantine
from domain.law.entries import Noted, Opened
from recorder.answers import Unfit
from recorder.copying import copy_store
from recorder.evidence.checking import check_matches
from recorder.evidence.notes import Signer
from recorder.evidence.sealing import seal
from recorder.finding.index_follower import SUFFIX
from recorder.imports import import_records
from recorder.match_list import DamagedMatch
from recorder.match_loader import damage_of, load_sound
from recorder.matches import note
from recorder.quarantine import TABLES, Quarantined, quarantine, read_tombstones
from recorder.sealing import read_sealing
from recorder.store import Store, StoreError
from recorder.store_location import on_server
from tests.damaged import BOTH, WAYS, damage
from tests.places import Place, rows
from tests.shelves import SHELVES

BAD, OTHER, LAST = "m-1", "m-2", 20
NOW = 1_767_323_045_000


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with Store.open(place("a.sqlite")) as opened:
        yield opened


def fill(store: Store, *matches: str) -> None:
    for match in matches:
        first, *entries = SHELVES["blackpoker"].entries("disputed")[:LAST]
        assert isinstance(first, Opened)
        store.append(match, 0, [replace(first, match=match), *entries], f"open {match}", bytes(16), b"asked")


def all_rows(store: Store, match: str) -> dict[str, list[tuple[Any, ...]]]:
    return {
        table: rows(store.name, f"SELECT {', '.join(columns)} FROM {table}"
                    f" WHERE {'originator_id' if table == 'stored_events' else 'match'}=? ORDER BY 1, 2", match)
        for table, columns in TABLES.items()
    }  # fmt: skip


def read_file(path: Path) -> tuple[dict[str, Any], list[tuple[str, tuple[Any, ...]]]]:
    about, *lines = map(json.loads, path.read_text(encoding="ascii").splitlines())
    plain = lambda value: b64decode(value["base64"]) if isinstance(value, dict) else value  # noqa: E731
    return about, [(line["table"], tuple(map(plain, line["row"].values()))) for line in lines]


def ways(store: Store) -> tuple[str, ...]:
    return BOTH if on_server(store.name) else tuple(WAYS)


def signer() -> Signer:
    return Signer.make("cup", bytes(32))


def test_a_damaged_match_is_named_and_its_beginning_can_be_read(store: Store) -> None:
    for at, way in enumerate(ways(store)):
        match = f"m-{at}"
        fill(store, match)
        entry = damage(store.name, match, way)
        damaged = damage_of(store, match)
        assert isinstance(damaged, DamagedMatch) and damaged.entry == entry and not damaged.newer, way
        if entry > 1:
            loaded, from_entry = load_sound(store, match)
            assert getattr(loaded, "version", 0) == entry - 1 and from_entry == entry
    fill(store, OTHER + "x")
    names = [listed.match for listed in store.matches()]
    assert names == [*(f"m-{at}" for at in range(len(ways(store)))), OTHER + "x"]
    assert names == [listed.match for listed in store.newest(99)]
    bad = {listed.match for listed in store.matches() if isinstance(listed, DamagedMatch)}
    assert bad >= {f"m-{at}" for at, way in enumerate(ways(store)) if WAYS[way].entry == 1}


def test_every_row_is_moved_and_nothing_else_changes(store: Store, tmp_path: Path) -> None:
    fill(store, OTHER)
    for at, way in enumerate(ways(store)):
        match, file = f"bad-{at}", tmp_path / f"{at}.quarantine"
        fill(store, match)
        entry = damage(store.name, match, way)
        before, others = all_rows(store, match), all_rows(store, OTHER)
        done = quarantine(store, match, file, NOW)
        assert isinstance(done, Quarantined) and done.entry == entry
        about, held = read_file(file)
        assert file.stat().st_mode & 0o077 == 0, "it holds names and the seed"
        assert (about["match"], about["entry"], about["rows"]) == (match, entry, len(held))
        assert held == [(table, row) for table in TABLES for row in before[table]]
        assert not any(all_rows(store, match).values()) and all_rows(store, OTHER) == others
        assert damage_of(store, match) is None and [one.match for one in store.matches()] == [OTHER]
        assert read_tombstones(store)[match].entry == entry
    assert damage_of(store, OTHER) is None


def test_a_whole_match_and_a_newer_one_are_refused(store: Store, tmp_path: Path) -> None:
    fill(store, BAD)
    held = all_rows(store, BAD)
    assert isinstance(done := quarantine(store, BAD, tmp_path / "f", NOW), Unfit) and BAD in done.what.say("en")
    assert all_rows(store, BAD) == held
    later = b"\x82\xa5entry\xa8played/9\xa2at\x01"
    rows(store.name, "UPDATE stored_events SET state=? WHERE originator_version=12", later)
    assert isinstance(done := quarantine(store, BAD, tmp_path / "f", NOW), Unfit) and "newer" in done.what.say("en")
    assert not (tmp_path / "f").exists() and read_tombstones(store) == {}
    assert isinstance(quarantine(store, "nobody", tmp_path / "f", NOW), Unfit)


def test_a_stop_between_the_file_and_the_store_leaves_either_state(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, BAD, OTHER)
    damage(store.name, BAD, "a missing entry")
    held, file = all_rows(store, BAD), tmp_path / "f"
    with monkeypatch.context() as patched:

        def stop(store: Store) -> None:
            raise KeyboardInterrupt

        patched.setattr("recorder.quarantine.remove_index", stop)
        with pytest.raises(KeyboardInterrupt):
            quarantine(store, BAD, file, NOW)
    assert file.exists() and all_rows(store, BAD) == held and read_tombstones(store) == {}
    assert isinstance(quarantine(store, BAD, file, NOW + 1), Quarantined), "the same file is taken for this one"
    assert not any(all_rows(store, BAD).values())
    fill(store, "m-3")
    damage(store.name, "m-3", "a missing entry")
    with pytest.raises(StoreError, match="already exists"):
        quarantine(store, "m-3", file, NOW)
    assert any(all_rows(store, "m-3").values())


@pytest.mark.parametrize("step", ["create_private", "sync", "_write_once", "_ids", "remove_index", "forget_matches"])
def test_a_kill_loses_no_row_and_a_repeat_finishes(sqlite_file: Path, tmp_path: Path, step: str) -> None:
    with Store.open(sqlite_file) as store:
        fill(store, BAD, OTHER)
        damage(store.name, BAD, "a missing entry")
        held, others, file = all_rows(store, BAD), all_rows(store, OTHER), tmp_path / "f"
    if (child := os.fork()) == 0:
        die_after(step)
        with Store.open(sqlite_file) as store:
            quarantine(store, BAD, file, NOW)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    lines = [(table, row) for table in TABLES for row in held[table]]
    with Store.open(sqlite_file) as store:
        assert all_rows(store, BAD) == held or read_file(file)[1] == lines, "in the store or in the file"
        done = quarantine(store, BAD, file, NOW + 1)
        assert isinstance(done, Quarantined) and done.rows == len(lines) and done.file.endswith("f")
        assert read_file(file)[1] == lines and not any(all_rows(store, BAD).values())
        assert all_rows(store, OTHER) == others and [one.match for one in store.matches()] == [OTHER]


def die_after(step: str) -> None:
    module = recorder.files if hasattr(recorder.files, step) else recorder.quarantine
    do = getattr(module, step)

    def once(*given: Any) -> Any:
        do(*given)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(module, step, once)


def test_the_log_still_holds_and_says_why_a_sealed_match_is_gone(store: Store, tmp_path: Path) -> None:
    fill(store, BAD, OTHER)
    key = signer()
    seal(store, key)
    sealed, whole = read_sealing(store), store.read_record(BAD)
    damage(store.name, BAD, "a flipped byte in a later entry")
    assert isinstance(quarantine(store, BAD, tmp_path / "f.jsonl", NOW), Quarantined)
    assert read_sealing(store) == sealed
    wrong = [looked.wrong for looked in check_matches(store, sealed, lambda match: {}) if looked.wrong is not None]
    assert [one.match for one in wrong] == [BAD] and "f.jsonl" in wrong[0].text.say("en")
    copy_store(store, tmp_path / "copy.sqlite")
    with Store.open(tmp_path / "copy.sqlite") as copy:
        assert read_tombstones(copy) == read_tombstones(store)
    again = seal(store, key)
    assert again.left_out == () and again.new == 0
    import_records(store, [whole], BAD)
    assert not [looked.wrong for looked in check_matches(store, sealed, lambda match: {}) if looked.wrong is not None]


def test_followers_and_writers_of_other_programs_lose_nothing(store: Store, tmp_path: Path) -> None:
    fill(store, OTHER, BAD)
    with Store.open(store.name) as follower, Store.open(store.name) as writer:
        assert note(writer, BAD, "x", "y").version == LAST + 1  # type: ignore[union-attr]
        newest, _ = follower.list_changes()
        damage(store.name, BAD, "a flipped byte in a later entry")
        assert isinstance(quarantine(store, BAD, tmp_path / "f", NOW), Quarantined)
        with pytest.raises(StoreError):
            writer.append(BAD, LAST + 1, [Noted(by="x", text="y"), Noted(by="x", text="z")])
        assert not any(all_rows(store, BAD).values()), "no entries without those before them"
        note(store, OTHER, "x", "y")
        assert follower.list_changes(newest)[1] == {OTHER: LAST + 1}
    assert not Path(store.local_prefix + SUFFIX).exists()
