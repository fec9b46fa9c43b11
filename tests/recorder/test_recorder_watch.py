"""A store that is taken away from under a running program: nothing is acknowledged that nobody could read again."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest

from domain.law.entries import Noted
from domain.law.law import Law
from domain.table.table import Seat
from recorder import watch
from recorder.loading import load_match
from recorder.matches import advance, open_match, play
from recorder.store import Store, StoreError
from recorder.watch import RECENT
from tests.recorder.test_recorder_store import OPENED, said
from tests.toy import GAMES, TOY, Draw


@pytest.fixture
def where(sqlite_file: Path) -> Path:
    """All of this is about a file that somebody else touches."""
    return sqlite_file


@pytest.fixture
def store(where: Path) -> Iterator[Store]:
    with Store.open(where) as opened:
        opened.append("m", 0, [OPENED, *(said("x" * 300) for _ in range(50))])
        assert opened.version("m") == 51
        yield opened


def beside(where: Path, ending: str) -> Path:
    return where.with_name(where.name + ending)


def another(where: Path, size: int = 1) -> Path:
    """Another store, whole and closed."""
    with Store.open(where.with_name("other.db")) as other:
        other.append("other", 0, [OPENED, *(said("y" * 300) for _ in range(size))])
    return where.with_name("other.db")


def checkpoint(where: Path) -> None:
    """What stands in the log comes into the file, as it does by itself when the log has grown."""
    with closing(sqlite3.connect(where)) as connection:
        connection.execute("PRAGMA wal_checkpoint")


def deleted(where: Path) -> None:
    where.unlink()


def moved(where: Path) -> None:
    where.rename(where.with_name("moved.db"))


def moved_whole(where: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        beside(where, ending).rename(beside(where.with_name("moved.db"), ending))


def cut(where: Path) -> None:
    os.truncate(where, 4096)


def emptied(where: Path) -> None:
    os.truncate(where, 0)


def replaced(where: Path) -> None:
    another(where).replace(where)


def written_over(where: Path) -> None:
    shutil.copyfile(another(where, 900), where)


def written_over_with_nonsense(where: Path) -> None:
    where.write_bytes(b"no database " * 100_000)


def log_removed(where: Path) -> None:
    beside(where, "-wal").unlink()


def log_replaced(where: Path) -> None:
    shutil.copy(beside(where, "-wal"), where.with_name("copy"))
    where.with_name("copy").replace(beside(where, "-wal"))


TAKEN_AWAY = {
    deleted: "was moved or removed", moved: "was moved or removed", moved_whole: "was moved or removed",
    cut: "become shorter", emptied: "become shorter", replaced: "another file took the place",
    written_over: "another file took the place", written_over_with_nonsense: "another file took the place",
    log_removed: "-wal was removed or replaced", log_replaced: "-wal was removed or replaced",
}  # fmt: skip


def trouble(use: Callable[[], object]) -> StoreError:
    with pytest.raises(StoreError) as caught:
        use()
    return caught.value


@pytest.mark.parametrize("harm", TAKEN_AWAY, ids=lambda harm: harm.__name__)
def test_nothing_is_acknowledged_into_a_store_that_was_taken_away(
    store: Store, where: Path, harm: Callable[[Path], None]
) -> None:
    assert store.append("m", 51, [said("before")]) == 52
    checkpoint(where)
    assert store.version("m") == 52
    sleep(2 * RECENT)
    harm(where)
    for use in (
        lambda: store.append("m", 52, [said("lost")], "c1"),
        lambda: store.append("n", 0, [OPENED]),
        lambda: store.read("m"),
        lambda: store.version("m"),
        store.matches,
    ):
        error = trouble(use)
        assert (error.trouble, TAKEN_AWAY[harm] in str(error)) == ("replaced", True), error
        assert str(where) in str(error) and error.text.say("ja") != error.text.say("en")


@pytest.mark.parametrize("harm", [deleted, replaced, log_removed], ids=lambda harm: harm.__name__)
def test_a_write_during_which_the_store_is_taken_away_is_not_acknowledged(
    store: Store, where: Path, harm: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = store._log.entries._insert  # type: ignore[attr-defined]

    def harmed(*given: object) -> object:
        done = insert(*given)
        harm(where)
        return done

    monkeypatch.setattr(store._log.entries, "_insert", harmed)
    monkeypatch.setattr(watch, "RECENT", 0.0)
    assert trouble(lambda: store.append("m", 51, [said("lost")])).trouble == "replaced"


def test_a_file_that_was_cut_before_anybody_knew_its_size_is_damaged(store: Store, where: Path) -> None:
    checkpoint(where)
    sleep(2 * RECENT)
    cut(where)
    assert trouble(lambda: store.append("m", 51, [said("lost")])).trouble == "corrupt"


def test_a_store_that_is_put_back_goes_on(store: Store, where: Path) -> None:
    sleep(2 * RECENT)
    moved(where)
    assert trouble(lambda: store.append("m", 51, [said("lost")])).trouble == "replaced"
    where.with_name("moved.db").rename(where)
    assert store.append("m", 51, [said("on")]) == 52
    assert store.read("m")[-1] == said("on")


def test_what_opens_a_second_connection_does_not_mix_two_stores(where: Path) -> None:
    with Store.open(where) as store:
        store.append("m", 0, [OPENED, said("a")])
        another(where).replace(where)
        assert trouble(lambda: store.read("other")).trouble == "replaced"


def test_a_remembered_match_is_not_taken_for_the_one_on_disk(where: Path) -> None:
    with Store.open(where) as store:
        open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, match_id="m")
        advance(store, "m", games=GAMES)
        load_match(store, "m", GAMES)
        deleted(where)
        assert trouble(lambda: load_match(store, "m", GAMES)).trouble == "replaced"
        assert trouble(lambda: play(store, "m", Seat("p1"), Draw(), games=GAMES)).trouble == "replaced"


def test_other_programs_and_checkpoints_are_no_trouble(store: Store, where: Path) -> None:
    for version in range(51, 60):
        with Store.open(where) as other:
            assert other.append("m", version, [said("other")]) == version + 1
            checkpoint(where)
            assert store.version("m") == version + 1
    assert store.append("m", 60, [Noted(by="x", text="y" * 5_000_000)]) == 61
    for version in range(61, 70):
        checkpoint(where)
        assert store.append("m", version, [said("own")]) == version + 1


GUEST = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT 1 FROM meta").fetchall()
connection.close()
"""


def test_another_store_of_the_same_program_keeps_its_locks(store: Store, where: Path) -> None:
    """Closing a file lets go of all locks a program has on it: SQLite would think that nobody is there any more."""
    Store.open(where, read_only=True).close()
    assert store.append("m", 51, [said("on")]) == 52
    subprocess.run([sys.executable, "-c", GUEST, str(where)], check=True)
    assert beside(where, "-wal").exists(), "the last one out would take the log away"
    assert store.append("m", 52, [said("on")]) == 53


def test_a_new_store_is_its_owners_only(where: Path) -> None:
    before = os.umask(0o022)
    try:
        with Store.open(where) as store:
            store.append("m", 0, [OPENED])
            for ending in ("", "-wal", "-shm"):
                assert stat.S_IMODE(beside(where, ending).stat().st_mode) == 0o600, ending
    finally:
        os.umask(before)
    where.chmod(0o640)
    with Store.open(where) as store:
        store.append("m", 1, [said("x")])
    assert stat.S_IMODE(where.stat().st_mode) == 0o640, "what somebody has allowed stays"
