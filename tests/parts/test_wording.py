"""Card text in words: structs by tag, fields by type, variants of a phrase, forms and sentences."""

from typing import Literal

from msgspec import Struct

from domain.parts import wording as W
from tests.rows import for_each

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
    "comma": W.Phrase(", ", "、"),
    "or": W.Phrase(" or ", "か"),
    "limit": W.Phrase(" (Only {limits}.)", "（{limits}のみ。）"),
    "does": W.Phrase("{who} {do}", "{who}は{do}"),
}
ENGLISH, JAPANESE = W.Speech("en", PHRASES), W.Speech("ja", PHRASES)


class Do(Struct, frozen=True, tag_field="do"):
    pass


class Move(Do, frozen=True, tag="move"):
    what: Colour
    to: Zone
    at: Literal["top", "bottom"] = "top"


class Burn(Do, frozen=True, tag="burn"):
    n: int | None = None


def colour(value: str, speech: W.Speech) -> str:
    return f"the {value} one"


WORDS: W.Words = {Colour: W.FieldWording(colour), int | None: W.FieldWording(way=lambda n: "all" if n is None else "")}


@for_each(
    "piece, said",
    [
        (Move("red", "hand", "bottom"), "take the red one"),
        (Move("blue", "deck"), "put the blue one on top"),
        (Move("blue", "deck", "bottom"), "put the blue one below"),
        (Burn(3), "burn 3!"),
        (Burn(), "burn all"),
    ],
)
def test_a_piece_is_told_by_its_tag_and_the_way_its_fields_lead(piece: Struct, said: str) -> None:
    assert W.describe_struct(piece, "do", ENGLISH, WORDS, s="!") == said


def test_a_verb_before_another_takes_its_own_form_where_it_has_one() -> None:
    assert W.forms(3, W.PLAIN) == (W.TE, W.TE, W.PLAIN) and W.forms(1, W.TE) == (W.TE,)
    assert W.describe_struct(Move("red", "hand"), "do", JAPANESE, WORDS, W.TE) == "the red oneを取って"
    assert W.describe_struct(Move("red", "deck"), "do", JAPANESE, WORDS, W.TE) == "the red oneを上に置く"


def test_sentences_are_capitalised_but_for_the_first() -> None:
    assert ENGLISH.sentences(("draw", "burn", "move")) == "draw. Burn. Move."
    assert JAPANESE.sentences(("引く",)) == "引く。"


def test_a_row_has_its_last_word_before_the_last() -> None:
    assert [ENGLISH.series("or", "abc"[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert JAPANESE.series("or", ("火", "水", "土")) == "火、水か土"


def test_limits_and_statements_are_framed_where_there_are_any() -> None:
    assert W.render_conditions(("once a turn", "in your turn"), ENGLISH) == " (Only once a turn, in your turn.)"
    assert (
        W.render_conditions((), ENGLISH) == ""
        and W.render_conditions(("自分のターン",), JAPANESE) == "（自分のターンのみ。）"
    )
    assert W.statement("each player", "draws", ENGLISH) == "each player draws"
    assert W.statement("", "draw", ENGLISH) == "draw" and W.statement("相手", "引く", JAPANESE) == "相手は引く"


def test_one_thing_has_its_article_in_english() -> None:
    said = [W.with_article(noun, ENGLISH) for noun in ("spell", "extended spell", "other spell", "Ash Courier", "unit")]
    assert said == ["a spell", "an extended spell", "another spell", "an Ash Courier", "a unit"]
    assert W.with_article("スペル", JAPANESE) == "スペル"


def test_pieces_in_turn_end_in_the_form_before_another_but_for_the_last() -> None:
    assert W.successive_phrases("abc", lambda piece, form: f"{piece}-{form}") == ["a-te", "b-te", "c-plain"]
    assert W.successive_phrases("ab", lambda piece, form: f"{piece}-{form}", W.TE) == ["a-te", "b-te"]
    assert W.successive_phrases("", lambda piece, form: f"{piece}-{form}") == []


def test_numbers_lead_to_the_ways_there_are_and_words_to_their_phrases() -> None:
    phrases = {
        "do.burn": W.Phrase("burn {n}", "{n}点焼く"),
        "do.burn.one": W.Phrase("burn once", "1点焼く"),
        "do.burn.less": W.Phrase("cool {n}", "{n}点冷やす"),
        "do.move.hand": W.Phrase("take {what}", "{what}を取る"),
        "hue.red": W.Phrase("the red one", "赤いの"),
    }
    speech = W.Speech("en", phrases)
    told = [W.describe_struct(Burn(n), "do", speech, {int | None: W.COUNTED}) for n in (1, 2, 0, -3)]
    assert told == ["burn once", "burn 2", "burn 0", "cool 3"]
    assert W.describe_struct(Move("red", "hand"), "do", speech, {Colour: W.by_phrase("hue")}) == "take the red one"
