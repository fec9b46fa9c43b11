"""Long tasks: progress, and what an interruption preserves.

Interruptions are raised inside the test at a fixed step. Real processes show that signals reach a pool.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from io import StringIO
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from archive.corpus import sources
from archive.corpus.reader import open_corpus
from archive.corpus.writer import pack
from archive.verify import verifying
from archive.verify.match_runner import LawFailure, VerificationMatch
from cli import progress
from cli.context import CommandContext
from cli.drawing import Screen
from cli.many import simulate
from cli.progress import LongTask, ProgressLine, show_progress
from domain.words import Text
from domain.words.lines import clock_time
from fixtures import corpora
from recorder import clock
from recorder.simulate import simulate as play_at_random
from tests.cli.forks import PATIENCE
from tests.cli.runs import PROGRAM, ROOT, begin, environment, inside, program
from tests.cli.windows import Window
from tests.corpus.small_files import real
from tests.rotation import rotate

MANY, DONE = 8, 3
"""Matches of a command, and matches complete at the interruption."""
READING = ("--reading", "throwing.damage_suit=club,spade")
SMALL = str(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus")
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal and signals of Unix")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("few") / "few.corpus"
    pack(path, ((f"m{number}", real("blackpoker", 1)) for number in range(MANY)))
    return str(path)


@contextmanager
def interrupted(number: int) -> Iterator[None]:
    steps = LongTask.steps

    def some(long: LongTask, coming: Iterable[Any]) -> Iterator[Any]:
        for done, item in enumerate(steps(long, coming), start=1):
            if done == DONE:
                signal.raise_signal(number)
            yield item

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LongTask, "steps", some)
        yield


LONG: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "blackpoker", "FEW", *READING),
    "coverage": ("coverage", "blackpoker", "--corpus", "FEW"),
    "simulate": ("simulate", "blackpoker@8.1-lite", "--matches", str(MANY), "--out", "played"),
    "verify": ("verify", "blackpoker@8.1-lite", "--matches", str(MANY), "--jobs", "1", "--steer"),
    "pack": ("corpus", "pack", "new.corpus", "FEW"),
    "unpack": ("corpus", "unpack", "FEW", "--out", "taken"),
}
JSON = ("compare", "coverage", "simulate", "verify")


def command(name: str, corpus: str) -> list[str]:
    return [corpus if word == "FEW" else word for word in LONG[name]]


# -- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("name", LONG)
def test_an_interrupted_command_has_the_answer_for_what_is_done(
    name: str, number: int, code: int, few: str, tmp_path: Path
) -> None:
    with chdir(tmp_path), interrupted(number):
        ran = inside("unused", *command(name, few))
        assert ran.code == code and re.search(rf"Interrupted: {DONE} of \d+ done", ran.out), ran
        assert name not in ("simulate", "verify") or f"--seed {DONE + 1} --matches {MANY - DONE}" in ran.out
        if name in JSON:
            answer = inside("unused", *command(name, few), "--json").data
            assert answer["interrupted"]["done"] == DONE and answer["interrupted"]["all"] >= MANY
            counted = answer["coverage"]["matches"] if name == "coverage" else answer["matches"]
            assert (len(counted) if name == "simulate" else counted) == DONE
    if name == "simulate":
        files = sorted((tmp_path / "played").iterdir())
        assert [path.name for path in files] == [f"sim-blackpoker-{seed}.spn" for seed in range(1, DONE + 1)]
        assert not any(
            isinstance(sources.load(one, checked=True), sources.UnreadableMatch) for one in sources.sources(files)
        )
    if name == "unpack":
        files = sorted((tmp_path / "taken").iterdir())
        assert f"{DONE} matches written" in ran.out
        assert [len(path.read_bytes().splitlines()) for path in files] == [len(real("blackpoker", 1))] * DONE


def test_an_interrupted_corpus_holds_what_was_packed_and_is_gone_on_with(
    few: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with interrupted(signal.SIGTERM):
        ran = inside("unused", *command("pack", few))
    new = tmp_path / "new.corpus"
    assert ran.code == 143 and "--resume" in ran.out and [*tmp_path.iterdir()] == [new]
    with open_corpus(new) as corpus:
        assert len(corpus) == DONE and not list(corpus.check())
    for _ in range(2):
        again = inside("unused", *command("pack", few), "--resume")
        assert (again.code, again.err) == (0, "") and f"{MANY} matches" in again.out
    with open_corpus(new) as corpus, open_corpus(few) as packed:
        assert corpus.rows == packed.rows


def test_a_corpus_that_is_interrupted_before_its_first_match_is_not_written(
    few: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    steps = LongTask.steps

    def stop_first(long: LongTask, coming: Iterable[Any]) -> Iterator[Any]:
        signal.raise_signal(signal.SIGTERM)
        return steps(long, coming)

    monkeypatch.setattr(LongTask, "steps", stop_first)
    ran = inside("unused", *command("pack", few))
    assert ran.code == 143 and f"Interrupted: 0 of {MANY} done" in ran.out and not ran.err, ran
    assert not list(tmp_path.iterdir())


def test_a_corpus_is_not_gone_on_with_by_another_match_of_that_name(tmp_path: Path) -> None:
    one, other, new = (tmp_path / f"{name}.corpus" for name in ("one", "other", "new"))
    pack(one, [("m1", real("blackpoker", 1))])
    pack(other, [("m1", real("blackpoker", 2)), ("m2", real("blackpoker", 3))])
    first = inside("unused", "corpus", "pack", new, one, "--resume")
    before = new.read_bytes()
    ran = inside("unused", "corpus", "pack", new, other, "--resume")
    assert first.code == 0 and ran.code == 2 and "m1" in ran.message and new.read_bytes() == before


def test_failures_found_before_an_interruption_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = verifying.play

    def failing(law: Any, seed: int, *given: Any, **more: Any) -> VerificationMatch:
        match = whole(law, seed, *given, **more)
        if seed == 6:
            signal.raise_signal(signal.SIGINT)
        failure = LawFailure("whole", 2, Text("verify.whole"), match_entries(seed)[:2]) if seed == 2 else None
        return VerificationMatch(match.seed, match.rules, match.entries, match.seen, failure)

    def match_entries(seed: int) -> tuple[Any, ...]:
        return real("blackpoker", seed)

    monkeypatch.setattr(verifying, "play", failing)
    ran = inside("unused", "verify", "blackpoker@8.1-lite", "--matches", "20", "--out", str(tmp_path / "out"))
    assert ran.code == 130 and "verify-blackpoker-2, entry 2" in ran.out
    assert "Interrupted: 6 of 20 done" in ran.out and "--seed 7 --matches 14" in ran.out
    assert "matches: 6," in ran.out


def test_a_page_of_a_part_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    load = sources.load

    def interrupted(source: Any, checked: bool = False) -> Any:
        signal.raise_signal(signal.SIGTERM)
        return load(source, checked)

    monkeypatch.setattr("cli.many.coverage.load", interrupted)
    page = tmp_path / "page.html"
    ran = inside("unused", "--lang", "ja", "coverage", "blackpoker", "--corpus", SMALL, "--html", page)
    assert ran.code == 143 and "1件までの結果です" in ran.out and not page.exists()


def interrupting(times: int) -> Callable[..., Any]:
    """Return a replacement for random play that raises an interruption several times in a match."""

    def play(*given: Any, **more: Any) -> Any:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        return play_at_random(*given, **more)

    return play


SIMULATE = ("simulate", "blackpoker@8.1-lite", "--matches", "3", "--json")


def test_a_match_under_way_ends_before_an_interruption_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "play_at_random", interrupting(1))
    before = signal.getsignal(signal.SIGINT)
    ran = inside("unused", *SIMULATE)
    assert ran.code == 130 and len(ran.data["matches"]) == 1
    assert ran.data["interrupted"] == {"done": 1, "all": 3, "rest": "--seed 2 --matches 2"}
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.parametrize(("seconds", "at_once"), [(5.0, True), (0.1, False)])
def test_a_second_interruption_ends_at_once_unless_it_is_the_same(
    seconds: float, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticking = count(step=seconds)
    monkeypatch.setattr(clock, "read_monotonic_seconds", lambda: next(ticking))
    monkeypatch.setattr(simulate, "play_at_random", interrupting(2))
    before = signal.getsignal(signal.SIGINT)
    ran = inside("unused", *SIMULATE)
    assert ran.code == 130 and (ran.out == "") == at_once and ran.err == ""
    assert signal.getsignal(signal.SIGINT) == before


def test_an_interruption_that_somebody_wants_ignored_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "play_at_random", interrupting(1))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ran = inside("unused", *SIMULATE)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ran.code == 0 and len(ran.data["matches"]) == 3 and "interrupted" not in ran.data


# -- real processes ---------------------------------------------------------------------------------------------------

ENOUGH = 1_500
"""Number of matches that no command finishes before its interruption, at the pace of `hasty`."""
STEP = 0.02
"""Minimum seconds of each step under `hasty`, so that work remains after a pause of the tests."""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show progress at once, slow each step down and treat two interruptions as one; forks inherit this."""
    step = ProgressLine.step

    def slowly(line: ProgressLine) -> None:
        sleep(STEP)
        step(line)

    monkeypatch.setattr(progress, "UPDATE_INTERVAL_S", 0.0)
    monkeypatch.setattr(progress, "SECOND_INTERRUPT_S", PATIENCE)
    monkeypatch.setattr(ProgressLine, "step", slowly)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("many") / "many.corpus"
    pack(path, ((f"m{number}", real("blackpoker", 1 + number % 3)) for number in range(ENOUGH)))
    return str(path)


