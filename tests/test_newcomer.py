"""Four example changes: the checklists of CONTRIBUTING.md, applied to a copy of the tree, pass its checks.

A daily run applies all to one copy and runs the tests concerned. A nightly run applies one, another each day, and runs
`make fixtures`, `make check` and `make quick`.
"""

import re
import sys
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from domain.games import GAMES
from tests.clones import ROOT, apply, clone, make, run
from tests.rotation import in_turn

CHECKLISTS: Final = ("A card", "An option", "A column on the floor", "A command")
FILES_MAX: Final = {"A card": 3, "An option": 4, "A column on the floor": 4, "A command": 5}
"""Maximum number of files edited by hand per change, including its test and changelog line."""
DAILY: Final = (
    "tests/rules/test_rulebooks.py",
    "tests/test_contributing.py",
    "tests/test_side_by_side.py",
    "tests/test_rulebook_gate.py::test_every_value_of_an_option_has_a_case",
    "tests/service/test_service_authority.py::test_every_command_comes_to_an_operation_of_its_route",
)
GOLDEN: Final = ("tests/test_side_by_side.py",)


class Block(Struct, frozen=True):
    """A code block: the file that it creates or, as a diff, edits."""

    file: str
    text: str
    is_diff: bool


class Change(Struct, frozen=True):
    """A change from a checklist, in one game if it concerns a game."""

    checklist: str
    game: str
    blocks: tuple[Block, ...]

    @property
    def tests(self) -> list[str]:
        return [block.file for block in self.blocks if re.match(r"tests/.*/test_\w+\.py$", block.file)]


def read_changes() -> tuple[Change, ...]:
    """Return the changes in CONTRIBUTING.md, one per game if a checklist has blocks for several."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    changes = []
    for checklist in CHECKLISTS:
        section = page.partition(f"\n### {checklist}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
        found = re.findall(r"^```(\w+) (\S+/\S+|\S+\.\S+)\n(.*?)^```", section, re.S | re.M)
        blocks = [Block(file, text, kind == "diff") for kind, file, text in found]
        by_game: dict[str, list[Block]] = {}
        for block in blocks:
            by_game.setdefault(next((key for key in GAMES if f"/{key}/" in block.file), ""), []).append(block)
        changes += [Change(checklist, key, tuple(some)) for key, some in by_game.items()]
    return tuple(changes)


CHANGES: Final = read_changes()


def edit(tree: Path, change: Change) -> None:
    for block in change.blocks:
        apply(tree, block.file, block.text, is_diff=block.is_diff)


def test_every_checklist_is_there_and_a_card_is_shown_in_every_game_with_pools() -> None:
    shown = [(change.checklist, change.game) for change in CHANGES]
    pooled = [("A card", key) for key, game in GAMES.items() if game.pools is not None]
    assert sorted(shown) == sorted([*pooled, ("An option", "grimoire"), *((name, "") for name in CHECKLISTS[2:])])


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.checklist} {change.game}".strip())
def test_a_change_takes_few_files(change: Change) -> None:
    assert 0 < len({block.file for block in change.blocks}) <= FILES_MAX[change.checklist]


@pytest.mark.process
@pytest.mark.timeout(600)
def test_all_changes_together_pass_the_tests_that_they_concern(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    clone(tree)
    for change in CHANGES:
        edit(tree, change)
    games = sorted({change.game for change in CHANGES if change.game})
    wording = [f"tests/rules/{game}/test_{game}_rendering.py" for game in games]
    run(tree, sys.executable, "-m", "tools.clauses")
    run(tree, sys.executable, "-m", "pytest", "-q", "-n0", "--update", *GOLDEN, *wording)
    brought = [test for change in CHANGES for test in change.tests]
    cases = [block.file for change in CHANGES for block in change.blocks if block.file.endswith(".cases.toml")]
    run(tree, sys.executable, "-m", "cli.main", "case", "run", *cases)
    run(tree, sys.executable, "-m", "pytest", "-q", "-n0", *DAILY, *wording, *brought)
    run(tree, sys.executable, "-m", "ruff", "check", ".")
    run(tree, sys.executable, "-m", "ruff", "format", "--check", ".")


@pytest.mark.nightly
@pytest.mark.timeout(2400)  # it runs much of the suite once
def test_one_change_alone_passes_the_whole_gate(tmp_path: Path) -> None:
    tree, change = tmp_path / "tree", in_turn(CHANGES, 1)[0]
    clone(tree)
    edit(tree, change)
    if change.game:
        make(tree, "fixtures")
    make(tree, "check")
    make(tree, "quick", "JOBS=0")
