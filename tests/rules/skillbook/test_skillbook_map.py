"""Words for Skillbook's squares and terrains, and the keys that play a turn."""

from domain.games.skillbook import GAME
from domain.games.skillbook.cards import CARDS
from domain.games.skillbook.rules import Rules
from domain.table.table import Place
from domain.words import Lang
from projections.verb_keys import verb_keys
from tests.rows import for_each

RULES = Rules()


def test_every_square_lies_in_an_area_or_is_neutral_and_the_outermost_are_goal_lines() -> None:
    known = {place: [tuple(word) for word in said] for place, said in GAME.display.known_of(RULES).items()}
    assert len(known) == RULES.size.columns * RULES.size.rows == 49
    for place, said in known.items():
        row = int(place.partition(",")[2])
        area = ("area", "p1") if row <= 3 else ("area", "p2") if row >= 5 else ("neutral_area", None)
        lines = [("goal_line", "p2")] if row == 1 else [("goal_line", "p1")] if row == 7 else []
        assert said == [area, *lines]


@for_each(
    "lang, said",
    [
        ("en", ["fire", "dark", "wasteland", "start", "T11 fire wind", "T08", "S01", "X9"]),
        ("ja", ["火", "闇", "荒野", "開始", "T11 火 風", "T08", "S01", "X9"]),
    ],
)
def test_a_terrain_is_told_by_what_it_gives(lang: Lang, said: list[str]) -> None:
    faces = ("mountain", "town", "wasteland", "start", "T11", "T08", "S01", "X9")
    assert [GAME.display.short(face, lang) for face in faces] == said
    assert len({GAME.display.short(face, lang) for face in CARDS}) == len(CARDS)


def test_a_square_is_called_by_its_letter_and_number_whatever_lies_there() -> None:
    assert (
        GAME.display.place_name(Place("ground:3,4")) == "c4" and GAME.display.place_name(Place("unit:3,4")) == "unit:c4"
    )
    assert [*GAME.display.find_places("c4")] == ["ground:3,4", "unit:3,4"]


def test_a_turn_is_played_with_keys_that_name_what_is_done() -> None:
    keys = verb_keys(GAME)
    assert len(set(keys.values())) == len(keys) and all(len(key) == 1 for key in keys.values())
    wanted = {"use_skill": "s", "use_ability": "u", "declare_move": "m", "move_step": "n", "start_battle": "b"}
    assert wanted.items() <= keys.items() and (keys["end_turn"], keys["charge"], keys["pass"]) == ("e", "c", "p")
