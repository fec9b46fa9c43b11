"""Interrupted checkpoints and full disks: data that SQLite can read is read, and no message asks for a restore."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from recorder import watch
from recorder.backup import backup
from recorder.store import Store, StoreError
from tests.cli.forks import PATIENCE, PROGRAM
from tests.cli.runs import DISPUTED, environment, fine, inside
from tests.recorder.test_recorder_store import OPENED, ROOT, make_note

pytestmark = pytest.mark.process

ENTRIES = 61
FEW, SOME = 6, 20
"""Pages a checkpoint writes before it stops: without the page of `meta`, whose pages come first, and with it."""
FILL = f"""
import os, resource, signal, sqlite3, sys
from recorder.store import Store
from tests.recorder.test_recorder_store import OPENED, make_note
where, how, pages = sys.argv[1:]
store = Store.open(where)
store.append("m", 0, [OPENED, *(make_note("x" * 3000) for _ in range({ENTRIES - 1}))])
if how == "killed":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # the write behind the limit ends the process
if how != "left":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(pages) * 4096, resource.RLIM_INFINITY))
    try:
        sqlite3.connect(where).execute("PRAGMA wal_checkpoint")
    except sqlite3.OperationalError:
        pass
os._exit(9)
"""


def fill(where: Path, how: str, pages: int = FEW) -> None:
    """Write a store in a process that leaves its log: before a checkpoint, or in one `killed` or `failed`."""
    command = [sys.executable, "-c", FILL, str(where), how, str(pages)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == (-signal.SIGXFSZ if how == "killed" else 9), done


def is_half_written(where: Path) -> bool:
    """True if SQLite can read the file only with its log."""
    with closing(sqlite3.connect(f"{where.as_uri()}?immutable=1", uri=True)) as alone, pytest.raises(sqlite3.Error):
        alone.execute("SELECT * FROM meta")
    with closing(sqlite3.connect(f"{where.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.fixture(params=[("killed", FEW), ("failed", FEW), ("failed", SOME)], ids=["killed", "failed", "failed later"])
def half_written(request: pytest.FixtureRequest, sqlite_file: Path) -> Path:
    fill(sqlite_file, *request.param)
    assert is_half_written(sqlite_file)
    return sqlite_file


def test_a_store_of_which_a_checkpoint_wrote_a_part_is_read(half_written: Path) -> None:
    with Store.open(half_written, read_only=True) as store:
        assert len(store.read("m")) == ENTRIES and [one.match for one in store.matches()] == ["m"]
        assert backup(store, half_written.with_name("b.sqlite")).entries == ENTRIES
    assert is_half_written(half_written), "who reads writes nothing"


def test_a_store_of_which_a_checkpoint_wrote_a_part_is_written_to(half_written: Path) -> None:
    with Store.open(half_written) as store:
        assert store.append("m", ENTRIES, [make_note("on")]) == ENTRIES + 1
    with Store.open(half_written, read_only=True) as store:
        assert store.read("m")[-1] == make_note("on")


def test_a_checkpoint_cut_short_under_an_open_store_is_no_damage(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RECENT", 0.0)
    with Store.open(sqlite_file) as store:
        fill(sqlite_file, "failed")
        assert is_half_written(sqlite_file)
        assert len(store.read("m")) == ENTRIES and store.append("m", ENTRIES, [make_note("on")]) == ENTRIES + 1


@pytest.mark.parametrize("pages", [FEW, SOME])
def test_half_a_store_copied_over_an_open_one_is_noticed(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    monkeypatch.setattr(watch, "RECENT", 0.0)
    other = sqlite_file.with_name("other.sqlite")
    fill(other, "failed", pages)
    with Store.open(sqlite_file) as store:
        store.append("m", 0, [OPENED, *(make_note("y" * 300) for _ in range(50))])
        with closing(sqlite3.connect(sqlite_file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(other, sqlite_file)
        for use in (lambda: store.read("m"), lambda: store.append("m", 51, [make_note("lost")])):
            with pytest.raises(StoreError) as caught:
                use()
            assert caught.value.trouble in ("replaced", "corrupt"), caught.value


def test_half_a_store_copied_over_one_that_is_all_in_its_log_spoils_nothing(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RECENT", 0.0)
    other = sqlite_file.with_name("other.sqlite")
    fill(other, "failed", FEW)
    with Store.open(sqlite_file) as store:
        store.append("m", 0, [OPENED, make_note("a")])
        shutil.copyfile(other, sqlite_file)
        assert store.append("m", 2, [make_note("b")]) == 3
    with Store.open(sqlite_file, read_only=True) as store:
        assert store.read("m") == (OPENED, make_note("a"), make_note("b"))


def test_a_half_written_store_that_lost_its_log_is_damaged(half_written: Path) -> None:
    for ending in ("-wal", "-shm"):
        half_written.with_name(half_written.name + ending).unlink()
    ran = inside(half_written, "matches")
    assert ran.code == 2 and "restore from a backup" in ran.message


# A full disk

READ = f"""
import resource, sys
from recorder.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
with Store.open(sys.argv[1], read_only=True) as store:
    assert len(store.read("m")) == {ENTRIES} and [one.match for one in store.matches()] == ["m"]
