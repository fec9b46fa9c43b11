"""Commands of the edit loop: the tests each runs, and equal seeds for all runs of a day."""

import os
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import rotation
from tests.conftest import is_about_others, leave_for_other_days
from tests.rows import for_each

ROOT = Path(__file__).parents[1]


@for_each(
    "name, games, left_out",
    [
        ("tests/rules/grimoire/test_gr_golden.py::test_a_rule", ["blackpoker"], True),
        ("tests/laws/test_replay.py::test_again[grimoire-0]", ["blackpoker"], True),
        ("tests/laws/test_replay.py::test_again[grimoire-0]", ["blackpoker", "grimoire"], False),
        ("tests/cli/test_cli_words.py::test_both[blackpoker-grimoire]", ["blackpoker"], False),
        ("tests/table/test_schemas.py::test_all", ["blackpoker"], False),
    ],
)
def test_only_tests_that_name_other_games_alone_are_left_out(name: str, games: list[str], left_out: bool) -> None:
    assert is_about_others(name, games) == left_out


def test_a_file_is_compared_with_a_text_and_rewritten_by_update_alone(
    tmp_path: Path,
    same_as_file: Callable[[Path, str], None],
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    page = tmp_path / "page.md"
    page.write_text("old", encoding="utf-8")
    monkeypatch.setattr(pytestconfig.option, "update", False)
    with pytest.raises(AssertionError, match=r"page\.md is old: make fixtures"):
        same_as_file(page, "new")
    assert page.read_text(encoding="utf-8") == "old"
    monkeypatch.setattr(pytestconfig.option, "update", True)
    same_as_file(page, "new")
    assert page.read_text(encoding="utf-8") == "new"


def test_seeds_rotate_through_all_items(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()
    monkeypatch.setenv(rotation.NIGHTLY, "")
    for day in range(12):
        monkeypatch.setenv(rotation.SEED, str(day))
        assert len(rotation.rotate(range(12), 5)) == 5
        seen |= {*rotation.rotate(range(12), 5)}
    assert seen == {*range(12)}
    monkeypatch.setenv(rotation.NIGHTLY, "1")
    assert rotation.rotate(range(12), 5) == tuple(range(12))


class Item:
    path = Path("test_a.py")

    def __init__(self, *marks: pytest.MarkDecorator) -> None:
        self.marks = {mark.name: mark for mark in (pytest.mark.rotates(3), *marks)}

    def get_closest_marker(self, name: str) -> pytest.MarkDecorator | None:
        return self.marks.get(name)

    def add_marker(self, name: str) -> None:
        self.marks[name] = getattr(pytest.mark, name)


def test_every_test_that_rotates_has_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    days = []
    for day in range(3):
        monkeypatch.setenv(rotation.SEED, str(day))
        items = [Item() for _ in range(6)] + [Item(pytest.mark.smoke)]
        leave_for_other_days(items)  # type: ignore[arg-type]
        days.append([place for place, item in enumerate(items) if "nightly" not in item.marks])
    assert sorted(place for day in days for place in day if place < 6) == [*range(6)]
    assert all(6 in day and len(day) == 3 for day in days)


def recipe(*arguments: str) -> str:
    plain = {"PATH": os.environ["PATH"]}
    done = subprocess.run(["make", "-n", *arguments], cwd=ROOT, env=plain, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].partition("-m pytest ")[2].strip()


def test_pytest_alone_runs_what_make_test_runs() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert not {"-n", "-m", "--nightly"} & {*options["addopts"].split()}
    assert recipe("test") == "-n 2"
    assert recipe("test", "JOBS=0") == "-n 0"


def test_quick_takes_a_game_or_an_area() -> None:
    assert recipe("quick") == "-n 2 --quick"
    assert recipe("quick", "GAME=grimoire") == "-n 2 --quick --game grimoire"
    assert recipe("quick", "AREA=recorder") == "-n 2 --quick tests/recorder"
