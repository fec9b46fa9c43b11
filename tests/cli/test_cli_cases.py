"""Casebooks: a case started from a match, rewritten expectations, repeated runs."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from archive.corpus import texts
from domain.words import tomls
from service.rulebook.casebooks import Casebooks
from tests.cli.forks import PATIENCE
from tests.cli.runs import DISPUTED, PROGRAM, ROOT, begin, disputed, environment, fine, inside
from tests.formats.test_formats_casebook import HEAD, STEP

WRONG = f'{HEAD}\n[[case]]\nid = "c" # mine\n' + STEP % '"p1: pass"' + "then = { turn = 6, passed = [] } # said\n"
RIGHT = WRONG.replace("turn = 6, passed = []", 'turn = 5, passed = ["p1"]')


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "a.cases.toml"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_a_case_is_begun_from_a_file_or_a_match_of_the_store(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    begun = fine("unused.sqlite", "case", "new", DISPUTED, "--at", "9", "--id", "mine").out
    (tmp_path / "mine.cases.toml").write_text(begun, encoding="utf-8")
    assert 'id = "mine"' in begun and "passed: 1, failed: 0" in fine(store, "case", "run", tmp_path).out
    of_store = fine(store, "case", "new", "table-17", "--at", "9", "--as", "judge").out
    assert of_store == begun.replace('"mine"', '"table-17 9"')


def test_a_failed_case_says_who_could_pass(book: Path) -> None:
    for lang, said in (("en", "could pass now: p2 (phase play)"), ("ja", "いまパスできる席：p2（phase play）")):
        assert said in inside("unused.sqlite", "case", "run", book, "--lang", lang).out
    (case,) = inside("unused.sqlite", "case", "run", book, "--json").data["cases"]
    assert case["failure"]["may_pass"] == "could pass now: p2 (phase play)"


def test_an_open_match_of_the_store_is_for_judges(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    fine(store, "rewind", "table-17", "--to", "29", "--reason", "p1 had no chance")
    for viewer in ((), ("--as", "p1"), ("--as", "spectator")):
        ran = inside(store, "case", "new", "table-17", "--at", "9", *viewer)
        assert (ran.code, ran.out) == (2, "") and "--as judge" in ran.message
    assert "p1.life" in fine(store, "case", "new", "table-17", "--as", "judge").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", "0"), "no entry 0"),
        (("--at", "999"), "no entry 999"),
        (("--as", "p9"), "p9"),
        ((), "shinpan: the match is over after entry 99, so there is nothing to decide"),
    ],
)
def test_a_case_that_cannot_be_begun_is_refused(arguments: tuple[str, ...], message: str) -> None:
    normal = ROOT / "fixtures" / "blackpoker" / "matches" / "normal.spn"
    ran = inside("unused.sqlite", "case", "new", normal, *arguments)
    assert (ran.code, ran.out) == (2, "") and message in ran.message


def named(folder: Path, match: str) -> Path:
    book = folder / "named.cases.toml"
    book.write_text(f'game = "blackpoker"\n[[case]]\nid = "c"\ngiven = {{ match = "{match}" }}\n', encoding="utf-8")
    return book


def test_a_match_that_a_case_names_is_an_ordinary_file_of_a_bounded_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named pipe in a casebook must not block the command."""
    os.mkfifo(tmp_path / "pipe.spn")
    for match in ("pipe.spn", "/dev/zero"):
        ran = inside("unused.sqlite", "case", "run", named(tmp_path, match))
        assert ran.code == 1 and match in ran.out and "pipe or a device" in ran.out, ran
    monkeypatch.setattr(texts, "FILE_MAX", 1024**2)
    (tmp_path / "long.spn").write_bytes(b";" * (1024**2 + 1))
    ran = inside("unused.sqlite", "case", "run", named(tmp_path, "long.spn"))
    assert ran.code == 1 and "longer than 1 MiB" in ran.out, ran


