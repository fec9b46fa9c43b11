"""The program itself: help, version, terminals."""

import os
import re
import sys
from pathlib import Path

import pytest

from cli import cases, games, judging, reading, recording, simulating
from projections.words import MESSAGES
from tests.cli.runs import PROGRAM, disputed, environment, fine, inside, program

pytestmark = pytest.mark.deep

COMMANDS = [name for room in (games, recording, reading, judging, simulating) for name in room.COMMANDS]
ALL = [*[(name,) for name in COMMANDS], *[("case", name) for name in cases.COMMANDS]]


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_every_command_has_one_line_of_help_and_an_example(command: tuple[str, ...]) -> None:
    key = ".".join(command)
    for lang in ("en", "ja"):
        text = inside("unused.sqlite", *command, "--help", "--lang", lang)
        assert text.code == 0
        message = MESSAGES[f"example.{key}"]
        example = message.ja if lang == "ja" else message.en
        assert example.startswith(f"shinpan {' '.join(command)}")
        joined = re.sub(r"\s+", " ", text.out)
        assert re.sub(r"\s+", " ", example) in joined
        assert "--store" in joined and "--lang" in joined


def test_help_lists_every_command(tmp_path: Path) -> None:
    listed = program(tmp_path, "--help")
    assert listed.code == 0 and all(f"\n  {name}" in listed.out for name in (*COMMANDS, "case"))
    assert program(tmp_path).out == listed.out
    assert "条項" in program(tmp_path, "--help", LC_ALL="ja_JP.UTF-8").out


def test_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"shinpan \S+\n", program(tmp_path, "--version").out)


def test_options_that_all_share_stand_before_or_behind_the_command(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    before = program(tmp_path, "--store", store, "--lang", "ja", "matches")
    behind = program(tmp_path, "matches", "--store", f"sqlite://{store}", "--lang=ja")
    assert before == behind and "対戦" in before.out


def test_without_a_store_there_are_no_matches(tmp_path: Path) -> None:
    empty = program(tmp_path, "matches")
    assert empty.code == 0 and len(empty.out.splitlines()) == 1
    match = program(tmp_path, "new", "blackpoker@8.1-lite", XDG_DATA_HOME=str(tmp_path / "data")).out.strip()
    assert (tmp_path / "data" / "shinpan" / "shinpan.sqlite").exists()
    assert match in program(tmp_path, "matches", XDG_DATA_HOME=str(tmp_path / "data")).out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_a_terminal_has_colours_and_whole_ids(tmp_path: Path) -> None:
    import pty

    store = disputed(tmp_path)
    fine(store, "import", tmp_path.joinpath(os.fspath(_fixture())), "--match", "a-rather-long-name-of-a-match-in-a-cup")

    def on_terminal(*arguments: str) -> str:
        child, terminal = pty.fork()
        if child == 0:
            own = environment(tmp_path, store, TERM="xterm-256color", COLUMNS="100")
            os.execve(PROGRAM[0], [*PROGRAM, *arguments], own)
        parts: list[bytes] = []
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            parts.append(part)
        os.waitpid(child, 0)
        os.close(terminal)
        return b"".join(parts).decode()

    assert "a-rather-long-name-of-a-match-in-a-cup" in on_terminal("matches")
    found = on_terminal("audit", "table-17")
    assert "\x1b[" in found and "BP-7.15" in re.sub(r"\x1b\[[0-9;]*m", "", found)


def _fixture() -> Path:
    from tests.cli.runs import DISPUTED

    return DISPUTED
