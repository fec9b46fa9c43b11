"""A run over a corpus: the same report for any number of jobs, after a worker's death or an interruption."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.json import encode as to_json

from archive.corpus.sources import FileLocation, Source, sources
from archive.corpus.writer import pack
from archive.regress.counting import RegressionReport
from archive.regress.regressing import regress
from archive.regress.summary import KINDS, Summary, Task
from archive.regress.workfile import WorkError
from domain.judging.rejudging.target import RulesTarget
from domain.words import Text
from recorder.pool import cores
from tests.cli.runs import inside
from tests.corpus.small_files import real
from tests.rejudging.records import CHANGE, MATCHES, ROOT, SMALL
from tests.rows import for_each

pytestmark = [pytest.mark.rotates(2), pytest.mark.process]

TASK = Task(RulesTarget(game="blackpoker", settings=CHANGE))
SOME = 24


@cache
def small() -> tuple[Source, ...]:
    return tuple(sources([SMALL]))[:SOME]


@cache
def alone() -> RegressionReport:
    return regress(TASK, small())


def test_all_is_counted_by_class_clause_and_cause() -> None:
    found = alone()
    assert (found.matches, sum(found.by_class.values())) == (SOME, SOME)
    assert tuple(found.by_class) == KINDS and not found.by_class["bad"] and not found.by_class["base"]
    assert found.by_class["winner"] + found.by_class["undecided"] + found.by_class["illegal"] >= 3
    differing = SOME - found.by_class["identical"]
    assert len(found.differences) == found.unapproved == differing == sum(one.matches for one in found.by_clause)
    assert [(one.cause.key, one.matches) for one in found.by_cause] == [("judge.compare", differing)]
    for kind, shortest in found.shortest.items():
        lengths = [one.entries for one in shortest]
        assert lengths == sorted(lengths) and {one.kind for one in shortest} == {kind}
    assert len(found.flips) == found.by_class["winner"]
    assert not found.passes


@for_each("jobs", [2, 4])
def test_any_number_of_jobs_gives_the_same_bytes(jobs: int) -> None:
    assert to_json(regress(TASK, small(), jobs=jobs)) == to_json(alone())


class Waiting(msgspec.Struct, frozen=True):
    place: Any
    gate: Path

    def __reduce__(self) -> Any:
        return wait_for_gate, (self.gate, self.place)


def wait_for_gate(gate: Path, place: Any) -> Any:
    wait(gate.exists)
    return place


def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    """The last match is still running when the worker dies, however slow this process is."""
    killed: list[int] = []
    lost: list[str] = []
    before, gate = set(active_children()), tmp_path / "gate"

    def kill(one: Summary) -> None:
        if not killed:
            worker = next(child.pid for child in active_children() if child not in before)
            assert worker is not None
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)
            gate.touch()

    *most, last = small()
    held = msgspec.structs.replace(last, place=Waiting(last.place, gate))
    found = regress(TASK, (*most, held), jobs=2, seen=kill, lost=lost.extend)
    assert killed and lost and set(lost) <= {source.name for source in small()}
    assert to_json(found) == to_json(alone())


class Deadly(FileLocation, frozen=True, tag="deadly"):
    def __reduce__(self) -> Any:
        return os._exit, (9,)


def test_a_match_that_kills_every_worker_is_reported_and_the_rest_runs() -> None:
    some = (*small()[:5], Source("deadly", "blackpoker", Deadly("deadly.spn")), *small()[5:9])
    lost: list[str] = []
    found = regress(TASK, some, jobs=2, lost=lost.extend)
    assert [(one.name, one.at) for one in found.bad] == [("deadly", 5)] and "deadly" in lost
    assert str(found.bad[0].problem) == str(Text("regress.killed"))
    assert (found.matches, found.by_class["bad"]) == (10, 1)


def test_what_cannot_be_judged_is_counted_and_the_rest_runs(tmp_path: Path) -> None:
    (tmp_path / "a.spn").write_text('[Game "blackpoker"]\n[Version "8.1-lite"]\n\n1. p1: fly\n')
    (tmp_path / "b.jsonl").write_bytes(b'{"entry":"opened"')
    (tmp_path / "c.spn").write_text('[Game "blackpoker"]\n[Version "99"]\n')
    (tmp_path / "d.spn").write_bytes((Path(MATCHES) / "normal.spn").read_bytes())
    (tmp_path / "e.corpus").write_bytes(Path(SMALL).read_bytes()[:3000])
    grimoire = next((ROOT / "fixtures" / "grimoire" / "matches").rglob("*.spn"))
    (tmp_path / "f.spn").write_bytes(grimoire.read_bytes())
    found = regress(Task(RulesTarget(game="blackpoker", settings={"hand.limit": 54})), sources([tmp_path]))
    assert [one.name.rpartition("/")[2] for one in found.bad] == ["a.spn", "b.jsonl", "c.spn", "e.corpus", "f.spn"]
    assert all(one.problem is not None and one.problem.en != one.problem.ja for one in found.bad)
    assert "grimoire" in str(found.bad[-1].problem)
    assert found.by_class["identical"] == 1 and not found.passes


def test_what_differs_before_the_change_is_counted_apart() -> None:
    disputed = list(sources([Path(MATCHES) / "disputed.spn"]))
    own = regress(Task(RulesTarget(settings={"hand.limit": 54})), disputed)
    assert own.by_class["base"] == 1 and [one.cause.kind for one in own.by_cause] == ["engine"]
    base = RulesTarget(game="blackpoker", version="8.1-lite-seed")
    club = {"throwing.damage_suit": "club"}
    seed = regress(Task(RulesTarget(settings={"throwing.damage_suit": "spade"}), base), small())
    assert {one.cause.key for one in seed.by_cause} == {"throwing.damage_suit"}, "of a base that is not theirs"
    assert seed.by_class["base"] > 0 and seed.base == "blackpoker@8.1-lite-seed"
    assert f"{SOME - seed.by_class['base']} of {SOME}" in seed.soundness and "1" in own.soundness
    assert seed.by_class["base"] == SOME - regress(Task(RulesTarget(settings=club)), small()).by_class["identical"]
    assert seed.by_class["identical"] == SOME - seed.by_class["base"], "they were recorded under it"


def test_changed_clauses_that_no_match_tells_are_holes() -> None:
    found = regress(Task(RulesTarget(game="blackpoker", settings={"counter.max_keys": 3})), small()[:6])
    assert [one.clause for one in found.holes] == ["BP-9.13"] and "at most 3 key cards" in found.holes[0].sentence.en
    told = regress(Task(RulesTarget(game="blackpoker", settings={"draw.mandatory": 2})), small()[:6])
    assert "BP-7.8" not in {one.clause for one in told.holes}


class Stop(Exception):
    pass


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on_where_it_was(jobs: int, tmp_path: Path) -> None:
    work, seen = tmp_path / "work.jsonl", []

    def stop(one: Summary) -> None:
        seen.append(one)
        if len(seen) == 7:
            raise Stop

    with pytest.raises(Stop):
        regress(TASK, small(), jobs=jobs, resume=work, seen=stop)
    with work.open("ab") as file:
        file.write(b'{"at":7,"name":"cut o')
    assert 7 <= len(work.read_bytes().splitlines()) - 2 <= SOME
    again = regress(TASK, small(), jobs=jobs, resume=work)
    assert to_json(again) == to_json(alone())
    lines = work.read_bytes().splitlines()
    assert len(lines) == SOME + 1 and [json.loads(line)["one"]["at"] for line in lines[1:]] == list(range(SOME))
    counted = work.read_bytes()
    assert to_json(regress(TASK, small(), resume=work)) == to_json(alone()) and work.read_bytes() == counted


def children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


SLOW = """
import time
from cli.main import main
from {module} import {holder} as holder
quick = holder.{name}
def slow(*given):
    time.sleep({seconds})
    return quick(*given)
