"""Benchmarks run and print every row they promise. Times are not asserted, because they vary."""

import re
from pathlib import Path

import pytest

import benchmarks
from benchmarks import material, memory
from benchmarks.__main__ import main
from benchmarks.harness import QUICK, BenchmarkRow, Effort, Ratio, SkippedRow, measure_pair
from benchmarks.report import cells, to_markdown
from recorder.pool import cores
from tests.rows import for_each
from tools import cluster

NUMBER = re.compile(r"\d[\d,]*")
PROMISED = (
    "append, acknowledged and on disk",
    "control: sqlite3 INSERT + commit()",
    "append to 32 live matches in turn | sqlite3, a commit each",
    "append to 32 live matches in turn | sqlite3, one commit for all",
    "load and fold, per fact | eventsourcing, default JSON aggregate",
    "load and fold, per fact | floor: msgspec decode",
    "fold only, per fact",
    "control: msgspec decode",
    "seek in 300 entries, hot | fold from the start",
    "facts in a hot seek, mean",
    "facts in a cold seek, mean",
    "the same, most",
    "tables it keeps",
    "audit, blackpoker, per recorded action",
    "audit, grimoire, per recorded action",
    "audit, dea, per recorded action",
    "audit, skillbook, per recorded action",
    "the same, in facts",
    "the same, in cards played",
    "the same, in turns",
    "control: push_uci, per ply",
    "random legal play of blackpoker, recorded, per entry",
    "random legal play of grimoire, recorded, per entry",
    "random legal play of dea, recorded, per entry",
    "random legal play of skillbook, recorded, per entry",
    "the same, whole matches",
    "rejudge, blackpoker, its own rules, per recorded action | python-chess push_uci",
    "rejudge, grimoire, its own rules, per recorded action | python-chess push_uci",
    "rejudge, dea, its own rules, per recorded action | python-chess push_uci",
    "rejudge, skillbook, its own rules, per recorded action | python-chess push_uci",
    "rejudge, blackpoker, its own rules, per fact | pokemon-showdown's input log",
    "rejudge, grimoire, its own rules, per fact | pokemon-showdown's input log",
    "rejudge, dea, its own rules, per fact | pokemon-showdown's input log",
    "rejudge, skillbook, its own rules, per fact | pokemon-showdown's input log",
    "blackpoker, equip.stance=charge, read by p = | the full run's time",
    "grimoire, mono_bonus=6, read by p = | the full run's time",
    "entry of play, stored",
    "entry of play, JSON Lines",
    "entry of play, notation",
    "entry that opens a match, stored",
    "the page of a moment, p99 against an empty route",
    "commands acknowledged",
    "the server's memory",
    "the board of its next entry drawn",
    "128 entries of dea filmed",
    "the page of a moment of skillbook, sent",
    "its scripts, sent",
    "a film of grimoire that is kept",
    "the first look at a moment",
    "a line of dea answered, p99",
    "the first answer without an index",
    "the index made",
    "a question while it is made",
    "a clause of every match, among 40 matches by the index | a full scan",
    "an event, among 40 matches by the index | a full scan",
)


IN_A_DATABASE = (
    "append to a PostgreSQL database, acknowledged and on disk | psycopg BEGIN, INSERT, COMMIT",
    "append to a PostgreSQL database, acknowledged and on disk | psycopg INSERT alone",
    "control: psycopg BEGIN, INSERT, COMMIT",
    "commands acknowledged (PostgreSQL",
    "the same per commit: psycopg INSERT alone (autocommit) in the same database",
    "news at a stream of another service over the same database, after the answer, p50",
)


def rows_of(page: Path) -> list[list[str]]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line][2:]


def rows_named(rows: list[list[str]], name: str) -> list[list[str]]:
    """Return the rows with a name; the numbers in it may differ from run to run."""
    what, _, peer = (NUMBER.sub("N", part.strip()) for part in name.partition("|"))
    plain = [([NUMBER.sub("N", cell) for cell in row], row) for row in rows]
    return [row for known, row in plain if known[1].startswith(what) and known[3].startswith(peer)]


def has_figures(rows: list[list[str]]) -> bool:
    return bool(rows) and all(float(row[2].split()[0].replace(",", "")) > 0 for row in rows)


