"""A game with a grid, open information, and arguments of many words."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.play.keys import Keys, LineKeySource
from cli.play.labels import is_spelled
from cli.play.paper import Paper
from cli.play.picker import Item, Picker
from domain.games import GAMES
from domain.law.slots import slots
from tests.cli.runs import fine, inside
from tests.cli.typist import lines, play
from tests.toys.stones import GAME
from tests.toys.stones.actions import Move


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setitem(GAMES.loaded, GAME.key, GAME)
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


def test_a_piece_is_named_by_its_square(store: Path) -> None:
    fine(store, "do", "m", "p1: move W@board:1,1 a2")
    by_square = fine(store, "when", "m", "board:1,2").out
    assert by_square.splitlines()[1:] == fine(store, "when", "m", "u1").out.splitlines()[1:]
    assert "a1 → a2" in by_square
    assert fine(store, "when", "m", "a2").out.splitlines()[1:] == by_square.splitlines()[1:]
    for nothing in ("board:1,1", "a1", "board:9,9", "a9", "board:"):
        assert inside(store, "when", "m", nothing).code == 2


# -- words with a common prefix, typed key by key ----------------------------------------------------------------------


def squares(*words: str, spelled: bool = True) -> list[Item]:
    return [Item(word, word, (word,), spelled) for word in words]


def picker(typed: str) -> Picker:
    paper = Paper(io.StringIO(), "en")
    return Picker(Keys(LineKeySource(io.StringIO(typed)), lambda _: None, paper.echo), paper, lambda _: False)


@pytest.mark.parametrize(
    ("typed", "picked"),
    [
        ("e2e4", ["e2", "e4"]),
        ("e2 e4\n", ["e2", "e4"]),
        ("e\ne4\n", ["e2", "e4"]),  # Enter takes the only word with this prefix
        ("2e3", ["g1", "e3"]),
        ("e9g1e3", ["g1", "e3"]),  # a word outside the list is dropped
    ],
)
def test_a_word_is_taken_when_it_is_whole_or_at_enter(typed: str, picked: list[str]) -> None:
    asked = picker(typed.replace("9g", "9\ng"))
    assert [asked.one("from", squares("e2", "g1"), False), asked.one("to", squares("e3", "e4"), False)] == picked


def test_words_that_do_not_begin_alike_are_taken_at_the_first_key() -> None:
    asked = picker("ce")
    assert asked.one("state", squares("charged", "driven", spelled=False), False) == "charged"
    assert asked.one("to", squares("e2", "g1", spelled=False), False) == "e2"
    ours = (GAMES["blackpoker"], GAMES["grimoire"])
    every = [(kind, one.name) for game in ours for kind in game.action_types for one in slots(kind)]
    assert not any(is_spelled(*one) for one in every) and is_spelled(Move, "at") and not is_spelled(Move, "piece")


def test_steps_are_recorded_by_keys_and_no_key_is_left_over(store: Path) -> None:
    ran = play(store, "m", answers=lines("mu1a2/mu6c3"))
    assert ran.code == 0, ran.out[-1500:]
    said = fine(store, "export", "m", "--as", "judge").out
    assert "2. p1: move u1 a2 " in said and "3. p2: move u6 c3 " in said and "4." not in said, said
