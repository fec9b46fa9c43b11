"""Card text in words: frozen for the sample cards, and defined for every possible text.

`pytest --update` writes the frozen text again.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, inspect
from msgspec.structs import replace

from domain.games.dea import GAME, card_vocabulary as M, text as T
from domain.games.dea.actions import Move, PlayEvent, UseAbility, UseForeshadow
from domain.games.dea.cards import CARDS, POOLS
from domain.games.dea.rendering import render
from domain.games.dea.showing import hint, text, words
from domain.law.pools import FIRST
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.table import CardId, Place, Seat, blank
from domain.words import LANGS, Lang
from tests.rows import for_each
from tests.rules.text_values import everything, members, nested

FROZEN = Path(__file__).parents[3] / "fixtures" / "dea"


def book(lang: Lang) -> str:
    return "\n\n".join("\n".join(GAME.display.card(face, lang)) for face in CARDS) + "\n"


@pytest.mark.parametrize("lang", LANGS)
def test_the_cards_read_as_they_are_frozen(lang: Lang, same_as_file: Callable[[Path, str], None]) -> None:
    assert len(book(lang).split("\n\n")) == len(CARDS)
    same_as_file(FROZEN / f"cards.{lang}.txt", book(lang))


PLAINEST: dict[type, Struct] = {T.Do: T.Draw(n=3), T.Choice: T.ChooseWriter(), M.Condition: M.OwnTurn()}
NAMED: dict[str, Any] = {"name": "trick", "en": "Trick", "ja": "奇術"}

INSTRUCTIONS = everything(T.AnyDo, 2, PLAINEST)
CHOICES = everything(T.AnyChoice, 2, PLAINEST)
CONDITIONS = everything(M.AnyCondition, 2, PLAINEST)
MODIFIERS = everything(T.AnyModifier, 2, PLAINEST)
STATICS = dict.fromkeys(replace(said, name=None, en=None, ja=None) for said in everything(T.Static, 3, PLAINEST))
ONE, TWO = (T.ChooseChar(),), (T.ChooseChar(M.CharacterFilter("own")), T.ChooseChar(M.CharacterFilter("enemy")))

SAID: list[tuple[T.AnyAbility, T.CardType]] = [
    *((T.Event(do=(one,)), "event") for one in INSTRUCTIONS),
    *((T.Event(do=(one, one), choices=asked), "event") for one in INSTRUCTIONS for asked in (ONE, TWO)),
    *((T.Activated(do=(one,), pages=1, **NAMED), "token") for one in INSTRUCTIONS),
    *((T.Automatic(cause="self_damaged", do=(one, one), only_if=(M.OwnTurn(),)), "character") for one in INSTRUCTIONS),
    *((T.Event(do=(T.Draw(n=1, only_if=(one, one)),), only_if=(one,)), "event") for one in CONDITIONS),
    *((T.Foreshadow(do=(T.Draw(n=1),), only_if=(one,), additional=2), "foreshadow") for one in CONDITIONS),
    *((T.Static(on="self", mods=(T.Plus("atk", 1),), only_while=(one,), **NAMED), "character") for one in CONDITIONS),
    *((T.Field(only_if=(one,), abilities=(T.Automatic(cause="own_turn_end", do=(T.Draw(n=1),)),)), "foreshadow")
      for one in CONDITIONS),
    *((T.Event(do=(T.Draw(n=1),), choices=(one,)), "event") for one in CHOICES),
    *((T.Event(do=(T.Draw(n=1),), choices=(one, one)), "event") for one in CHOICES if isinstance(one, T.ChooseChar)),
    *((T.Static(on="you", mods=(one, one)), "equipment") for one in MODIFIERS),
    *((T.Static(on="each", mods=(one,)), "equipment") for one in MODIFIERS),
    *((T.Static(on=M.CharacterFilter(), mods=(one,)), "equipment") for one in MODIFIERS),
    *((said, "character") for said in STATICS),
    *((T.Automatic(cause=cause, do=(T.Draw(n=1),)), "equipment") for cause in T.Cause.__args__),  # type: ignore[attr-defined]
    *((T.Activated(life=3, timing=timing, limit=limit, do=(T.Draw(n=1),), **NAMED), "character")
      for timing in T.Timing.__args__ for limit in T.Limit.__args__),  # type: ignore[attr-defined]
]  # fmt: skip


def lines(said: T.AnyAbility, kind: T.CardType) -> tuple[str, str]:
    made = T.Card("X1", "Made up", "試作", type=kind, colour="red", abilities=(said,))
    (english,), (japanese,) = render(made, "en"), render(made, "ja")
    return english, japanese


def test_every_member_of_the_unions_is_among_what_is_told() -> None:
    told = {type(one) for said, _ in SAID for one in nested(said)}
    assert {one.cls for one in members(inspect.type_info(T.Card), set())} - {T.Card} == told


def test_whatever_a_card_may_say_is_told_in_whole_sentences() -> None:
    for said, kind in SAID:
        english, japanese = lines(said, kind)
        assert english.isascii() and not re.search(r"[{}]|  |\.\.|None|\bself\b|_", english), (said, english)
        assert re.match(r"[A-Z0-9]", english) and re.search(r"[.)]$", english), (said, english)
        japanese = re.sub(r"[0-9][PL] |パッシブ |EP|「(yours|S01|Q1)」", "", japanese)
        assert not re.search(r"[{}_ ]|。。|、、|[A-WZa-z]", japanese), (said, japanese)
        assert re.search(r"[。）]$", japanese), (said, japanese)


def test_what_says_something_else_is_told_otherwise() -> None:
    for place in (0, 1):
        told: dict[str, Any] = {}
        for said, kind in SAID:
            if not any(map(idle, nested(said))):
                other = told.setdefault(lines(said, kind)[place], said)
                assert other == said, (lines(said, kind)[place], other, said)


def idle(piece: Any) -> bool:
    match piece:
        case T.ChooseChar(swaps=True) | T.Costs(n=3 | 1, least=3 | 1):
            return True
        case T.ChooseEmptyCell(within=within, near=near, area=area):
            return (within, near) != (3, "self") and area is not None
        case T.Card():
            return True
        case _:
            return False


@for_each(
    "face, path, said",
    [
        (
            "C11",
            (0,),
            "1L Toll: Choose an event of your opponent on the stack. Its user pays 1 page, or it is negated.",
        ),
        ("C11", (1,), "Passive Evening Ledger: At the end of your turn, if you have no pages, gain 1 page."),
        ("C11", (1, 0), "Gain 1 page"),
        ("G18", (0, 0), "That character gets -2 attack this turn"),
        ("F11", (0,), "Field: At the start of your opponent's turn, your opponent loses 1 life."),
        ("F11", (0, 0), "At the start of your opponent's turn, your opponent loses 1 life."),
        ("F11", (0, 0, 0), "Your opponent loses 1 life"),
        ("F11", (0, 1), ""),
        ("C11", (2,), ""),
        ("C11", (0, 3), ""),
        ("X9", (0,), ""),
    ],
)
def test_a_place_in_a_text_is_told(face: str, path: tuple[int, ...], said: str) -> None:
    assert text(FIRST, face, path, "en") == said
    assert bool(text(FIRST, face, path, "ja")) == bool(said)


def test_two_characters_chosen_are_told_apart() -> None:
    drawn = T.Event(do=(T.Seal(on="second", until="turn"), T.Damage(on="chosen", n=1)), choices=TWO)
    assert lines(drawn, "event") == (
        "Choose one of your characters and an enemy character. Seal the second of them this turn. Deal 1 damage to the "
        "first of them.",
        "自分のキャラクター1人と敵のキャラクター1人を選ぶ。このターンの間、2人目のキャラクターを封印する。"
        "1人目のキャラクターに1点のダメージを与える。",
    )


def test_what_would_be_declared_is_hinted_at() -> None:
    places = {"map:1,1": "C11", "p1.hand": "G07", "p1.foreshadow:1": "F02", "p1.deck": None}
    cards = {CardId(n): (Place(place), face) for n, (place, face) in enumerate(places.items(), 1)}
    facts = [F.Created(place, (card,), (face,), Seat("p1")) for card, (place, face) in cards.items()]
    table = fold(blank((Seat("p1"), Seat("p2"))), facts)
    toll, ledger = UseAbility(CardId(1), "toll"), UseAbility(CardId(1), "evening_ledger")
    assert hint(FIRST, table, toll, "en") == text(FIRST, "C11", (0,), "en")
    assert hint(FIRST, table, PlayEvent(CardId(2)), "ja") == "生存点を3回復する。"
    assert hint(FIRST, table, UseForeshadow(CardId(3)), "en").endswith("Gain 5 life.")
    for nothing in (ledger, UseAbility(CardId(9), "toll"), PlayEvent(CardId(4)), Move(CardId(1))):
        assert hint(FIRST, table, nothing, "en") == ""


def test_abilities_are_called_as_they_are_printed() -> None:
    named = words(FIRST)
    assert (named["wind_up"].en, named["wind_up"].ja, named["C08"].ja) == ("Wind Up", "ぜんまい", "C08 時計屋ゼン")
    assert len(named) == len(POOLS.cards_by_pool[FIRST]) + 17 + 17
    assert named["used.tripwire"].ja == "使用済みの能力「仕掛け糸」"
    assert GAME.rulebook.word("shove", "en") == "Shove"


ON_NO_CARD = {
    "set_move": "printed on equipment only, as a modifier (Q03)",
    "keyword": "printed as a modifier only (C02, C07, Q04, Q09)",
    "battle_running": "printed as a timing (G02, G11)",
}
"""Words in the dossier that none of its cards has, with the other places that use them."""


def test_every_piece_of_text_is_on_some_card() -> None:
    printed = {
        (type(piece).__mro__[1], piece.__struct_config__.tag) for card in CARDS.values() for piece in nested(card)
    }
    unions = (T.AnyDo, T.AnyModifier, T.AnyChoice, T.AnyAbility, M.AnyCondition)
    whole = {(kind.__mro__[1], kind.__struct_config__.tag) for union in unions for kind in union.__args__}
    assert {str(tag) for base, tag in whole - printed} == set(ON_NO_CARD)
    causes = {piece.cause for card in CARDS.values() for piece in nested(card) if isinstance(piece, T.Automatic)}
    assert causes == {*T.Cause.__args__} - {"own_turn_start"}, "C07 has it as its keyword"  # type: ignore[attr-defined]
