"""Concurrent programs on one store, and programs that are killed."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from domain.law.entries import Noted
from domain.law.law import Law
from domain.table.table import CHANCE
from recorder.match_loader import LoadedMatch, load_match
from recorder.store import Store, StoreError
from tests.cli.runs import fine

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip


RIVAL = """
import sys
from recorder.matches import play
from recorder.store import Store, Conflict
from tests.toy import GAMES, Draw
store = Store.open(sys.argv[1])
for turn in range(int(sys.argv[2])):
    print("ready")
    version = int(sys.stdin.readline())
    answer = play(store, "m", "p1" if version % 2 else "p2", Draw(), expected=version, games=GAMES)
    print(type(answer).__name__, getattr(answer, "actual", ""))
"""


def test_of_two_writers_at_one_match_one_wins(where: str) -> None:
    from recorder.matches import advance, open_match
    from tests.toy import GAMES, TOY

    turns = 8
    store = Store.open(where)
    open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, match_id="m")
    advance(store, "m", games=GAMES)
    rivals = [run(RIVAL, where, str(turns)) for _ in range(2)]
    for _ in range(turns):
        version = store.version("m")
        for rival in rivals:
            assert rival.stdout and rival.stdout.readline() == "ready\n"
        for rival in rivals:
            assert rival.stdin
            rival.stdin.write(f"{version}\n")
            rival.stdin.flush()
        answers = sorted(rival.stdout.readline().split() for rival in rivals if rival.stdout)
        assert answers == [["Conflict", str(version + 1)], ["RecordResult"]]
    for rival in rivals:
        rival.communicate()
        assert rival.returncode == 0
    assert store.version("m") == 3 + turns


APPENDER = """
import sys
from domain.law.entries import Noted
from recorder.store import Store
store = Store.open(sys.argv[1])
version = 0
while True:
    entries = [Noted(by="x", text=str(version + n)) for n in range(1, 4)]
    version = store.append(sys.argv[2], version, entries, command_id=f"c{version}")
    print(version)
"""


def test_a_killed_recorder_loses_nothing_it_acknowledged(where: str) -> None:
    for attempt in range(4):
        match = f"m{attempt}"
        writer = run(APPENDER, where, match)
        assert writer.stdout
        acknowledged = [int(writer.stdout.readline()) for _ in range(20 + 37 * attempt)]
        os.kill(writer.pid, signal.SIGKILL)
        rest, _ = writer.communicate()
        acknowledged += [int(line) for line in rest.split("\n")[:-1]]
        with Store.open(where) as store:
            entries = store.read(match)
            assert len(entries) >= acknowledged[-1] >= 60
            assert len(entries) % 3 == 0, "an append is whole or not there"
            assert entries == tuple(Noted(by="x", text=str(n)) for n in range(1, len(entries) + 1))
            assert store.command(match, f"c{len(entries) - 3}") is not None
            assert store.append(match, len(entries), [Noted(by="x", text="on")]) == len(entries) + 1


KILLED = """
import os, signal, sys
from cli.main import run
from recorder.library.sqlite import EntryRecorder
write = EntryRecorder.write
def once(*given, **more):
    write(*given, **more)
    os.kill(os.getpid(), signal.SIGKILL)
EntryRecorder.write = once
run(["--store", *sys.argv[1:]])
"""


@pytest.mark.parametrize("command", ["new", "branch", "rewind"])
def test_a_program_killed_after_it_opened_a_match_leaves_nothing_half_opened(tmp_path: Path, command: str) -> None:
    where = str(tmp_path / "a.db")
    if command != "new":
        fine(where, "new", "blackpoker@8.1-lite", "--match", "m")
    arguments = {
        "new": ("new", "blackpoker@8.1-lite", "--match", "m"),
        "branch": ("branch", "m", "--at", "1", "--match", "b"),
        "rewind": ("rewind", "m", "--to", "1", "--reason", "cut badly"),
    }[command]
    killed = run(KILLED, where, *arguments)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    with Store.open(where) as store:
        for listed in store.matches():
            match = load_match(store, listed.match)
            assert isinstance(match, LoadedMatch)
            assert CHANCE not in match.game.awaited(match.table), listed.match
            assert match.version > (3 if command == "rewind" else 1)
    assert fine(where, "audit", "m").out


OPENER = """
import sys
from domain.law.entries import Noted
from recorder.store import Store
print("ready")
sys.stdin.readline()
with Store.open(sys.argv[1]) as store:
    print(store.append(sys.argv[2], 0, [Noted(by="x", text="x")]))
"""


def test_programs_that_open_a_new_store_at_once_do_not_collide(where: str) -> None:
    openers = [run(OPENER, where, f"m{n}") for n in range(6)]
    for one in openers:
        assert one.stdout and one.stdout.readline() == "ready\n"
    for one in openers:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate()[0] for one in openers] == ["1\n"] * 6
    with Store.open(where) as store:
        meta = store.log.entries.select("SELECT key, value FROM meta ORDER BY key", ())
        assert store.count() == 6 and meta == [("format", "1"), ("store", store.identity())]


HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held")
sys.stdin.read()
"""


def test_of_many_who_find_the_store_locked_each_waits_no_longer_than_one(tmp_path: Path) -> None:
    """If they waited one after the other, the wait would exceed the longest permitted one."""
    where = tmp_path / "a.db"
    short, long, many = 1, 30, 60

    def write(store: Store) -> str:
        with pytest.raises(StoreError) as caught:
            store.append("m", 1, [Noted(by="judge", text="w")])
        return caught.value.trouble

    with Store.open(where, lock_seconds=short) as store, Store.open(where, lock_seconds=long) as patient:
        store.append("m", 0, [Noted(by="judge", text="begun")])
        holder = run(HOLDER, str(where))
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with ThreadPoolExecutor(many + 1) as pool:
            last = pool.submit(patient.append, "m", 1, [Noted(by="judge", text="patient")])
            waiting = [pool.submit(write, store) for _ in range(many)]
            assert [future.result() for future in waiting] == ["locked"] * many
            assert not last.done(), "the last waited for those before it"
            holder.communicate()
            assert last.result() == 2
        assert store.append("m", 2, [Noted(by="judge", text="late")]) == 3
        (milliseconds,) = store.log.entries._writer.execute("PRAGMA busy_timeout").fetchone()
        assert milliseconds == short * 1000, "whoever comes later waits as long as ever"