def test_a_pipe_in_a_folder_of_casebooks_is_named_and_passed_over(book: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cases.toml")
    ran = inside("unused.sqlite", "case", "run", tmp_path)
    assert ran.code == 2 and "pipe.cases.toml" in ran.err and "pipe or a device" in ran.err
    assert "passed: 0, failed: 1" in ran.out
    assert list(Casebooks(str(tmp_path)).of("blackpoker")) == ["a"]


def test_a_casebook_of_too_many_characters_is_refused_with_the_limit(tmp_path: Path) -> None:
    book = named(tmp_path, "m.spn")
    with book.open("a", encoding="utf-8") as file:
        file.write(f'en = "{"x" * tomls.TEXT_MAX}"\n')
    ran = inside("unused.sqlite", "case", "run", book)
    assert ran.code == 2 and "named.cases.toml" in ran.err and f"longer than {tomls.TEXT_MAX} characters" in ran.err
    assert Casebooks(str(book)).of("blackpoker") == {}


def test_all_mismatches_are_told_and_counted(book: Path) -> None:
    ran = inside("unused.sqlite", "case", "run", book)
    assert ran.code == 1 and ran.out.count("expected:") == 2 and "step 1: turn" in ran.out
    (told,) = inside("unused.sqlite", "case", "run", book, "--json").data["cases"]
    assert [each["what"] for each in told["failures"]] == ["passed", "turn"]
    assert told["failure"] == told["failures"][0]
    assert book.read_text(encoding="utf-8") == WRONG


def test_an_ending_that_fails_is_named(book: Path) -> None:
    text = f'{HEAD}\n[[case]]\nid = "c"\n[[case.step]]\nwhen = ["p1: pass"]\n[[case.step.ending]]\nid = "end"\n'
    book.write_text(f'{text}[[case.step.ending.step]]\nwhen = ["p2: concede"]\nthen.turn = 6\n', encoding="utf-8")
    assert "ending end, step 1: turn" in inside("unused.sqlite", "case", "run", book).out
    assert "結末end、段階1：turn" in inside("unused.sqlite", "case", "run", book, "--lang", "ja").out
    (told,) = inside("unused.sqlite", "case", "run", book, "--json").data["cases"]
    assert (told["failure"]["ending"], told["failure"]["step"]) == ("end", 1)


def test_expectations_are_written_anew_and_every_difference_is_shown(book: Path) -> None:
    ran = fine("unused.sqlite", "case", "run", "--update", book)
    assert "passed: 1, failed: 0" in ran.out
    assert "-then = { turn = 6, passed = [] } # said" in ran.out
    assert '+then = { turn = 5, passed = ["p1"] } # said' in ran.out
    assert book.read_text(encoding="utf-8") == RIGHT
    again = fine("unused.sqlite", "case", "run", "--update", book)
    assert "anew" not in again.out and book.read_text(encoding="utf-8") == RIGHT


def test_the_difference_is_in_json_too(book: Path) -> None:
    (updated,) = fine("unused.sqlite", "case", "run", "--update", book, "--json").data["updated"]
    assert updated["file"] == str(book) and "\n+then = { turn = 5" in updated["difference"]
    assert book.read_text(encoding="utf-8") == RIGHT


@pytest.mark.process
def test_where_the_difference_cannot_be_shown_nothing_is_written(book: Path, tmp_path: Path) -> None:
    with begin(
        [*PROGRAM, "case", "run", "--update", str(book)],
        environment(tmp_path, None),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.wait(PATIENCE) == 141
    assert book.read_text(encoding="utf-8") == WRONG


def test_what_no_other_value_says_stays_and_is_told(book: Path) -> None:
    text = WRONG.replace("passed = []", 'offers = ["p1: pass"]')
    book.write_text(text, encoding="utf-8")
    ran = inside("unused.sqlite", "case", "run", "--update", book)
    assert ran.code == 1 and "step 1: offers" in ran.out and "step 1: turn" not in ran.out
    assert book.read_text(encoding="utf-8") == text.replace("turn = 6", "turn = 5")


def test_every_step_behind_one_that_failed_is_written_anew_too(book: Path) -> None:
    book.write_text(WRONG + '[[case.step]]\nwhen = ["p2: pass"]\nthen.turn = 7\n', encoding="utf-8")
    assert fine("unused.sqlite", "case", "run", "--update", book).code == 0
    assert book.read_text(encoding="utf-8") == RIGHT + '[[case.step]]\nwhen = ["p2: pass"]\nthen.turn = 5\n'


def test_a_claimed_clause_that_nothing_shows_is_said(book: Path) -> None:
    book.write_text(RIGHT.replace('id = "c"', 'id = "c"\nclauses = ["BP-4.2", "BP-8.5"]'), encoding="utf-8")
    ran = fine("unused.sqlite", "case", "run", book)
    assert "blackpoker: claimed, but never applied or checked in any of these cases: BP-8.5\n" in ran.out
    assert (
        "c claims clauses that were never applied or checked in it: BP-8.5" in fine("s", "case", "run", "-v", book).out
    )
    told = fine("unused.sqlite", "case", "run", book, "--json").data
    assert told["unwitnessed"] == {"blackpoker": ["BP-8.5"]}
    assert told["cases"][0]["unwitnessed"] == ["BP-8.5"]


def test_our_own_cases_show_what_they_claim_but_for_two_that_no_play_tells() -> None:
    fixtures = ROOT / "fixtures"
    told = fine("s", "case", "run", fixtures / "blackpoker" / "cases", fixtures / "grimoire" / "cases", "--json").data
    assert told["unwitnessed"] == {"blackpoker": ["BP-13.7"], "grimoire": ["GR-12.5"]}


@pytest.mark.process
def test_cases_run_again_when_a_file_changes(book: Path, tmp_path: Path) -> None:
    (tmp_path / "m.spn").write_bytes(DISPUTED.read_bytes())
    out = tmp_path / "out.txt"
    with out.open("wb") as stream:
        running = begin(
            [*PROGRAM, "case", "run", "--watch", str(tmp_path)],
            environment(tmp_path, None),
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        said = lambda: out.read_text(encoding="utf-8")  # noqa: E731
        wait(lambda: "passed: 0, failed: 1" in said(), running)
        book.write_text(RIGHT, encoding="utf-8")
        wait(lambda: "passed: 1, failed: 0" in said(), running)
        book.write_text("game = ", encoding="utf-8")
        wait(lambda: "not TOML" in said(), running)
        match = 'given.match = "m.spn"\ngiven.at = 9\n[[case.step]]\nwhen = []\nthen.turn = 1\n'
        (tmp_path / "b.cases.toml").write_text(f'{HEAD}\n[[case]]\nid = "d"\n{match}', encoding="utf-8")
        book.write_text(RIGHT, encoding="utf-8")
        wait(lambda: "passed: 2, failed: 0" in said(), running)
        (tmp_path / "m.spn").write_text("no match", encoding="utf-8")
        wait(lambda: "passed: 1, failed: 1" in said(), running)
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 130
        assert "Traceback" not in said()
    finally:
        running.kill()
        running.wait()


def wait(until: Callable[[], bool], running: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert running.poll() is None, "it ended too soon"
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def test_a_hundred_endings_run_from_the_command_line(book: Path) -> None:
    ending = '[[case.step.ending]]\nid = "{n}"\n[[case.step.ending.step]]\nwhen = ["pp"]\nthen.turn = 5\n'
    text = f'{HEAD}\n[[case]]\nid = "c"\n[[case.step]]\nwhen = ["p1: attack"]\n'
    book.write_text(text + "".join(ending.format(n=n) for n in range(100)), encoding="utf-8")
    assert fine("unused.sqlite", "case", "run", book).code == 0
    book.write_text(text + "".join(ending.format(n=n) for n in range(500)), encoding="utf-8")
    ran = inside("unused.sqlite", "case", "run", book)
    assert ran.code == 2 and "case c: more than 500 steps in one case" in ran.err
    assert json.loads(inside("unused.sqlite", "case", "run", book, "--json").out)["unreadable"]
