"""A store whose file is replaced while a program runs: nothing unreadable is acknowledged."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.law.entries import Noted
from domain.law.law import Law
from domain.table.table import Seat
from recorder import watch
from recorder.match_loader import load_match
from recorder.matches import advance, open_match, play
from recorder.store import Store, StoreError
from tests.recorder.test_recorder_store import OPENED, make_note
from tests.toy import GAMES, TOY, Draw


@pytest.fixture
def where(sqlite_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(watch, "RECENT", 0.0)
    return sqlite_file


@pytest.fixture
def store(where: Path) -> Iterator[Store]:
    with Store.open(where) as opened:
        opened.append("m", 0, [OPENED, *(make_note("x" * 300) for _ in range(50))])
        assert opened.version("m") == 51
        yield opened


def companion(where: Path, ending: str) -> Path:
    return where.with_name(where.name + ending)


def another(where: Path, size: int = 1) -> Path:
    with Store.open(where.with_name("other.db")) as other:
        other.append("other", 0, [OPENED, *(make_note("y" * 300) for _ in range(size))])
    return where.with_name("other.db")


def checkpoint(where: Path) -> None:
    with closing(sqlite3.connect(where)) as connection:
        connection.execute("PRAGMA wal_checkpoint")


def move_all(where: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        companion(where, ending).rename(companion(where.with_name("moved.db"), ending))


def replace_log(where: Path) -> None:
    shutil.copy(companion(where, "-wal"), where.with_name("copy"))
    where.with_name("copy").replace(companion(where, "-wal"))


MOVED, SHORTER = "was moved or deleted", "became shorter"
OTHER, LOG = "was replaced by another file", "-wal was deleted or replaced"
TAKEN_AWAY: dict[str, tuple[Callable[[Path], object], str]] = {
    "deleted": (Path.unlink, MOVED),
    "moved": (lambda where: where.rename(where.with_name("moved.db")), MOVED),
    "moved whole": (move_all, MOVED),
    "cut": (lambda where: os.truncate(where, 4096), SHORTER),
    "emptied": (lambda where: os.truncate(where, 0), SHORTER),
    "replaced": (lambda where: another(where).replace(where), OTHER),
    "written over": (lambda where: shutil.copyfile(another(where, 900), where), OTHER),
    "written over with nonsense": (lambda where: where.write_bytes(b"no database " * 100_000), OTHER),
    "log removed": (lambda where: companion(where, "-wal").unlink(), LOG),
    "log replaced": (replace_log, LOG),
}


def trouble(use: Callable[[], object]) -> StoreError:
    with pytest.raises(StoreError) as caught:
        use()
    return caught.value


@pytest.mark.parametrize("name", TAKEN_AWAY)
def test_nothing_is_acknowledged_into_a_store_that_was_taken_away(store: Store, where: Path, name: str) -> None:
    harm, words = TAKEN_AWAY[name]
    assert store.append("m", 51, [make_note("before")]) == 52
    checkpoint(where)
    assert store.version("m") == 52
    harm(where)
    for use in (
        lambda: store.append("m", 52, [make_note("lost")], "c1"),
        lambda: store.append("n", 0, [OPENED]),
        lambda: store.read("m"),
        lambda: store.version("m"),
        store.matches,
    ):
        error = trouble(use)
        assert (error.trouble, words in str(error)) == ("replaced", True), error
        assert str(where) in str(error) and error.text.say("ja") != error.text.say("en")


@pytest.mark.parametrize("name", ["deleted", "replaced", "log removed"])
def test_a_write_during_which_the_store_is_taken_away_is_not_acknowledged(
    store: Store, where: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = store._log.entries._insert  # type: ignore[attr-defined]

    def harmed(*given: object) -> object:
        done = insert(*given)
        TAKEN_AWAY[name][0](where)
        return done

    monkeypatch.setattr(store._log.entries, "_insert", harmed)
    assert trouble(lambda: store.append("m", 51, [make_note("lost")])).trouble == "replaced"


def test_a_file_that_was_cut_before_anybody_knew_its_size_is_damaged(store: Store, where: Path) -> None:
    checkpoint(where)
    TAKEN_AWAY["cut"][0](where)
    assert trouble(lambda: store.append("m", 51, [make_note("lost")])).trouble == "corrupt"


def test_a_store_that_is_put_back_goes_on(store: Store, where: Path) -> None:
    TAKEN_AWAY["moved"][0](where)
    assert trouble(lambda: store.append("m", 51, [make_note("lost")])).trouble == "replaced"
    where.with_name("moved.db").rename(where)
    assert store.append("m", 51, [make_note("on")]) == 52
    assert store.read("m")[-1] == make_note("on")


def test_what_opens_a_second_connection_does_not_mix_two_stores(where: Path) -> None:
    with Store.open(where) as store:
        store.append("m", 0, [OPENED, make_note("a")])
        another(where).replace(where)
        assert trouble(lambda: store.read("other")).trouble == "replaced"


def test_a_remembered_match_is_not_taken_for_the_one_on_disk(where: Path) -> None:
    with Store.open(where) as store:
        open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, match_id="m")
        advance(store, "m", games=GAMES)
        load_match(store, "m", GAMES)
        where.unlink()
        assert trouble(lambda: load_match(store, "m", GAMES)).trouble == "replaced"
        assert trouble(lambda: play(store, "m", Seat("p1"), Draw(), games=GAMES)).trouble == "replaced"


def test_other_programs_and_checkpoints_are_no_trouble(store: Store, where: Path) -> None:
    for version in range(51, 60):
        with Store.open(where) as other:
            assert other.append("m", version, [make_note("other")]) == version + 1
            checkpoint(where)
            assert store.version("m") == version + 1
    assert store.append("m", 60, [Noted(by="x", text="y" * 5_000_000)]) == 61
    for version in range(61, 70):
        checkpoint(where)
        assert store.append("m", version, [make_note("own")]) == version + 1


GUEST = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT 1 FROM meta").fetchall()
connection.close()
"""


@pytest.mark.process
def test_another_store_of_the_same_program_keeps_its_locks(store: Store, where: Path) -> None:
    """Closing a file releases all locks of the process on it, so SQLite would consider the store unused."""
    Store.open(where, read_only=True).close()
    assert store.append("m", 51, [make_note("on")]) == 52
    subprocess.run([sys.executable, "-c", GUEST, str(where)], check=True)
    assert companion(where, "-wal").exists(), "the last one out would take the log away"
    assert store.append("m", 52, [make_note("on")]) == 53


def test_a_new_store_is_its_owners_only(where: Path) -> None:
    before = os.umask(0o022)
    try:
        with Store.open(where) as store:
            store.append("m", 0, [OPENED])
            for ending in ("", "-wal", "-shm"):
                assert stat.S_IMODE(companion(where, ending).stat().st_mode) == 0o600, ending
    finally:
        os.umask(before)
    where.chmod(0o640)
    with Store.open(where) as store:
        store.append("m", 1, [make_note("x")])
    assert stat.S_IMODE(where.stat().st_mode) == 0o640, "what somebody has allowed stays"
