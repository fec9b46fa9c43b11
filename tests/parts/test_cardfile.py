"""Card files: errors name the card, the field and the permitted values."""

from collections.abc import Iterator
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from domain.parts import cardfile as F
from domain.words import Text
from tests.rows import for_each


class Do(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Hurt(Do, frozen=True, tag="hurt"):
    n: Annotated[int, Meta(ge=1, le=9)]
    who: Literal["you", "all", "nobody"] = "you"


class Secret(Do, frozen=True, tag="secret"):
    pass


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    does: tuple[Hurt | Secret, ...] = ()
    cost: dict[Literal["red", "blue"], int] = {}


class CardFile(Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[tuple[Card, ...], Meta(min_length=1)]


def checks(file: CardFile) -> Iterator[tuple[int, F.Misfit]]:
    for place, card in enumerate(file.cards):
        if not card.does:
            yield place, ("does", Text("card.why.empty"), Text("card.allowed.some"))


def load(source: str | bytes) -> CardFile:
    return F.load(source, "my.toml", CardFile, checks, frozenset(("secret", "nobody")))


GOOD = '[[cards]]\nid = "A"\ndoes = [{ do = "hurt", n = 2 }]\n'


def test_a_card_file_is_read_as_its_model() -> None:
    assert load(GOOD) == load(GOOD.encode()) == CardFile((Card("A", (Hurt(2),)),))


@for_each(
    "source, said",
    [
        (GOOD.replace("n = 2", "n = 12"), ("card A", "does[0].n", "1 to 9")),
        (GOOD.replace('"hurt"', '"burn"'), ("card A", "does[0].do", "hurt")),
        (GOOD.replace("n = 2", 'n = 2, who = "me"'), ("card A", "does[0].who", "all, you")),
        (GOOD + "cost = { green = 1 }\n", ("card A", "cost", "blue, red")),
        (GOOD + "colour = 1\n", ("card A", "colour", "id, does, cost")),
        (GOOD + '[[cards]]\nid = "B"\n', ("card B", "does")),
        ("[[cards]]\nid = 3\n", ("#1", "id")),
        ("cards = []\n", ("cards",)),
        ("cards = [\n", ("my.toml",)),
        (b"\xff", ("my.toml", "UTF-8")),
    ],
)
def test_what_is_wrong_names_card_and_field_and_what_is_allowed(source: str | bytes, said: tuple[str, ...]) -> None:
    with pytest.raises(F.CardError) as caught:
        load(source)
    english = caught.value.text.say("en")
    assert all(part in english for part in (*said, "my.toml")), english
    assert "secret" not in english and "nobody" not in english
    assert caught.value.text.say("ja") != english


def test_the_words_that_may_stand_there_instead_are_those_of_a_literal_or_the_tags_of_a_union() -> None:
    assert list(F.words_of(Hurt | Secret)) == ["hurt", "secret"]
    assert F.other_words(Literal["you", "all"] | Literal["nobody"], "all").say("en") == "you, nobody"


def test_words_that_cannot_be_shown_are_named_by_their_field() -> None:
    assert [field for field, *_ in F.unprintable(en="Bell", ja="鐘\u0007", user="A\nB")] == ["ja", "user"]