holder.{name} = slow
if __name__ == "__main__":
    main()
"""
"""Slow down the first process, so that it is interrupted before it has finished."""
SLOW_RUN = SLOW.format(module="archive.regress.workfile", holder="WorkFile", name="add", seconds=0.2)
SLOW_INDEX = SLOW.format(module="archive.regress", holder="index", name="IndexRow", seconds=0.1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs the process list of Linux")
def test_a_run_that_is_killed_leaves_nobody_behind_and_can_be_finished(tmp_path: Path) -> None:
    work = tmp_path / "work.jsonl"
    command = [sys.executable, "-c", "from cli.main import main; main()", "regress", SMALL, "--set"]
    command += ["judge.compare=printed", "--rules", "blackpoker@8.1-lite", "--jobs", "2", "--json"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    whole = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False, timeout=300)
    assert whole.returncode == 1, whole.stderr
    slowly = [sys.executable, "-c", SLOW_RUN, *command[3:], "--resume", str(work)]
    run = subprocess.Popen(slowly, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL)
    try:
        wait(lambda: work.exists() and work.read_bytes().count(b"\n") > 4)
        workers = children(run.pid)
        assert workers
    finally:
        run.kill()
        run.wait()
    before = work.read_bytes().count(b"\n")
    wait(lambda: not any(Path(f"/proc/{one}/cmdline").exists() and running(one) for one in workers))
    done = subprocess.run([*command, "--resume", str(work)], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, whole.stdout), done.stderr
    assert work.read_bytes().count(b"\n") > before


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs the process list of Linux")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_an_index_that_is_interrupted_leaves_nobody_and_nothing_behind(ending: int, tmp_path: Path) -> None:
    corpus = tmp_path / "plenty.corpus"
    pack(corpus, ((f"m{number}", real("blackpoker", 1)) for number in range(400)))
    command = [sys.executable, "-c", SLOW_INDEX, "corpus", "index", str(corpus), "--jobs", "2"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    run = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL)
    try:
        wait(lambda: len(children(run.pid)) > 2)
        workers = children(run.pid)
        run.send_signal(ending)
        assert run.wait(60) == (143 if ending == signal.SIGTERM else -signal.SIGKILL)
    finally:
        run.kill()
        run.wait()
    wait(lambda: not any(Path(f"/proc/{one}/cmdline").exists() and running(one) for one in workers))
    assert [one.name for one in tmp_path.iterdir()] == ["plenty.corpus"]


def running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait(until: Any) -> None:
    deadline = time.monotonic() + 120
    while not until():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


def test_a_work_file_of_another_run_is_refused(tmp_path: Path) -> None:
    work = tmp_path / "work.jsonl"
    regress(TASK, small()[:3], resume=work)
    held = work.read_bytes()
    other = Task(RulesTarget(game="blackpoker", settings={"hand.limit": 5}))
    with pytest.raises(WorkError, match="other rules"):
        regress(other, small()[:3], resume=work)
    with pytest.raises(WorkError, match="another corpus"):
        regress(TASK, small()[1:3], resume=work)
    assert work.read_bytes() == held
    lines = held.splitlines(keepends=True)
    head = msgspec.json.decode(lines[0])
    for change, said in (
        ({"law": "x"}, "rules code has changed"),
        ({"regress": 99}, "another form"),
        ({"regress": 1}, "another form"),
    ):
        work.write_bytes(msgspec.json.encode({**head, **change}) + b"\n" + b"".join(lines[1:]))
        with pytest.raises(WorkError, match=said):
            regress(TASK, small()[:3], resume=work)
    for broken, said in (
        (b"hello\n", "not a work file"),
        (lines[0] + b"{}\n", "line 2"),
        (lines[0] + lines[2], "out of order"),
    ):
        work.write_bytes(broken)
        with pytest.raises(WorkError, match=said):
            regress(TASK, small()[:3], resume=work)
    with pytest.raises(WorkError, match="cannot be used"):
        regress(TASK, small()[:3], resume=tmp_path)


def test_a_head_that_was_cut_off_is_written_anew(tmp_path: Path) -> None:
    work = tmp_path / "work.jsonl"
    regress(TASK, small()[:2], resume=work)
    whole = work.read_bytes()
    work.write_bytes(whole[:20])
    regress(TASK, small()[:2], resume=work)
    assert work.read_bytes() == whole


def test_this_machine_has_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("command", "works"),
    [
        (
            ("compare", "blackpoker", SMALL, "--reading", "throwing.damage_suit=club,spade"),
            "cli.many.compare.comparing.compare_matches",
        ),
        (("regress", SMALL, "--set", "hand.limit=5"), "cli.many.regress.regressing.regress"),
        (("corpus", "index", SMALL), "cli.many.corpus.indexes.build"),
    ],
    ids=lambda told: told[0] if isinstance(told, tuple) else "",
)
def test_a_command_that_is_told_no_number_of_processes_uses_all_cores(
    command: tuple[str, ...], works: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []

    def work(*arguments: object, **more: object) -> None:
        given.extend((*arguments, *more.values()))
        raise KeyboardInterrupt

    monkeypatch.setattr(".".join([*works.split(".")[:3], "cores"]), lambda: 371)
    monkeypatch.setattr(works, work)
    assert inside("unused", *command).code == 130
    assert any(371 in (value, getattr(value, "jobs", None)) for value in given), given
