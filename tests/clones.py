"""A copy of the working tree, for tests that change it and run its own suite."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNSET = ("GAME", "JOBS", "PYTHONPATH", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE")
PREFIXES_UNSET = ("PYTEST", "MAKE", "COV", "SHINPAN_SUITE")
PACKAGES = ("domain", "projections", "recorder", "archive", "service", "cli", "shinpan", "tools", "fixtures", "tests")


def clone(tree: Path) -> None:
    """Copy every file that git tracks or would track, and check that programs run in the copy import the copy."""
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    names = ", ".join(PACKAGES)
    imported = run(tree, sys.executable, "-c", f"import {names}; print(*(one.__path__[0] for one in ({names})))")
    assert imported.split() == [str(tree / name) for name in PACKAGES], "the copy is not imported"


def run(tree: Path, *command: str) -> str:
    """Run a command in a copy and return its output. Fails unless the command exits with 0."""
    kept = (item for item in os.environ.items() if not item[0].startswith(PREFIXES_UNSET) and item[0] not in UNSET)
    done = subprocess.run(command, cwd=tree, env=dict(kept), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-8_000:]}\n{done.stderr[-2_000:]}"
    return done.stdout


def make(tree: Path, *arguments: str) -> str:
    """Run `make` in a copy with the environment of this interpreter, which counts as installed."""
    venv = Path(sys.executable).parents[1]
    ready = [option for name in (".ready", ".ready-dev", "bin/python") for option in ("-o", str(venv / name))]
    return run(tree, "make", *ready, f"VENV={venv}", *arguments)


def insert(file: Path, before: str, *lines: str) -> None:
    replace(file, before, "".join(lines) + before)


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} holds {text.count(old)} times:\n{old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def apply(tree: Path, name: str, block: str, *, is_diff: bool) -> None:
    """Apply a code block of CONTRIBUTING.md: a diff without line numbers, or the text of a new file."""
    if is_diff:
        for hunk in re.split(r"^@@.*\n", block, flags=re.M):
            lines = [(line[:1], line[1:]) for line in hunk.splitlines(keepends=True)]
            old = "".join(line for sign, line in lines if sign != "+")
            replace(tree / name, old, "".join(line for sign, line in lines if sign != "-"))
        return
    assert not (tree / name).exists(), f"{name} exists: the example in CONTRIBUTING.md needs another name"
    (tree / name).write_text(block, encoding="utf-8")
