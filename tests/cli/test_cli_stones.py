"""The commands on a game with a grid, everything in sight, and slots of many words."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAMES
from tests.cli.runs import fine, inside
from tests.toys.stones import GAME


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setitem(GAMES, GAME.key, GAME)
    path = tmp_path / "stones.sqlite"
    fine(path, "new", "stones@1", "--match", "m")
    yield path


def test_a_match_is_recorded_looked_at_and_audited(store: Path) -> None:
    fine(store, "do", "m", "p1: move W@board:1,1 a2")
    fine(store, "do", "m", "p1: offer")
    fine(store, "do", "m", "p2: move W@board:2,4 a3")
    assert "Walker" in fine(store, "show", "m").out and "worn" not in fine(store, "show", "m").out
    assert "歩き手" in fine(store, "show", "m", "--lang", "ja").out
    assert "worn" not in fine(store, "log", "m").out and "worn" in fine(store, "log", "m", "--flow").out
    assert fine(store, "audit", "m", "--json").data["findings"] == []
    assert inside(store, "do", "m", "p1: move W@board:2,1 b4").code == 1


def test_a_word_that_is_none_is_named_as_the_rulebook_does_and_not_all_others_are(store: Path) -> None:
    for lang, said in (("en", "there is no stone 'e9'"), ("ja", "石の値'e9'はありません")):
        ran = inside(store, "do", "m", "p1: move W@board:1,1 e9", "--lang", lang)
        assert ran.code == 2 and said in ran.message and "c3" not in ran.message, ran.message
    assert "did you mean a2" in inside(store, "do", "m", "p1: move W@board:1,1 a22").message


def test_the_rulebook_lists_a_few_of_many_words(store: Path) -> None:
    out = fine(store, "rulebook", "stones").out
    assert "at:a1|a2|…|d4 (16)" in out and "c3" not in out
    slots = next(verb for verb in fine(store, "rulebook", "stones", "--json").data["verbs"] if verb["verb"] == "move")
    assert len(slots["slots"][1]["words"]) == 16
