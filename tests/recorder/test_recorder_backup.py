"""Backups: a complete snapshot of the store in one file, even while other programs write."""

import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from recorder.backup import BackedUp, backup
from recorder.store import Store, StoreError
from tests.cli.runs import DISPUTED, fine, inside
from tests.places import Place
from tests.recorder.test_recorder_processes import APPENDER, run
from tests.recorder.test_recorder_store import OPENED, make_note


def fill(opened: Store) -> None:
    opened.append("m", 0, [OPENED, make_note("a")], "c1", b"s" * 16)
    opened.append("n", 0, [OPENED])


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with Store.open(place("a.db")) as opened:
        fill(opened)
        yield opened


@pytest.fixture
def file_store(sqlite_file: Path) -> Iterator[Store]:
    with Store.open(sqlite_file) as opened:
        fill(opened)
        yield opened


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def trouble(store: Store, to: Path, overwrite: bool = False) -> str:
    before = names(to.parent) if to.parent.is_dir() else set()
    with pytest.raises(StoreError) as caught:
        backup(store, to, overwrite)
    assert (names(to.parent) if to.parent.is_dir() else set()) == before, "nothing half-written is left"
    assert caught.value.text.say("ja") != str(caught.value)
    return str(caught.value)


def test_a_backup_holds_all_that_the_store_does(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    done = backup(store, folder / "b.db")
    assert done == BackedUp(str(folder / "b.db"), 2, 3, (folder / "b.db").stat().st_size)
    assert names(folder) == {"b.db"}
    assert stat.S_IMODE((folder / "b.db").stat().st_mode) == 0o600
    with Store.open(folder / "b.db") as copy:
        assert copy.matches() == store.matches()
        assert [copy.read_bytes(match) for match in "mn"] == [store.read_bytes(match) for match in "mn"]
        assert (copy.secret("m"), copy.command("m", "c1")) == (b"s" * 16, store.command("m", "c1"))
        assert copy.append("m", 2, [make_note("on")]) == 3


def test_a_backup_holds_what_a_plain_copy_of_the_file_misses(file_store: Store, tmp_path: Path) -> None:
    backup(file_store, tmp_path / "b.db")
    with Store.open(tmp_path / "b.db", read_only=True) as copy:
        assert copy.matches() == file_store.matches()
    shutil.copy(file_store.name, tmp_path / "plain.db")
    with closing(sqlite3.connect(tmp_path / "plain.db")) as plain, pytest.raises(sqlite3.OperationalError):
        plain.execute("SELECT * FROM stored_events")


def test_nothing_is_overwritten_unasked(store: Store, tmp_path: Path) -> None:
    (tmp_path / "b.db").write_text("dear diary")
    assert "already exists" in trouble(store, tmp_path / "b.db")
    assert (tmp_path / "b.db").read_text() == "dear diary"
    backup(store, tmp_path / "b.db", overwrite=True)
    with Store.open(tmp_path / "b.db", read_only=True) as copy:
        assert copy.version("m") == 2


def test_where_no_backup_can_go(store: Store, tmp_path: Path) -> None:
    assert "is a folder" in trouble(store, tmp_path)
    assert "cannot be written" in trouble(store, tmp_path / "no" / "folder.db")
    with Store.open(tmp_path / "used.db") as used:
        used.append("u", 0, [OPENED])
        assert "used.db-wal" in trouble(store, tmp_path / "used.db", overwrite=True)
        assert used.append("u", 1, [make_note("x")]) == 2
    (tmp_path / "left.db-wal").write_bytes(b"x")
    assert "left.db-wal" in trouble(store, tmp_path / "left.db")


def test_no_backup_goes_over_the_store_itself(file_store: Store, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(file_store.name)
    for itself in (Path(file_store.name), tmp_path / "link.db"):
        assert "the store being copied" in trouble(file_store, itself, overwrite=True)


def test_a_copy_that_is_not_the_store_is_not_kept(
    file_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    class Forgetful(sqlite3.Connection):
        def execute(self, *given: object) -> sqlite3.Cursor:
            if "integrity_check" in str(given[0]):
                super().execute("UPDATE stored_events SET state=x'00' WHERE originator_version=2")
            return super().execute(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **{**k, "factory": Forgetful}))
    assert "stored_events" in trouble(file_store, tmp_path / "b.db")


def test_a_damaged_file_is_not_passed_on_as_a_backup(sqlite_file: Path, tmp_path: Path) -> None:
    with Store.open(sqlite_file) as store:
        store.append("m", 0, [OPENED, *(make_note("x" * 500) for _ in range(200))])
    content = sqlite_file.read_bytes()
    sqlite_file.write_bytes(content[: len(content) // 2] + b"\xee" * (len(content) - len(content) // 2))
    with Store.open(sqlite_file, read_only=True) as store:
        assert "damaged" in trouble(store, tmp_path / "b.db")


@pytest.mark.process
def test_a_backup_is_taken_while_another_program_writes(place: Place, tmp_path: Path) -> None:
    where = place("a.db")
    writer = run(APPENDER, where, "m")
    try:
        assert writer.stdout
        for number in range(5):
            acknowledged = int(writer.stdout.readline())
            with Store.open(where, read_only=True) as store:
                done = backup(store, tmp_path / f"{number}.db")
            with Store.open(tmp_path / f"{number}.db", read_only=True) as copy:
                entries = copy.read("m")
            assert done.entries == len(entries) >= acknowledged
            assert len(entries) % 3 == 0, "an append is whole in it or not there"
    finally:
        writer.kill()
        writer.communicate()


def test_a_backup_put_in_the_place_of_an_open_store_is_noticed(file_store: Store, tmp_path: Path) -> None:
    file_store.append("m", 2, [make_note("x" * 1000) for _ in range(30)])
    backup(file_store, tmp_path / "b.db")
    with closing(sqlite3.connect(file_store.name)) as connection:
        connection.execute("PRAGMA wal_checkpoint")
    shutil.copyfile(tmp_path / "b.db", file_store.name)
    with pytest.raises(StoreError, match="was replaced by another file"):
        file_store.append("m", 32, [make_note("y")])


def test_the_command_makes_a_backup(place: Place, tmp_path: Path) -> None:
    where = place()
    fine(where, "import", DISPUTED)
    ran = fine(where, "backup", tmp_path / "b.sqlite")
    assert "matches 1, entries 54" in ran.out
    assert fine(tmp_path / "b.sqlite", "log", "table-17").out == fine(where, "log", "table-17").out
    again = inside(where, "backup", tmp_path / "b.sqlite")
    assert (again.code, "--overwrite" in again.message) == (2, True)
    assert fine(where, "backup", tmp_path / "b.sqlite", "--overwrite", "--json").data["entries"] == 54
    assert inside(tmp_path / "no.sqlite", "backup", tmp_path / "c.sqlite").code == 2
    assert not (tmp_path / "c.sqlite").exists()
    assert not [one for one in names(tmp_path) if one.startswith(".")]