def test_the_published_results_have_every_row() -> None:
    rows = rows_of(Path(benchmarks.__file__).with_name("results.md"))
    assert [name for name in PROMISED + IN_A_DATABASE if not has_figures(rows_named(rows, name))] == []


@pytest.mark.nightly
def test_a_quick_run_has_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "results.md"
    assert main(["--quick", "--dir", str(tmp_path), "--out", str(page), "--date", "some day"]) == 0
    rows = rows_of(page)
    promised = PROMISED + (IN_A_DATABASE if cluster.programs() else ())
    assert [name for name in promised if not has_figures(rows_named(rows, name))] == []
    if cores() > 1:
        for name in ("a regress on 2 jobs: how many times as fast", "control: the bare pool's speed-up"):
            assert any(row[1].startswith(name) and row[4] for row in rows), name
    else:
        assert "left out: a regress on 2 jobs" in page.read_text()
    if not cluster.programs():
        assert f"left out: all of a store in a database: {cluster.MISSING}" in page.read_text()
    if memory.measurable():
        assert any(row[1].startswith("peak memory of a regress of 4 matches") for row in rows)
    assert "- date: some day" in page.read_text()
    assert "load and fold, per fact" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [page], "what was measured on is cleared away"


def test_windows_take_turns() -> None:
    order: list[str] = []

    def work(name: str) -> int:
        order.append(name)
        return 1

    measure_pair(lambda: work("ours"), lambda: work("theirs"), Effort(pairs=2, seconds=0.0))
    assert order == ["ours", "theirs"] + ["ours", "theirs", "theirs", "ours"] * 2


@for_each(
    "row, met",
    [
        ({"budget": 0.5}, True),
        ({"budget": 0.7}, False),
        ({"aim": 1.0}, None),
        ({"control": True}, False),
        ({"budget": 0.6}, True),
        ({"most": 0.6}, True),
        ({"most": 0.5}, False),
    ],
)
def test_a_budget_is_held_against_the_middle(row: dict[str, float], met: bool | None) -> None:
    ratio = Ratio(middle=0.6, low=0.4, high=0.8, ours=6, theirs=10)
    assert BenchmarkRow(group="g", name="n", unit="u", ours=6, ratio=ratio, **row).met is met  # type: ignore[arg-type]


@for_each("most, met", [(400, True), (399, False)])
def test_a_size_has_a_most_of_its_own(most: float, met: bool) -> None:
    row = BenchmarkRow(group="g", name="n", unit="MB", ours=400, most=most)
    assert row.met is met
    assert cells(row) == ("n", "400 MB", "", "", "", f"<= {most}", "yes" if met else "NO")


def test_memory_is_left_out_with_the_way_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "PROC", tmp_path)
    assert [type(one) for one in memory.rows(False, True, tmp_path)] == [SkippedRow]
    monkeypatch.setattr(memory, "measurable", lambda: True)
    monkeypatch.setattr(material, "BUILD", tmp_path)
    found = list(memory.rows(False, True, tmp_path))
    assert [isinstance(one, SkippedRow) and "make corpus" in one.why for one in found] == [True]


def test_what_is_left_out_stands_on_the_page() -> None:
    page = to_markdown([], [SkippedRow("a row", "there is none of it")], [], QUICK, "")
    assert "- left out: a row: there is none of it\n" in page


def test_only_some_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", "sizes", "--dir", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "whole match, notation" in said and "push_uci" not in said
    with pytest.raises(SystemExit) as stopped:
        main(["--only", "sizes,speed"])
    assert stopped.value.code == 2
    assert "'speed'" in capsys.readouterr().err


@for_each("wrong", [["--dir", "/no/such/folder"], ["--out", "/no/such/folder/page.md"]])
def test_a_folder_that_is_not_there_is_bad_input(
    wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quick", "--dir", str(tmp_path), *wrong]) == 2
    assert "/no/such/folder" in capsys.readouterr().err


@for_each("pairs", ["0", "-1", "many"])
def test_pairs_are_a_whole_number(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--pairs", pairs])
    assert stopped.value.code == 2
    assert "pairs" in capsys.readouterr().err
