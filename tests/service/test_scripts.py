"""What is sent to browsers beside pages: small, of our own, and without words, rules or doors."""

import gzip
import re

import pytest

from domain.games import GAMES
from service.drawing import STATIC

SCRIPTS = sorted(STATIC.glob("*.js"))
OF_A_MATCH = ("film.js", "live.js", "match.js", "shinpan.js")
OF_A_MATCH_MAX, OTHER_MAX = 8_600, 3_072
"""Bytes as they are sent, packed. The design leaves a moment 9 KB of our own; keys on the board are a tenth of it."""


def test_scripts_are_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in SCRIPTS}
    assert sum(sizes.pop(name) for name in OF_A_MATCH) <= OF_A_MATCH_MAX
    assert {name: size for name, size in sizes.items() if size > OTHER_MAX} == {}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_has_no_rule_no_word_and_no_door_of_its_own(path: object) -> None:
    text = STATIC.joinpath(getattr(path, "name", "")).read_text(encoding="utf-8")
    games = "|".join(GAMES)
    clauses = "|".join({clause.split("-")[0] for game in GAMES.values() for clause in game.rulebook.clauses})
    assert not re.search(rf"\b({games})\b|\b({clauses})-\d", text)
    assert not re.search(r"[ぁ-ヿ一-鿿]", text), "words stand in the table"
    assert not re.search(r"\beval\b|new Function|https?://|document\.write|insertAdjacentHTML|\.style\b", text)
    made = re.findall(r".*innerHTML *[:=](?!=).*", text)
    assert all('createElement("template")' in line for line in made), made
