"""The program itself: help, version, terminals."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.registry import COMMANDS as EVERY, PANELS
from tests.cli.runs import DISPUTED, PROGRAM, disputed, environment, fine, program

pytestmark = pytest.mark.process

COMMANDS = {name.partition(".")[0] for name in EVERY}


def test_help_lists_every_command(tmp_path: Path) -> None:
    listed = program(tmp_path, "help")
    assert listed.code == 0 and all(f"\n  {name}" in listed.out for name in COMMANDS - {"help"})
    assert program(tmp_path).out == program(tmp_path, "--help").out
    assert "条項" in program(tmp_path, "--help", LC_ALL="ja_JP.UTF-8").out


LOADED = """
import sys
from cli.main import run
run({arguments!r})
print(*(name for name in sys.modules if name.partition(".")[0] in {packages!r}), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    packages = ("cli", "corpus", "domain", "projections", "recorder", "regress", "verify")
    code = LOADED.format(arguments=arguments, packages=packages)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment(folder, None), capture_output=True, check=True
    )
    return set(done.stderr.decode().split())


def test_a_command_is_loaded_when_it_is_asked_for(tmp_path: Path) -> None:
    """Listing the commands loads none of them, and running one loads no other."""
    rooms = {f"cli.{panel}" for panel in PANELS}
    for alone in ("--help", "--version"):
        assert not loaded(tmp_path, alone) & {*rooms, "cli.play", "domain.games", "recorder"}
    shown = loaded(tmp_path, "show", "--help")
    assert shown & rooms == {"cli.look"} and not shown & {"corpus", "regress", "verify"}


def test_a_command_lies_in_the_room_named_as_its_panel() -> None:
    for panel, commands in PANELS.items():
        for name, where in commands.items():
            room = "cli.invitations" if name in ("invite", "people") else f"cli.{panel}"
            assert where.startswith(room) or name == where.rpartition(":")[2] == "play"


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
    fine(store, "import", DISPUTED, "--match", "a-rather-long-name-of-a-match-in-a-cup")

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