"""
LEAVE = """
import os, sys
from cli.main import run
from recorder.store import Store
store = Store.open("a.sqlite")
store.version("m")  # a connection that stays keeps the log
assert run(["--store", "a.sqlite", "import", sys.argv[1]]) == 0
os._exit(0)
"""
MOUNTED = ("unshare", "-Urm", "sh", "-c", 'mount -t tmpfs -o size=2m tmpfs "$0" && cd "$0" && exec "$@"')
"""Runs a program in a small file system visible only to itself and its children."""
ON_FULL_DISK = """
import subprocess, sys
from contextlib import suppress
from pathlib import Path
leave, record, program, index, *commands = sys.argv[1:]
subprocess.run([sys.executable, "-c", leave, record], check=True, stdout=subprocess.DEVNULL)
if not int(index):
    Path("a.sqlite-shm").unlink()
with open("filler", "wb", buffering=0) as filler, suppress(OSError):
    while True:
        filler.write(b"x" * 512)
for command in commands:
    done = subprocess.run([sys.executable, "-c", program, "--store", "a.sqlite", *command.split()], capture_output=True)
    print(done.returncode, done.stderr.decode().strip().replace(chr(10), " "), flush=True)
"""


@pytest.mark.parametrize("index", [True, False], ids=["its index there", "its index gone"])
def test_to_read_takes_no_room_on_the_disk(half_written: Path, *, index: bool) -> None:
    if not index:
        half_written.with_name(f"{half_written.name}-shm").unlink()
    before = half_written.read_bytes()
    done = subprocess.run([sys.executable, "-c", READ, str(half_written)], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert half_written.read_bytes() == before


@pytest.mark.parametrize("index", [True, False], ids=["its index there", "its index gone"])
def test_on_a_full_disk_a_store_is_read_and_backed_up_and_what_is_full_is_named(tmp_path: Path, *, index: bool) -> None:
    disk, other = tmp_path / "disk", tmp_path / "backup.sqlite"
    disk.mkdir()
    if shutil.which("unshare") is None or subprocess.run([*MOUNTED, str(disk), "true"], check=False).returncode:
        pytest.skip("no file system of its own: `unshare -Urm` and `mount -t tmpfs` are not allowed here")
    answers = {
        "matches": (0, ""),
        "show table-17": (0, ""),
        f"backup {other}": (0, ""),
        "backup b.sqlite": (2, f"{disk}/b.sqlite cannot be written: No space left"),
        "note table-17 hm": (2, f"{disk}/a.sqlite: the disk is full"),
        "serve --port 0": (2, f"{disk}/a.sqlite{'.keys' if index else ''}: the disk is full"),
    }
    program = (sys.executable, "-c", ON_FULL_DISK, LEAVE, str(DISPUTED), PROGRAM[-1], str(int(index)), *answers)
    command = [*MOUNTED, str(disk), *program]
    done = subprocess.run(command, env=environment(tmp_path, None), capture_output=True, check=False, timeout=PATIENCE)
    said = done.stdout.decode().splitlines()
    assert len(said) == len(answers), done
    for (asked, (code, words)), line in zip(answers.items(), said, strict=True):
        assert line.startswith(f"{code} ") and words in line, (asked, line)
    assert fine(other, "matches").code == 0
