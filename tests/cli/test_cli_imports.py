"""Import budgets of the most frequent commands: each new package slows every start."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.forks import ROOT
from tests.cli.runs import fine

PRINT_IMPORTS = """
import sys
from cli.main import run
code = run(sys.argv[1:])
print("\\n" + " ".join(sys.modules))
sys.exit(code)
"""
EACH = {
    "cli", "domain", "domain.evidence", "domain.formats", "domain.games", "domain.games.blackpoker", "domain.law",
    "domain.parts", "domain.table", "domain.words", "projections", "recorder",
}  # fmt: skip
"""Packages of the project that every command on a match imports."""
LOOK, JUDGING = {"cli.look"}, {"domain.judging"}
AUDIT = {"archive", "cli.judge", "domain.formats.notation"} | JUDGING
IMPORTED = {
    ("show", "m"): EACH | LOOK,
    ("log", "m"): EACH | LOOK,
    ("audit", "m"): EACH | AUDIT,
    ("do", "m", "p1: pass"): EACH | {"cli.record"} | JUDGING,
}
LATER = {"cryptography", "jinja2", "litestar", "psycopg", "rich"}
OURS = {"archive", "cli", "domain", "projections", "recorder", "service"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("imports") / "s.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--match", "m", "--seed", "3")
    return store


@pytest.mark.parametrize("command", IMPORTED, ids=" ".join)
def test_a_command_imports_only_what_it_needs(store: Path, command: tuple[str, ...]) -> None:
    program = [sys.executable, "-c", PRINT_IMPORTS, "--store", str(store), *command]
    done = subprocess.run(program, capture_output=True, check=True, text=True, cwd=ROOT)
    modules = done.stdout.splitlines()[-1].split()
    assert LATER.isdisjoint(modules)
    assert {package_of(module) for module in modules if module.partition(".")[0] in OURS} == IMPORTED[command]


def package_of(module: str) -> str:
    """Return the package of a module; each game and the notation count separately."""
    parts = module.split(".")
    depth = {"cli": 2, "domain": 2}.get(parts[0], 1) + (parts[:2] == ["domain", "games"] or "notation" in parts)
    package = ".".join(parts[:depth])
    return package if (ROOT / package.replace(".", "/")).is_dir() else package.partition(".")[0]
