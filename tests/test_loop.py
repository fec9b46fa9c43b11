"""The inner loop: what `make quick` runs, of one game or of all, and that one chapter starts at once."""

import os
import subprocess
import tomllib
from collections.abc import Callable
from os import environ
from pathlib import Path

import pytest

from domain.games import GAMES
from tests import added
from tests.conftest import about_others

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "name",
    [
        "tests/rules/grimoire/test_gr_golden.py::test_a_rule",
        "tests/test_fixtures_grimoire.py::test_a_match",
        "tests/laws/test_replay.py::test_again[grimoire-0]",
        "tests/cli/test_cli_words.py::test_grimoire_is_said",
    ],
)
def test_what_names_another_game_is_left_out(name: str) -> None:
    assert about_others(name, "blackpoker") and not about_others(name, "grimoire")


@pytest.mark.parametrize(
    "name", ["tests/table/test_schemas.py::test_all", "tests/cli/test_cli_words.py::test_both[blackpoker-grimoire]"]
)
def test_what_names_no_game_or_this_one_too_is_run(name: str) -> None:
    assert not about_others(name, "blackpoker") and not about_others(name, "grimoire")


def test_of_several_games_no_other_is_run() -> None:
    games = ("grimoire", "blackpoker")
    assert about_others("tests/rules/skillbook/test_cards.py::test_a_card", *games)
    assert not about_others("tests/laws/test_replay.py::test_again[grimoire-0]", *games)
    assert not about_others("tests/test_fixtures_blackpoker.py::test_a_match", *games)


def goes_over_all() -> list[str]:
    return sorted(GAMES)


def calls_what_does() -> int:
    return len([name for name in goes_over_all() if name])


def lists_them_by_hand() -> str:
    return "blackpoker, dea, grimoire, skillbook"


def asks_for_one() -> object:
    return GAMES["dea"]


def asks_for_any(key: str) -> object:
    """It is told which by who calls it: blackpoker, for example."""
    return key in GAMES and GAMES[key]


def asks_the_environment() -> object:
    """Its variables may name a game: `make quick ADDED=dea` hands on its own."""
    return os.environ, environ, pytest.MonkeyPatch


def asks_for_none() -> int:
    return len(str(ROOT))


@pytest.mark.parametrize(
    ("code", "games"),
    [
        (goes_over_all, set(GAMES)),
        (calls_what_does, set(GAMES)),
        (lists_them_by_hand, {"blackpoker", "dea", "grimoire", "skillbook"}),
        (asks_for_one, {"dea"}),
        (asks_for_any, set()),
        (asks_the_environment, set()),
        (asks_for_none, set()),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_which_games_a_test_depends_on_is_worked_out_from_its_code(
    code: Callable[..., object], games: set[str]
) -> None:
    assert added.reach(code) == games


@pytest.fixture
def of_all() -> list[str]:
    return goes_over_all()


def test_a_game_that_was_added_concerns_what_goes_over_all_and_what_names_all_the_others(
    request: pytest.FixtureRequest, of_all: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of_all and any(added.reach(one) == set(GAMES) for one in added.functions_of(request.node))
    monkeypatch.setattr(added, "HOUSE", ROOT)
    one = frozenset({of_all[0]})
    assert added.concerned(request.node, one)
    monkeypatch.setattr(added, "EVERY", frozenset({"blackpoker", "dea", "grimoire", "skillbook", "a-new-one"}))
    monkeypatch.setattr(added, "functions_of", lambda _: [lists_them_by_hand])
    assert added.concerned(request.node, frozenset({"a-new-one"}))
    monkeypatch.setattr(added, "functions_of", lambda _: [asks_for_one])
    assert not added.concerned(request.node, one) and added.concerned(request.node, frozenset({"dea"}))
    monkeypatch.setattr(added, "functions_of", lambda _: [asks_for_any])
    assert not added.concerned(request.node, one)


def test_one_chapter_starts_without_workers() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert "-n" not in options["addopts"].split()


def test_a_file_is_held_against_a_text_and_written_anew_only_by_update(
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


def recipe(*arguments: str) -> str:
    """What make would run pytest with, whatever it was told that runs this test."""
    plain = {"PATH": os.environ["PATH"]}
    done = subprocess.run(["make", "-n", *arguments], cwd=ROOT, env=plain, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].partition("-m pytest ")[2].strip()


def test_quick_leaves_out_what_is_deep_and_the_whole_suite_nothing() -> None:
    assert recipe("test") == "-n 2"
    assert recipe("test", "JOBS=0") == "-n 0"
    assert recipe("quick") == '-n 2 -m "not deep"'
    assert recipe("quick", "GAME=grimoire") == '-n 2 -m "not deep" --game grimoire'
    assert recipe("quick", "ADDED=grimoire") == '-n 2 -m "not deep" --added grimoire --store sqlite'
