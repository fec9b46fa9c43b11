"""The word list of cases contains every permitted word, from the game's schema."""

from collections.abc import Callable
from pathlib import Path

from domain.formats.actions import parse_action
from domain.formats.casebook.load import StartPosition
from domain.formats.casebook.start_position import build
from domain.games import GAMES
from domain.law.law import Law
from domain.law.slots import slots
from projections.case_words import list_case_words
from projections.rulebooks import list_playable_actions
from tests.rows import for_each
from tools.casebook_words import page

ROOT = Path(__file__).parents[2]


@for_each("key", sorted(GAMES))
def test_every_word_of_a_schema_and_its_actions_is_listed_once(key: str) -> None:
    game = GAMES[key]
    words = list_case_words(game, game.latest)
    listed = {kind: [word.word for word in words if word.kind == kind] for kind in {word.kind for word in words}}
    schema = game.schema(game.latest)
    assert listed["phase"] == [phase for phase in schema.phases if phase]
    assert set(listed.get("step", ())) == {step for steps in schema.steps.values() for step in steps if step}
    assert listed["place"] == [area.name for area in schema.areas]
    assert listed["mark"] == [mark.name for mark in schema.marks]
    assert listed["frame"] == [kind.name for kind in schema.kinds]
    assert listed.get("effect", []) == list(schema.effects)
    own = {
        word for action in list_playable_actions(game) for named in slots(action) for word in named.slot.words if word
    }
    assert set(listed.get("slot", ())) == own and len(listed.get("slot", ())) == len(own)
    assert all(word.en and word.ja for word in words if word.kind in ("phase", "place", "mark", "frame"))


def test_the_abilities_of_dea_are_named_with_the_mark_that_they_leave() -> None:
    words = {word.word: word for word in list_case_words(GAMES["dea"], GAMES["dea"].latest) if word.kind == "family"}
    assert (words["feint"].where, words["feint"].en, words["feint"].ja) == ("used.feint", "Feint", "虚の太刀")


def test_the_page_of_words_is_what_the_code_says(same_as_file: Callable[[Path, str], None]) -> None:
    same_as_file(ROOT / "docs" / "casebook-words.md", page())


def test_a_square_of_an_action_is_the_one_that_the_page_says() -> None:
    """Skillbook's actions name squares of the ground, which have the short names."""
    game = GAMES["skillbook"]
    law = Law(game, game.latest)
    table = build(law.schema(), law.seats(), StartPosition(phase="main"), display=game.display).table
    for text in ("d4", "ground:d4", "ground:4,4"):
        _, action = parse_action(game, table, f"p1: place_hero square={text}", schema=law.schema())
        assert action.square == "ground:4,4"  # type: ignore[attr-defined]
    (ground,) = [word for word in list_case_words(game, game.latest) if word.word == "ground"]
    assert ground.where == "ground:1,1 … ground:7,7 = a1 … g7"
