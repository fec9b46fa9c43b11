"""Faces of real cards in the usual spellings."""

import pytest

from domain.formats.faces import read_face, split_faces
from domain.games import GAMES
from domain.words import Text


@pytest.mark.parametrize(
    ("game", "typed", "face"),
    [
        ("blackpoker", "H7", "H7"),
        ("blackpoker", " h7 ", "H7"),
        ("blackpoker", "\u26657", "H7"),
        ("blackpoker", "\u2665\uff17", "H7"),
        ("blackpoker", "\u2665\ufe0f10", "H10"),
        ("blackpoker", "joker", "JK"),
        ("blackpoker", "\uff1f", "?"),
        ("grimoire", "Slow Oak", "S42"),
        ("grimoire", "slow  oak", "S42"),
        ("grimoire", "S42 Slow Oak", "S42"),
        ("grimoire", "slow", "S42"),
        ("grimoire", "s42", "S42"),
        ("grimoire", "kaida, ember regent", "C01"),
        ("grimoire", "燼火の執政カイダ", "C01"),
        ("grimoire", "燼火", "C01"),
    ],
)
def test_a_face_is_read_by_code_sign_name_or_beginning(game: str, typed: str, face: str) -> None:
    assert read_face(GAMES[game], typed) == face


def test_a_beginning_of_several_cards_names_them() -> None:
    why = read_face(GAMES["grimoire"], "s")
    assert isinstance(why, Text) and why.key == "seen.several"
    assert "S01 " in why.say("en") and "more" in why.say("en") and "他" in why.say("ja")


@pytest.mark.parametrize("typed", ["", "H77", "no such card"])
def test_what_is_no_card_is_said_to_be_none(typed: str) -> None:
    why = read_face(GAMES["blackpoker"], typed)
    assert isinstance(why, Text) and why.key == "seen.no_card"


@pytest.mark.parametrize(
    ("game", "typed", "faces"),
    [
        ("blackpoker", ("\u26657, c2", "? ?"), ("H7", "C2", "?", "?")),
        ("blackpoker", ("h7 H77",), ("h7 H77",)),
        ("grimoire", ("Kaida, Ember Regent",), ("C01",)),
        ("grimoire", ("slow oak, s02 C01",), ("S42", "S02", "C01")),
    ],
)
def test_commas_and_blanks_divide_faces(game: str, typed: tuple[str, ...], faces: tuple[str, ...]) -> None:
    assert split_faces(GAMES[game], typed) == faces
    assert split_faces(GAMES[game], split_faces(GAMES[game], typed)) == split_faces(GAMES[game], typed)
