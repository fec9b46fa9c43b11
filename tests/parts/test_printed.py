"""Printed cards of any game: published pools, sample decks, and properties derived from card text."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from domain.law.game import Deck
from domain.law.pools import FIRST
from domain.parts import printed
from domain.parts.cardfile import CardError, Misfit
from domain.parts.cards import Card as AnyCard, CardFile
from domain.parts.grammar import Grammar
from domain.words import Text


class Hurt(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="hurt"):
    n: int


class Says(Struct, frozen=True, forbid_unknown_fields=True):
    do: tuple[Hurt, ...] = ()
    like: str = ""


class Card(AnyCard, frozen=True):
    abilities: tuple[Says, ...] = ()


BLANK = Card("", "unknown card", "不明なカード")


def misfits(card: Card, named: Mapping[str, Card]) -> Iterator[Misfit]:
    for place, said in enumerate(card.abilities):
        if said.like and said.like not in named:
            yield f"abilities[{place}].like", Text("card.why.no_card", {"name": said.like}), ", ".join(named)


def row(face: str, *abilities: str) -> str:
    return f'[[cards]]\nid = "{face}"\nen = "Card {face}"\nja = "札{face}"\nabilities = [{", ".join(abilities)}]\n'


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[printed.PrintedCards[Card, Says, Hurt]]:
    package = tmp_path / "a_printed_game"
    (package / "pools").mkdir(parents=True)
    (package / "__init__.py").touch()
    hurts = '{ do = [{ do = "hurt", n = 1 }, { do = "hurt", n = 2 }] }'
    for name, text in (("1", row("A1", hurts)), ("10", row("C3")), ("2", row("B2", '{ like = "A1" }') + row("A1"))):
        (package / "pools" / f"{name}.toml").write_text(text, encoding="utf-8")
    (package / "decks.toml").write_text('[lone]\nmain = ["A1x2", "B2"]\n[both]\nmain = ["A1"]\nside = ["B2x3"]\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    grammar = Grammar({Says: ("do",)}, {})
    yield printed.PrintedCards("a_printed_game", CardFile[Card], BLANK, grammar, misfits)
    sys.modules.pop("a_printed_game", None)


def test_pools_are_published_in_the_order_of_their_numbers(cards: printed.PrintedCards[Card, Says, Hurt]) -> None:
    first, second, tenth = cards.pools.published.values()
    assert list(cards.pools.published) == ["1", "2", "10"]
    assert [sorted(cards.pools.cards_by_pool[pool]) for pool in (first, second, tenth)] == [
        ["A1"], ["A1", "B2"], ["A1", "B2", "C3"]
    ]  # fmt: skip
    assert cards.card(FIRST, "A1").abilities and not cards.card(second, "A1").abilities
    assert cards.card(FIRST, "B2") is cards.card(FIRST, None) is BLANK


def test_sample_decks_say_how_many_of_a_card_they_hold(cards: printed.PrintedCards[Card, Says, Hurt]) -> None:
    assert cards.decks() == {"lone": Deck(("A1", "A1", "B2")), "both": Deck(("A1",), ("B2", "B2", "B2"))}


def test_what_stands_at_a_path_is_an_ability_or_an_instruction(cards: printed.PrintedCards[Card, Says, Hurt]) -> None:
    assert cards.ability(FIRST, "A1", (0,)).do == cards.program(FIRST, "A1", (0, 1)) == (Hurt(1), Hurt(2))
    assert cards.instruction(FIRST, "A1", (0, 1)) == cards.find_instruction(FIRST, "A1", (0, 1)) == Hurt(2)
    assert cards.find_instruction(FIRST, "A1", (0, 2)) is None and cards.blocks(FIRST, "A1")((0,)) == (Hurt(1), Hurt(2))
    for wrong in (lambda: cards.ability(FIRST, "A1", (0, 0)), lambda: cards.instruction(FIRST, "A1", (0,))):
        with pytest.raises(LookupError):
            wrong()


def test_what_follows_from_the_words_of_a_face_is_worked_out_once(
    cards: printed.PrintedCards[Card, Says, Hurt],
) -> None:
    asked: list[str] = []
    names = cards.cache_by_face(lambda card: asked.append(card.id) or card.en)
    second = cards.pools.published["2"]
    assert [names[pool][face] for pool in (FIRST, second, FIRST) for face in ("A1", None)] == [
        "Card A1", "unknown card"
    ] * 3  # fmt: skip
    assert asked == ["A1", "", "A1", ""]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (row("A1") + row("A1"), "my.toml, card A1, id: another card has this id"),
        (row("A1").replace("Card", "C\\u0007"), "my.toml, card A1, en: "),
        (row("A1").replace("札", "\\u0007"), "my.toml, card A1, ja: "),
        (row("A1", '{ like = "B2" }'), "my.toml, card A1, abilities[0].like: "),
        (row("A1").replace("en =", "fr ="), "my.toml, card A1, fr: "),
    ],
)
def test_a_slip_in_a_card_file_is_named(cards: printed.PrintedCards[Card, Says, Hurt], source: str, said: str) -> None:
    with pytest.raises(CardError) as caught:
        cards.load(source, "my.toml")
    assert str(caught.value.text).startswith(said)


def test_a_card_may_speak_of_those_beside_it_and_in_its_file(cards: printed.PrintedCards[Card, Says, Hurt]) -> None:
    like = row("A1", '{ like = "B2" }')
    assert cards.load(like, "my.toml", {"B2": BLANK}) and len(cards.load(like + row("B2"), "my.toml")) == 2


def test_a_card_is_called_by_its_name_or_by_its_id_where_it_is_not_known() -> None:
    named = [printed.name_of({"B2": BLANK}, face, "en") for face in ("B2", "C3")]
    assert named == [BLANK.en, "C3"] and printed.name_of({"B2": BLANK}, "B2", "ja") == BLANK.ja
