"""Skillbook's board as people see it: squares by name, whose areas and goal lines they are, cards in few letters."""

import io

import pytest

from cli.drawing import Screen
from cli.layout import width
from cli.play.offering import verb_keys
from domain.games.skillbook import GAME
from domain.games.skillbook.cards import CARDS
from domain.games.skillbook.rules import Rules
from domain.law.law import Law
from domain.table.redact import SPECTATOR
from domain.table.table import Place
from domain.words import LANGS, Lang
from projections.board import board, render_board
from recorder.simulate import simulate
from tests.recorded import seen_by

RULES = Rules()


def test_every_square_lies_in_an_area_or_is_neutral_and_the_outermost_are_goal_lines() -> None:
    known = {place: [tuple(word) for word in said] for place, said in GAME.display.known_of(RULES).items()}
    assert len(known) == RULES.size.columns * RULES.size.rows == 49
    for place, said in known.items():
        row = int(place.partition(",")[2])
        area = ("area", "p1") if row <= 3 else ("area", "p2") if row >= 5 else ("neutral_area", None)
        lines = [("goal_line", "p2")] if row == 1 else [("goal_line", "p1")] if row == 7 else []
        assert said == [area, *lines]


@pytest.mark.parametrize("lang", LANGS)
def test_the_board_is_drawn_in_eighty_columns(lang: Lang) -> None:
    law = Law(GAME, RULES)
    entries = simulate(law, 3)
    for viewer, at in ((SPECTATOR, 10), ("p1", 10), ("p2", min(90, len(entries)))):
        rows = render_board(board(*seen_by(GAME, entries, viewer), at), law, law.schema(), lang)
        screen = Screen(io.StringIO(), io.StringIO())
        screen.columns, screen.lang, screen.plain = 80, lang, False
        screen.rows(rows)
        lines = screen.out.getvalue().splitlines()  # type: ignore[attr-defined]
        assert all(width(line) <= 80 for line in lines)
        assert any("|" in line and line.startswith("1 ") for line in lines)
        assert sum("中立エリア" in line or "neutral area" in line for line in lines) == 1


@pytest.mark.parametrize("lang", LANGS)
def test_cards_with_words_for_ids_are_told_from_each_other_in_few_letters(lang: Lang) -> None:
    short = {face: GAME.display.short(face, lang) for face in CARDS}
    assert len(set(short.values())) == len(CARDS) and max(map(len, short.values())) <= 4
    assert (short["S01"], short["Bone"], GAME.display.short("X9", lang)) == ("S01", "Bone", "X9")


def test_a_square_is_called_by_its_letter_and_number_whatever_lies_there() -> None:
    assert GAME.display.called(Place("ground:3,4")) == "c4" and GAME.display.called(Place("unit:3,4")) == "unit:c4"
    assert [*GAME.display.meant("c4")] == ["ground:3,4", "unit:3,4"]


def test_a_turn_is_played_with_keys_that_name_what_is_done() -> None:
    keys = verb_keys(GAME)
    assert len(set(keys.values())) == len(keys) and all(len(key) == 1 for key in keys.values())
    wanted = {"use_skill": "s", "use_ability": "u", "declare_move": "m", "move_step": "n", "start_battle": "b"}
    assert wanted.items() <= keys.items() and (keys["end_turn"], keys["charge"], keys["pass"]) == ("e", "c", "p")
