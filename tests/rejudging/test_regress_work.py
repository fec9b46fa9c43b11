"""The work file of a run: errors name the file, and two runs never share one."""

import os
import re
from pathlib import Path

import pytest
from msgspec.json import encode as to_json

from archive.corpus.sources import sources
from archive.corpus.writer import pack
from archive.regress import workfile
from archive.regress.regressing import regress
from archive.regress.summary import Summary, Task
from archive.regress.workfile import WorkError, WorkFile, WorkFileLine
from domain.judging.rejudging.target import RulesTarget
from recorder import codec
from recorder.store import Store
from tests.corpus.small_files import real
from tests.rejudging.records import MATCHES
from tests.rows import for_each

pytestmark = pytest.mark.random

TASK = Task(RulesTarget(game="blackpoker", settings={"hand.limit": 54}))


def one(at: int, name: str = "m") -> Summary:
    return Summary(at=at, name=name, kind="identical")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@for_each("device", ["/dev/full", "/dev/null"])
def test_what_the_system_says_against_the_file_is_said_with_its_name(device: str) -> None:
    with pytest.raises(WorkError, match=re.escape(device)) as refused:
        regress(TASK, sources([Path(MATCHES) / "normal.spn"]), resume=Path(device))
    assert "作業ファイル" in refused.value.text.say("ja")


class Full:
    def write(self, data: bytes) -> int:
        raise OSError(28, os.strerror(28))

    def close(self) -> None:
        raise OSError(28, os.strerror(28))


def test_a_disk_that_fills_up_on_the_way_is_said_with_the_name_of_the_file(tmp_path: Path) -> None:
    with (
        pytest.raises(WorkError, match=r"work.*: No space left on"),
        WorkFile(tmp_path / "work", Full()) as work,  # type: ignore[arg-type]
    ):
        work.add(one(0), "mark")


def test_a_line_that_is_too_long_is_refused_and_nothing_behind_it_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workfile, "LINE_MAX", 300)
    path = tmp_path / "work"
    with WorkFile.open(path, TASK) as work:
        for made in (one(0), one(1, "x" * 1000), one(2)):
            work.add(made, "mark")
    whole = path.read_bytes()
    with pytest.raises(WorkError, match=r"line 3: the line has more than 300 bytes"):
        WorkFile.open(path, TASK)
    assert path.read_bytes() == whole
    path.write_bytes(whole[: whole.index(b"x") + 5])
    with WorkFile.open(path, TASK) as work:
        assert list(work.read_lines()) == [WorkFileLine("mark", one(0))], "what was cut off is taken away"


def test_two_runs_do_not_write_into_one_work_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "work"
    with WorkFile.open(path, TASK) as work:
        work.add(one(0), "mark")
        held = path.read_bytes()
        with pytest.raises(WorkError, match="another run") as refused:
            WorkFile.open(path, TASK)
        assert "別の処理" in refused.value.text.say("ja") and path.read_bytes() == held
    with WorkFile.open(path, TASK) as again:
        assert list(again.read_lines()) == [WorkFileLine("mark", one(0))]


CHANGED = Task(RulesTarget(game="blackpoker", settings={"hand.limit": 3}))
SEEDS = tuple(range(1, 7))


def spread(kind: str, folder: Path, seeds: tuple[int, ...]) -> Path:
    named = [(f"m{at}", real("blackpoker", seed)) for at, seed in enumerate(seeds)]
    where = folder / kind
    if kind == "some.corpus":
        where.unlink(missing_ok=True)
        pack(where, named)
    else:
        where.mkdir(exist_ok=True)
        for name, entries in named:
            text = b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in entries)
            if not (where / f"{name}.jsonl").exists() or (where / f"{name}.jsonl").read_bytes() != text:
                (where / f"{name}.jsonl").write_bytes(text)
    return where


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("kind", ["files", "some.corpus"])
def test_what_has_changed_under_its_name_is_judged_again_and_nothing_else(kind: str, jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "work"
    where = spread(kind, tmp_path, SEEDS)
    regress(CHANGED, sources([where]), jobs=jobs, resume=path)
    for seeds, again in (((1, 2, 9, 4, 5, 6), 1), ((1, 2, 8, 4, 11, 6), 2), ((1, 2, 8, 4, 11, 6), 0)):
        spread(kind, tmp_path, seeds)
        lines = path.read_bytes().count(b"\n")
        fresh = regress(CHANGED, sources([where]))
        assert to_json(regress(CHANGED, sources([where]), jobs=jobs, resume=path)) == to_json(fresh)
        assert path.read_bytes().count(b"\n") == lines + again
    assert b"mark" not in to_json(fresh)


def test_a_match_of_a_store_that_has_grown_is_judged_again(tmp_path: Path) -> None:
    path, store = tmp_path / "work", tmp_path / "store.sqlite"
    states = [codec.encode(one) for one in real("blackpoker", 1)]
    with Store.open(str(store)) as opened:
        opened.append_bytes("m1", states[:-20])
    regress(CHANGED, sources([store]), resume=path)
    with Store.open(str(store)) as opened:
        opened.append("m1", len(states) - 20, real("blackpoker", 1)[-20:])
    fresh = regress(CHANGED, sources([store]))
    assert fresh.entries == len(states)
    assert regress(CHANGED, sources([store]), resume=path) == fresh


def test_an_interruption_among_the_changed_ones_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "work"
    where = spread("files", tmp_path, SEEDS)
    regress(CHANGED, sources([where]), resume=path)
    spread("files", tmp_path, (9, 2, 8, 4, 11, 6))
    fresh = regress(CHANGED, sources([where]))

    def stop(one: Summary) -> None:
        if one.at == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        regress(CHANGED, sources([where]), resume=path, seen=stop)
    held = path.read_bytes()
    assert held.count(b"\n") == 1 + len(SEEDS) + 2
    path.write_bytes(held[:-5])
    assert regress(CHANGED, sources([where]), resume=path) == fresh
    assert path.read_bytes().count(b"\n") == 1 + len(SEEDS) + 3
