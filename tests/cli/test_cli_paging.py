"""The pager for answers longer than the terminal, and colours on request or forbidden."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.layout import width
from tests.cli.forks import child_function
from tests.cli.runs import PROGRAM, ROOT, Ran, disputed, environment
from tests.cli.windows import COLOURS, Window

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")]

LONG = ("log", "table-17")
LAST = "Aoi won"
SHORT = ("audit", "table-17")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("paging"))


@pytest.fixture
def keeping(tmp_path: Path) -> str:
    """Return a pager command that saves its input and shows nothing."""
    program = tmp_path / "a pager"
    program.write_text(f"#!/bin/sh\ncat > '{tmp_path}/read'\n", encoding="utf-8")
    program.chmod(0o755)
    return f"'{program}' -x"


def run_on_terminal(
    store: Path, folder: Path, *arguments: str, lines: int = 24, **more: str
) -> tuple[int, str, str | None]:
    """Return the exit code, the output of the terminal, and the input of the pager or None."""
    read = folder / "read"
    read.unlink(missing_ok=True)
    environ = environment(folder, store)
    del environ["PAGER"]
    window = Window([*PROGRAM, *arguments], folder, environ | more, lines=lines)
    code = window.ended()
    assert "Traceback" not in window.text and "Broken" not in window.text
    return code, COLOURS.sub("", window.text), read.read_text("utf-8") if read.exists() else None


def test_a_long_answer_goes_through_the_pager_with_its_colours(store: Path, tmp_path: Path, keeping: str) -> None:
    code, text, read = run_on_terminal(store, tmp_path, *LONG, PAGER=keeping)
    assert (code, text) == (0, "") and read is not None
    assert read.count("\n") > 23 and "\x1b[" in read and LAST in COLOURS.sub("", read)


def test_an_answer_that_fits_the_screen_is_shown_at_once(store: Path, tmp_path: Path, keeping: str) -> None:
    assert run_on_terminal(store, tmp_path, *SHORT, PAGER=keeping)[2] is None
    assert run_on_terminal(store, tmp_path, *SHORT, PAGER=keeping, lines=3)[2] is not None
    code, text, read = run_on_terminal(store, tmp_path, *LONG, PAGER=keeping, lines=200)
    assert code == 0 and LAST in text and read is None


@pytest.mark.parametrize(
    "arguments", [("--help",), ("new", "--help"), (), ("show", "table-17", "--as", "p1", "--json")]
)
def test_help_and_json_are_answers_too(store: Path, tmp_path: Path, keeping: str, arguments: tuple[str, ...]) -> None:
    code, text, read = run_on_terminal(store, tmp_path, *arguments, PAGER=keeping)
    assert (code, text) == (0, "") and read is not None and read.count("\n") > 23


@pytest.mark.parametrize("arguments", [("--no-pager", *LONG), (*LONG, "--no-pager")])
def test_no_pager_is_asked_for_before_or_behind_the_command(
    store: Path, tmp_path: Path, keeping: str, arguments: tuple[str, ...]
) -> None:
    code, text, read = run_on_terminal(store, tmp_path, *arguments, PAGER=keeping)
    assert code == 0 and LAST in text and read is None


def test_our_own_variable_comes_before_the_one_all_programs_heed(store: Path, tmp_path: Path, keeping: str) -> None:
    assert run_on_terminal(store, tmp_path, *LONG, PAGER="cat", SHINPAN_PAGER=keeping)[2] is not None
    for none in ("", "cat"):
        code, text, read = run_on_terminal(store, tmp_path, *LONG, PAGER=keeping, SHINPAN_PAGER=none)
        assert code == 0 and LAST in text and read is None


def test_a_pager_that_is_left_at_once_leaves_a_quiet_end(store: Path, tmp_path: Path) -> None:
    code, text, _ = run_on_terminal(store, tmp_path, "rulebook", "blackpoker", PAGER="true")
    assert (code, text) == (0, "")


@pytest.mark.parametrize("pager", ["no-such-pager -R", "'unclosed"])
def test_a_pager_that_cannot_be_started_is_named_and_the_answer_shown(store: Path, tmp_path: Path, pager: str) -> None:
    code, text, _ = run_on_terminal(store, tmp_path, *LONG, PAGER=pager)
    assert code == 0 and LAST in text
    assert text.count("shinpan: ") == 1 and pager.split()[0].strip("'") in text


def piped(folder: Path, store: Path, *arguments: str, **more: str) -> Ran:
    command, environ = [*PROGRAM, *arguments], environment(folder, store) | more
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, check=False, preexec_fn=child_function(command, environ)
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_pipe_has_no_pager(store: Path, tmp_path: Path, keeping: str) -> None:
    ran = piped(tmp_path, store, *LONG, PAGER=keeping)
    assert LAST in ran.out and not (tmp_path / "read").exists()


def test_colours_are_asked_for_and_forbidden(store: Path, tmp_path: Path) -> None:
    plain = piped(tmp_path, store, *LONG)
    forced = piped(tmp_path, store, *LONG, FORCE_COLOR="1")
    assert "\x1b[" not in plain.out and "\x1b[" in forced.out
    assert COLOURS.sub("", forced.out) == plain.out, "the same text in the same lines"
    assert piped(tmp_path, store, *LONG, FORCE_COLOR="").out == plain.out, "an empty one asks for nothing"
    assert piped(tmp_path, store, *LONG, FORCE_COLOR="1", NO_COLOR="1").out == plain.out
    assert "\x1b" not in piped(tmp_path, store, *LONG, "--json", FORCE_COLOR="1").out

    def on_terminal(**more: str) -> str:
        window = Window([*PROGRAM, *LONG], tmp_path, environment(tmp_path, store) | more)
        assert window.ended() == 0
        return window.text

    assert "\x1b[" in on_terminal() and "\x1b[" in on_terminal(NO_COLOR="")
    assert "\x1b" not in on_terminal(NO_COLOR="1", FORCE_COLOR="1")


HEADINGS = re.compile(r"Usage|OPTIONS|COMMAND|ARGS|Options|Arguments|Commands|default|required|Show this|Everywhere")


@pytest.mark.parametrize("command", [(), ("new",), ("simulate",), ("case",), ("rewind",), ("corpus", "index")])
def test_help_in_japanese_has_no_heading_of_the_librarys(tmp_path: Path, command: tuple[str, ...]) -> None:
    text = piped(tmp_path, ROOT / "unused.sqlite", "--lang", "ja", *command, "--help")
    assert text.code == 0 and HEADINGS.findall(text.out) == []
    assert text.out.startswith(f"使い方：shinpan {' '.join(command)}".rstrip())


def test_help_fits_a_terminal_of_twenty_columns(tmp_path: Path) -> None:
    for lang, *command in (("ja", "--help"), ("en", "--help"), ("ja", "simulate", "--help")):
        environ = environment(tmp_path, None, SHINPAN_LANG=lang)
        window = Window([*PROGRAM, *command], tmp_path, environ, columns=20)
        assert window.ended() == 0
        wide = [line for line in window.text.split("\n") if width(line) > 20 and " " in line.strip()]
        assert wide == []
