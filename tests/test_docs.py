"""The pages show real output, and the demo runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parent.parent
ELLIPSIS = "..."
CLOCK = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d")
"""When an entry was recorded is another time each time a page is run."""
PROGRAM = [sys.executable, "-c", "from cli.main import main; main()"]


PAGES = ("README.md", "README.ja.md", "docs/tutorial.md", "docs/howto.md")


def blocks(page: str) -> list[list[str]]:
    """The console sessions of a page: a command, then what it prints."""
    sessions: list[list[str]] = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                sessions.append([line[2:]])
            else:
                sessions[-1].append(line)
    return sessions


def environment(store: Path) -> dict[str, str]:
    """Nothing of the tester's own store or language."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "SHINPAN_STORE": str(store), "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "PATH": path}


def run(command: list[str], store: Path) -> "subprocess.CompletedProcess[str]":
    """A command in the root folder, on a store of its own."""
    env = environment(store)
    return subprocess.run(command, check=False, cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_its_commands_print(page: str, tmp_path: Path) -> None:
    sessions = blocks(page)
    assert len(sessions) >= 6
    for command, *shown in sessions:
        program, *arguments = shlex.split(command)
        assert program == "shinpan"
        done = run([*PROGRAM, *arguments], tmp_path / "docs.sqlite")
        printed = CLOCK.sub("(then)", done.stdout + done.stderr).splitlines()
        rest = printed
        for line in shown:
            if line == ELLIPSIS:
                continue
            expected = CLOCK.sub("(then)", line)
            assert expected in rest, (command, line, printed)
            rest = rest[rest.index(expected) + 1 :]
        if ELLIPSIS not in shown:
            assert len(shown) == len(printed), (command, printed)


def test_the_demo_runs_through() -> None:
    done = run(["sh", "fixtures/demo.sh"], ROOT / "unused")
    assert done.returncode == 0, done.stderr
    for seen in ("findings: 3", "指摘:3件", "vanish: 1", "rewound to entry 46", "left by a rewind"):
        assert seen in done.stdout, seen
