"""The walks of CONTRIBUTING.md as a whole, in a copy of the tree: step by step, `make fixtures`, to a green suite."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_contributing import BLOCKS

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[1]
LEFT_BEHIND = (
    ".git",
    ".venv",
    "venv",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    "build",
    "dist",
    ".demo",
    "*.egg-info",
)
GRIMOIRE = Path("domain", "games", "grimoire")
CASES = Path("fixtures", "grimoire", "cases")
OTHERWISE = {"S90": "S88", "Lantern Tax": "Lantern Toll", "灯火の税": "灯火の関銭"}
"""The page's own test wants its card unpublished: what is published here has another name."""


def in_the_tree(tree: Path, *command: str) -> str:
    """What a command says, run in the tree; it must do as asked."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "MAKE", "COV"))}
    env = {name: value for name, value in env.items() if name not in ("GAME", "JOBS", "PYTHONPATH", "PYTHONSAFEPATH")}
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6_000:]}\n{done.stderr[-2_000:]}"
    return done.stdout


def make(tree: Path, *arguments: str) -> str:
    """A target of the tree's Makefile, with the environment that is there already."""
    venv = Path(sys.executable).parents[1]
    ready = [option for name in (".ready", ".ready-dev", "bin/python") for option in ("-o", str(venv / name))]
    return in_the_tree(tree, "make", *ready, f"VENV={venv}", *arguments)


def put(file: Path, before: str, *lines: str) -> None:
    """Lines into a file, before a line that stands there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file}: {before!r} stands {text.count(before)} times"
    file.write_text(text.replace(before, "".join(lines) + before), encoding="utf-8")


def publish_a_card(tree: Path) -> None:
    """A pool with a new card and a changed one, its hash, a case."""
    card, case = BLOCKS["toml card"], BLOCKS["toml case"]
    for name, other in OTHERWISE.items():
        card, case = card.replace(name, other), case.replace(name, other)
    number = len(list((tree / GRIMOIRE / "pools").glob("*.toml"))) + 1
    (tree / GRIMOIRE / "pools" / f"{number}.toml").write_text(f"{card}\n{BLOCKS['toml erratum']}", encoding="utf-8")
    (tree / CASES / "walk-card.cases.toml").write_text(case, encoding="utf-8")
    hashes = "from domain.games.grimoire.cards import POOLS; print(POOLS.published)"
    published = in_the_tree(tree, sys.executable, "-c", hashes).strip()
    frozen = tree / "tests" / "rules" / "grimoire" / "test_grimoire_pools.py"
    put(frozen, '"""The hash of every pool ever published.', f"PUBLISHED = {published}\n")


def add_an_option(tree: Path) -> None:
    """A field, a question, a row, its sentence and words, a line of law, a case for each value."""
    struct, _, row = BLOCKS["python option"].partition("\n\n\nROW = ")
    field, _, question = struct.partition("\n")[2].partition("\n\n")
    rules = tree / GRIMOIRE / "rules.py"
    put(rules, "    damage_must_exceed = Says(", field + "\n\n")
    put(rules, "    time_is_compared = Says(", question + "\n")
    put(rules, '    Option("first_turn_draw"', f"    {row.strip()},\n")
    book = tree / GRIMOIRE / "rulebook.toml"
    put(book, "first_turn_draw = {", BLOCKS["toml words"])
    varied = BLOCKS["toml sentence"].partition("\n")[0] + "\n"
    before, _, after = book.read_text(encoding="utf-8").partition(varied)
    book.write_text(before + BLOCKS["toml sentence"] + after[after.index("\n\n") + 1 :], encoding="utf-8")
    law = tree / GRIMOIRE / "effects" / "instructions.py"
    put(law, "    depart(rules, t, broken, S.JUNKYARD, C.BROKEN, broken=True)\n", BLOCKS["python law"])
    (tree / CASES / "walk-option.cases.toml").write_text(BLOCKS["toml values"], encoding="utf-8")


def test_a_card_and_an_option_are_added_to_a_green_suite(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    publish_a_card(tree)
    add_an_option(tree)
    made = make(tree, "fixtures")
    assert "grimoire/two.jsonl.gz: written" in made and "blackpoker/entry20.jsonl.gz: unchanged" in made
    ran = make(tree, "quick", "JOBS=2", "GAME=grimoire")
    assert " passed" in ran and " failed" not in ran
    assert "Lantern Toll" in (tree / "fixtures" / "grimoire" / "cards.en.txt").read_text(encoding="utf-8")
