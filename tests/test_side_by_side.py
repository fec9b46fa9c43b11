"""The table of games in both READMEs has the actual counts."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.words import LANGS, Lang

ROOT = Path(__file__).parents[1]
README: dict[Lang, str] = {"en": "README.md", "ja": "README.ja.md"}


def row(key: str, lang: Lang) -> str:
    game = GAMES[key]
    options = sum(option.numbers or len(option.values) > 1 for option in game.options)
    cases = sum(
        len(tomllib.loads(path.read_text(encoding="utf-8"))["case"])
        for path in (ROOT / "fixtures" / key / "cases").glob("*.cases.toml")
    )
    matches = len(list((ROOT / "fixtures" / key / "matches").glob("*.spn")))
    counts = (len(game.rulebook.clauses), len(set(game.faces())), options, cases, matches)
    return " | ".join((game.rulebook.title.say(lang), *map(str, counts)))


@pytest.mark.parametrize("lang", LANGS)
def test_the_games_stand_side_by_side_as_they_are_counted(
    lang: Lang, same_as_file: Callable[[Path, str], None]
) -> None:
    readme = ROOT / README[lang]
    rows = "".join(f"| {row(key, lang)} |\n" for key in GAMES)
    text, tables = re.subn(
        r"(\|---\|---\|---\|---\|---\|---\|\n)(?:\|.*\n)+", rf"\1{rows}", readme.read_text(encoding="utf-8")
    )
    assert tables == 1
    same_as_file(readme, text)