def on_terminal(folder: Path, *arguments: str) -> Window:
    return Window([*PROGRAM, *arguments], folder, environment(folder, None))


@contextmanager
def start_program(folder: Path, *arguments: str, session: bool = False) -> Iterator["subprocess.Popen[str]"]:
    """Start the program on a pipe and yield it after its first steps."""
    run = begin(
        [*PROGRAM, *arguments, "--jobs", "2", "--progress"],
        environment(folder, None),
        cwd=folder,
        encoding="utf-8",
        start_new_session=session,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert run.stderr is not None
        while not re.search(r" [1-9]\d*/\d+, ", run.stderr.readline()):
            assert run.poll() is None, "it ended before it was interrupted"
        yield run
    finally:
        run.kill()
        run.wait()


@on_unix
@pytest.mark.process
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("begins", [True, pytest.param(False, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", ["compare", pytest.param("verify", marks=pytest.mark.nightly)])
def test_ctrl_c_on_a_terminal_reaches_all_processes_of_a_command(
    name: str, begins: bool, many: str, tmp_path: Path
) -> None:
    """It also reaches processes that are still starting, and the progress line is erased."""
    arguments = (
        ("compare", "blackpoker", many, *READING)
        if name == "compare"
        else ("verify", "blackpoker@8.1-lite", "--matches", str(ENOUGH))
    )
    window = on_terminal(tmp_path, *arguments, "--jobs", "2")
    window.until(r" [1-9]\d*/\d+, \d+\.\d/s, [\d:]+ left" if begins else r" 0/\d+")
    shown = window.press("\x03", r"Interrupted: .*\n(The rest: .*\n)?$")
    assert window.ended() == 130
    assert "Traceback" not in window.text and "KeyboardInterrupt" not in window.text
    said = re.search(r"\r(stopping after [ -~]+)\r( +)\r", shown)
    assert said is not None and len(said[2]) >= len(said[1].rstrip())
    part = re.search(r"Interrupted: (\d+) of (\d+) done", shown)
    assert part is not None and begins <= int(part[1]) < ENOUGH == int(part[2])


@on_unix
@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.usefixtures("hasty")
def test_a_run_that_keeps_its_own_work_ends_at_once(many: str, tmp_path: Path) -> None:
    given = ("--set", "judge.compare=printed", "--jobs", "2", "--resume", "work")
    window = on_terminal(tmp_path, "regress", many, *given)
    window.until(rf" [1-9]\d*/{ENOUGH}, ")
    window.press("\x03", r"\r *\r$")
    assert window.ended() == 130 and "Traceback" not in window.text
    assert (tmp_path / "work").read_bytes().count(b"\n") > 1


@on_unix
@pytest.mark.process
@pytest.mark.usefixtures("hasty")
def test_a_signal_to_a_whole_group_of_processes_has_the_answer_too(many: str, tmp_path: Path) -> None:
    """As with `timeout`, the workers get one signal and the program two."""
    with start_program(tmp_path, "compare", "blackpoker", many, *READING, "--json", session=True) as run:
        run.terminate()
        os.killpg(run.pid, signal.SIGTERM)
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 143 and 0 < json.loads(out)["interrupted"]["done"] < ENOUGH
    assert "Traceback" not in err and "a process died" not in err


@pytest.mark.process
@pytest.mark.parametrize("game", rotate(["blackpoker", "grimoire"], 1))
def test_what_is_compared_is_the_same_for_any_number_of_jobs(game: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    readings = {"blackpoker": "judge.compare=size,printed", "grimoire": "teams=none,p1+p3/p2+p4"}
    corpora = [str(ROOT / "fixtures" / key / "corpus" / "small.corpus") for key in ("blackpoker", "grimoire")]
    given = ("compare", game, str(broken), *corpora, "--reading", readings[game])
    one, three = (program(tmp_path, *given, "--json", "--jobs", jobs) for jobs in ("1", "3"))
    assert one == three and one.code == 1 and "broken.spn" in one.err


@pytest.mark.process
@pytest.mark.usefixtures("hasty")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs the process list of Linux")
@pytest.mark.nightly
def test_a_process_that_dies_costs_a_comparison_nothing(tmp_path: Path) -> None:
    path = tmp_path / "some.corpus"
    pack(path, ((f"m{number}", real("blackpoker", 1 + number % 3)) for number in range(300)))
    given = ("compare", "blackpoker", str(path), *READING, "--json")
    alone = inside("unused", *given)
    with start_program(tmp_path, *given) as run:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (alone.code, alone.out)
    assert "a process died" in err


# -- progress ---------------------------------------------------------------------------------------------------------


class TerminalText(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(clock, "read_monotonic_seconds", lambda: now[0])
    err = TerminalText()
    line = ProgressLine(Screen(StringIO(), err), "packing", 4000)
    for _ in range(1000):
        now[0] += 0.01
        line.step()
    shown = [text.rstrip() for text in err.getvalue().split("\r") if text.strip()]
    assert "\n" not in err.getvalue() and shown[0] == "packing 0/4000"
    assert 10 <= len(shown) <= 11 and shown[-1].endswith("100.0/s, 0:30 left")
    line.end()
    assert err.getvalue().endswith("\r") and not err.getvalue().rpartition("left")[2].strip()


@pytest.mark.parametrize(("lang", "said"), [("en", "1/2, 0.5/s, 0:02 left"), ("ja", "1/2、毎秒0.5件、残り0:02")])
def test_progress_is_told_in_both_languages_where_it_is_asked_for(
    lang: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(clock, "read_monotonic_seconds", lambda: now[0])
    out, err, silent = StringIO(), StringIO(), StringIO()
    screen = Screen(out, err)
    screen.lang = lang
    with show_progress(screen, "…", lambda: 2, asked=True) as step:
        now[0] = 2.0
        step()
    assert err.getvalue().splitlines() == ["… 0/2", f"… {said}"] and out.getvalue() == ""
    with show_progress(Screen(out, silent), "…", lambda: 1 // 0) as step:
        step()
    assert silent.getvalue() == "", "on a pipe nothing is said, nor counted"


@pytest.mark.parametrize("drawing", [False, True])
def test_what_an_interruption_is_answered_stands_until_the_end(drawing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer stays the same during a step and during the drawing of a line, which is completed first."""
    show, err = ProgressLine._show, TerminalText()

    def show_and_interrupt(line: ProgressLine) -> None:
        if drawing and line.done == 3:
            signal.raise_signal(signal.SIGINT)
        show(line)

    monkeypatch.setattr(progress, "UPDATE_INTERVAL_S", 0.0)
    monkeypatch.setattr(ProgressLine, "_show", show_and_interrupt)
    monkeypatch.setattr(Screen, "status_at_once", Screen.status)
    ctx = CommandContext(Screen(StringIO(), err), "en", None)
    with LongTask(ctx, "verify.progress", lambda: 9) as long:
        for number in long.steps(range(9)):
            if number == 2 and not drawing:
                signal.raise_signal(signal.SIGINT)
    shown = [text for text in err.getvalue().split("\r") if text.strip()]
    assert long.done == 3 and shown[-1].startswith("stopping"), shown


def test_lines_of_the_answer_and_the_line_of_progress_do_not_mix() -> None:
    out = TerminalText()
    screen = Screen(out, out)
    screen.status("playing 1/9")
    screen.line("m1  80")
    screen.aside("shinpan: careful")
    screen.status()
    lines = out.getvalue().split("\n")
    assert [line.rpartition("\r")[2] for line in lines] == ["m1  80", "shinpan: careful", ""]
    assert "\rplaying 1/9" in lines[1], "it stands below the new line again"


def test_an_hour_is_told_as_a_clock_does() -> None:
    assert [clock_time(seconds) for seconds in (-1, 0, 59, 61, 3_725)] == ["0:00", "0:00", "0:59", "1:01", "1:02:05"]


def test_steps_are_done_when_the_next_is_asked_for() -> None:
    ctx = CommandContext(Screen(StringIO(), StringIO()), "en", None)
    with LongTask(ctx, "verify.progress", lambda: 3) as long:
        seen = [long.done for _ in long.steps(range(2))]
        signal.raise_signal(signal.SIGINT)
        assert list(long.steps(range(2))) == []
    assert seen == [0, 1] and long.done == 2 and ctx.stopped == 130 and ctx.interrupted is not None


# -- the large corpora ------------------------------------------------------------------------------------------------


def test_corpora_that_were_interrupted_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "cores", lambda: 1)
    wanted = [f"{game}={5 if game == 'blackpoker' else 0}" for game in corpora.LARGE]
    with interrupted(signal.SIGINT):
        assert corpora.main(wanted, tmp_path / "part") == 130
    assert [path.name for path in (tmp_path / "part").iterdir()] == ["blackpoker.pieces"]
    for folder in ("part", "whole"):
        assert corpora.main(wanted, tmp_path / folder) == 0
        assert [path.name for path in (tmp_path / folder).iterdir()] == ["blackpoker.corpus"]
    made = [(tmp_path / folder / "blackpoker.corpus").read_bytes() for folder in ("part", "whole")]
    assert made[0] == made[1]
