"""Printed text in words: a struct by its tag, fields by their types, ways of a phrase, forms and sentences."""

from typing import Literal

import pytest
from msgspec import Struct

from domain.parts import wording as W

Colour = Literal["red", "blue"]
Zone = Literal["hand", "deck"]
PHRASES = {
    "do.move.hand": W.Phrase("take {what}", "{what}を取る", "{what}を取って"),
    "do.move.deck.top": W.Phrase("put {what} on top", "{what}を上に置く"),
    "do.move.deck.bottom": W.Phrase("put {what} below", "{what}を下に置く"),
    "do.burn": W.Phrase("burn {n}{s}", "{n}点焼く"),
    "do.burn.all": W.Phrase("burn all", "全て焼く"),
    "stop": W.Phrase(". ", "。"),
    "end": W.Phrase(".", "。"),
}
ENGLISH, JAPANESE = W.Speech("en", PHRASES), W.Speech("ja", PHRASES)


class Do(Struct, frozen=True, tag_field="do"):
    """What is told."""


class Move(Do, frozen=True, tag="move"):
    what: Colour
    to: Zone
    at: Literal["top", "bottom"] = "top"


class Burn(Do, frozen=True, tag="burn"):
    n: int | None = None


def colour(value: str, speech: W.Speech) -> str:
    return f"the {value} one"


WORDS: W.Words = {Colour: W.Told(colour), int | None: W.Told(way=lambda n: "all" if n is None else "")}


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (Move("red", "hand", "bottom"), "take the red one"),
        (Move("blue", "deck"), "put the blue one on top"),
        (Move("blue", "deck", "bottom"), "put the blue one below"),
        (Burn(3), "burn 3!"),
        (Burn(), "burn all"),
    ],
)
def test_a_piece_is_told_by_its_tag_and_the_way_its_fields_lead(piece: Struct, said: str) -> None:
    assert W.tell(piece, "do", ENGLISH, WORDS, s="!") == said


def test_a_verb_before_another_takes_its_own_form_where_it_has_one() -> None:
    assert W.forms(3, W.PLAIN) == (W.TE, W.TE, W.PLAIN) and W.forms(1, W.TE) == (W.TE,)
    assert W.tell(Move("red", "hand"), "do", JAPANESE, WORDS, W.TE) == "the red oneを取って"
    assert W.tell(Move("red", "deck"), "do", JAPANESE, WORDS, W.TE) == "the red oneを上に置く"


def test_sentences_are_capitalised_but_for_the_first() -> None:
    assert ENGLISH.sentences(("draw", "burn", "move")) == "draw. Burn. Move."
    assert JAPANESE.sentences(("引く",)) == "引く。"
