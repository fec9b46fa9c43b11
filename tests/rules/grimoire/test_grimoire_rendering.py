"""Card text in words: frozen for the sample cards, and defined for every possible text.

`pytest --update` writes the frozen text again.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, inspect

from domain.games.grimoire import text as T
from domain.games.grimoire.cards import CARDS
from domain.games.grimoire.meaning import And, Is, Selector
from domain.games.grimoire.rendering import about, render
from domain.words import LANGS, Lang
from tests.rules.text_values import everything, members, nested

FROZEN = Path(__file__).parents[3] / "fixtures" / "grimoire"


def book(lang: Lang) -> str:
    blocks = (
        "\n".join((f"{one.id} {one.name_in(lang)}", about(one, lang), *render(one, lang))) for one in CARDS.values()
    )
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize("lang", LANGS)
def test_the_cards_read_as_they_are_frozen(lang: Lang, same_as_file: Callable[[Path, str], None]) -> None:
    assert len(book(lang).split("\n\n")) == len(CARDS)
    same_as_file(FROZEN / f"cards.{lang}.txt", book(lang))


PLAINEST: dict[type, Struct] = {T.Do: T.Shuffle(), T.Ability: T.Keyword("surprise")}


def lines(said: T.PrintedAbility, kind: Any = "spell") -> tuple[str, str]:
    made = T.Card(id="X1", en="Made up", ja="試作", type=kind, user="K", power=1, toughness=1, abilities=(said,))
    (english,), (japanese,) = render(made, "en"), render(made, "ja")
    return english, japanese


INSTRUCTIONS = everything(T.AnyDo, 1, PLAINEST)
ABILITIES = [one for one in everything(T.AnyAbility, 2, PLAINEST) if not isinstance(one, T.Keyword)]


def cast(*do: Any) -> T.Triggered:
    return T.Triggered(event="cast_self", do=do)


SAID = [
    *ABILITIES,
    *(cast(one) for one in INSTRUCTIONS),
    *(T.Triggered(event="cast_self", do=(one, one), cond=Is("target", "spell")) for one in INSTRUCTIONS),
    *(cast(T.May((one,))) for one in INSTRUCTIONS),
    *(cast(T.May((one, one))) for one in INSTRUCTIONS),
    *(cast(T.If(Is("target", "spell"), (one,), (one,))) for one in INSTRUCTIONS),
    *(cast(T.Each("opponents", (one,))) for one in INSTRUCTIONS),
    *(cast(T.Pay((T.PayMana(1), T.JunkSelf()), (one,))) for one in INSTRUCTIONS),
    *(cast(T.May((T.Pay((T.PayMana(1), T.JunkSelf()), (one,)),))) for one in INSTRUCTIONS),
    *(cast(T.Buff("self", (T.Gain(one),), "this_turn")) for one in ABILITIES),
]


def test_every_member_of_the_unions_is_among_what_is_told() -> None:
    told = {type(one) for said in SAID for one in nested(said)}
    text = inspect.type_info(T.Card)
    assert {one.cls for one in members(text, set())} - {T.Card} == told


def test_whatever_a_card_may_say_is_told_in_whole_sentences() -> None:
    for said in SAID:
        english, japanese = lines(said)
        assert english.isascii() and not re.search(r"[{}]|  |\.\.|None|\bself\b|_", english), (said, english)
        assert re.match(r"[A-Z\[]", english) and re.search(r"[.)]$", english), (said, english)
        wrong = r"[{}_ ]|。。|[A-Za-z]{2,}|(?<![てで])も(よい|よく)"
        assert not re.search(wrong, japanese.replace("「yours」", "")), (said, japanese)
        assert re.search(r"[。)]$", japanese), (said, japanese)


def test_what_says_something_else_is_told_otherwise() -> None:
    for place in (0, 1):
        told: dict[str, Any] = {}
        for said in (*ABILITIES, *(cast(one) for one in INSTRUCTIONS)):
            if not any(map(idle, nested(said))):
                other = told.setdefault(lines(said)[place], said)
                assert other == said, lines(said)[place]


def idle(piece: Any) -> bool:
    match piece:
        case T.Move(to="hand" | "bookmark" | "junkyard", at="bottom"):
            return True
        case And(all=(_,)):
            return True
        case T.Continuous(on=Selector(kind="card", zone=zone)):
            return zone is not None
        case T.Choose(what="opponent" | "colour", least=least, most=most):
            return (least, most) != (1, 1)
        case _:
            return False
