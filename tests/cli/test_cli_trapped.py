"""A downloaded folder is data: no Python file in it is executed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.forks import PATIENCE
from tests.cli.runs import DISPUTED, environment, fine

pytestmark = [pytest.mark.process, pytest.mark.rotates(3)]

PROGRAM = "from cli.main import main\n\nif __name__ == '__main__':\n    main()\n"
"""The installed script, whose import path holds its own folder and not the working folder."""
TRAPS = ("struct", "pickle", "socket", "signal", "typing", "msgspec", "domain", "regress", "verify", "cli")
TRAP = "from pathlib import Path\n\nPath(f'{__file__}.sprung').touch()\nraise SystemExit(0)\n"
COMMANDS = {
    "regress": ("regress", "disputed.corpus", "--rules", "blackpoker@8.1-lite", "--jobs", "2", "--json"),
    "corpus index": ("corpus", "index", "disputed.corpus", "--jobs", "2"),
    "verify": ("verify", "blackpoker@8.1-lite", "--matches", "2", "--jobs", "2"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_file_of_the_current_folder_is_executed_by_any_process(tmp_path: Path, name: str) -> None:
    program, folder = tmp_path / "bin" / "shinpan", tmp_path / "downloaded"
    program.parent.mkdir()
    folder.mkdir()
    program.write_text(PROGRAM, encoding="utf-8")
    fine("unused", "corpus", "pack", folder / "disputed.corpus", DISPUTED)
    for trap in TRAPS:
        (folder / f"{trap}.py").write_text(TRAP, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(program), *COMMANDS[name]],
        cwd=folder, env=environment(tmp_path, None), capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert sorted(one.name for one in folder.glob("*.sprung")) == []
    assert ran.returncode in (0, 1) and not ran.stderr, ran
