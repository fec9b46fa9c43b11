"""Card text in words: frozen for the sample cards, and defined for every possible text.

`pytest --update` writes the frozen text again.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, inspect
from msgspec.structs import replace

from domain.games.skillbook import GAME, meaning as M, text as T
from domain.games.skillbook.actions import DeclareMove, UseAbility, UseSkill
from domain.games.skillbook.aim_checks import Scope, refs
from domain.games.skillbook.cards import CARDS, POOLS
from domain.games.skillbook.rendering import about, render
from domain.games.skillbook.showing import hint, text, words
from domain.law.pools import FIRST
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.table import CardId, Place, Seat, blank
from domain.words import LANGS, Lang
from tests.rows import for_each
from tests.rules.text_values import everything, members, nested

FROZEN = Path(__file__).parents[3] / "fixtures" / "skillbook"


def book(lang: Lang) -> str:
    return "\n\n".join("\n".join(GAME.display.card(face, lang)) for face in CARDS) + "\n"


@pytest.mark.parametrize("lang", LANGS)
def test_the_cards_read_as_they_are_frozen(lang: Lang, same_as_file: Callable[[Path, str], None]) -> None:
    assert len(book(lang).split("\n\n")) == len(CARDS)
    same_as_file(FROZEN / f"cards.{lang}.txt", book(lang))


@for_each("face, en, ja", [
        ("H06", "Hero · no element · warrior, mage · AT 2 · HP 10 · SP 2",
         "ヒーロー ・ 無属性 ・ 戦士、メイジ ・ AT2 ・ HP10 ・ SP2"),
        ("T11", "Special terrain · fire, wind", "特殊地形 ・ 火、風"),
        ("start", "Start point", "スタートポイント"),
        ("S02", "Monster · fire · cost 4(2) · AT 4 · DF 4 · SP 1",
         "モンスター ・ 火 ・ コスト4(2) ・ AT4 ・ DF4 ・ SP1"),
        ("S42", "Spell · dark · response · cost 1 · lose 1 HP", "スペル ・ 闇 ・ レスポンス ・ コスト1 ・ HPを1失う"),
        ("S45", "Spell · no element · cost 1 · warrior only", "スペル ・ 無属性 ・ コスト1 ・ 戦士専用"),
        ("S63", "Curse · water · cost 4 · dispel 4", "呪い ・ 水 ・ コスト4 ・ 解除4"),
        ("S65", "Curse · wind · response · cast · cost 5(3) · dispel 4",
         "呪い ・ 風 ・ レスポンス ・ キャスト ・ コスト5(3) ・ 解除4"),
    ])  # fmt: skip
def test_the_values_of_a_card_stand_in_one_line(face: str, en: str, ja: str) -> None:
    assert (about(CARDS[face], "en"), about(CARDS[face], "ja")) == (en, ja)


PLAINEST: dict[type, Struct] = {T.Do: T.Draw(), M.Target: M.UnitTarget(), T.Modifier: T.Plus("at", 1)}

INSTRUCTIONS = everything(T.AnyDo, 3, PLAINEST)
TARGETS = everything(M.AnyTarget, 3, PLAINEST)
MODIFIERS = everything(T.AnyModifier, 2, PLAINEST)
UNITS = everything(M.Units, 2, PLAINEST)
EVENTS: tuple[T.Event, ...] = T.Event.__args__  # type: ignore[attr-defined]
CONDITIONS: tuple[M.Condition, ...] = M.Condition.__args__  # type: ignore[attr-defined]
ONE, TWO = (M.UnitTarget(),), (M.UnitTarget(), M.UnitTarget(M.Units(different=True)))
THERE = (M.UnitTarget(), M.SquareTarget())
TERRAIN = (M.TerrainTarget(),)


def every_ability() -> Iterator[tuple[T.AnyAbility, T.CardType]]:
    for do in INSTRUCTIONS:
        yield from ((T.Use(do=(do,), targets=targets), "spell") for targets in (ONE, TWO, THERE, TERRAIN))
        yield from ((T.Triggered(event=event, do=(do, do)), "special") for event in ("entered", "turn_end"))
        yield T.Triggered(event="milled", do=(do,), may=True), "monster"
        yield T.Triggered(event="turn_end", do=(do,)), "curse"
    for target in TARGETS:
        yield T.Use(do=(T.Ready("target"),), targets=(target,)), "spell"
        yield T.Use(targets=(target,)), "bind"
        yield T.Activated(mill=2, do=(T.Draw(),), targets=(M.UnitTarget(), target)), "hero"
        yield from ((T.Triggered(event="removed", do=(T.Draw(),), targets=(target,), may=may), "curse")
                    for may in (False, True))  # fmt: skip
    yield T.Use(do=(T.Damage(("target", "pierced"), 1),), targets=ONE, path=True), "spell"
    for mod in MODIFIERS:
        yield from ((T.Continuous(on=on, mods=(mod, mod)), "hero") for on in ("this", "you", "opponent"))
        yield T.Continuous(on="occupant", mods=(mod,)), "special"
        yield T.Continuous(on="host", mods=(mod,)), "bind"
        yield T.Continuous(on="cursed", mods=(mod,)), "curse"
    for units in UNITS:
        yield from ((T.Continuous(on=units, mods=(T.Plus("at", 1),)), type) for type in ("aura", "curse"))
        yield T.Use(do=(T.Exhaust(units),)), "spell"
    for condition in CONDITIONS:
        yield T.Continuous(on="this", mods=(T.Plus("sp", -2),), only_if=condition), "monster"
        yield T.Continuous(on="you", mods=(T.Cannot("use_response_skills"),), only_if=condition), "token"
    for event in EVENTS:
        for type in ("monster", "special", "aura"):
            yield T.Triggered(event=event, do=(T.Draw(),)), type
            yield from ((T.Triggered(event=event, do=(T.Draw(),), only_if=(one,)), type) for one in CONDITIONS)
    yield T.Triggered(event="battle_damage", do=(T.Draw(),), only_if=("by_this", "to_hero")), "monster"
    yield T.Triggered(event="turn_end", do=(T.Draw(),), only_if=("is_attacker", "to_hero")), "monster"
    for tap, once, response in ((tap, once, response) for tap in (0, 1) for once in (0, 1) for response in (0, 1)):
        costs = {"tap": bool(tap), "once": bool(once), "response": bool(response)}
        yield from ((T.Activated(mill=mill, do=(T.Draw(),), **costs), "token") for mill in (0, 3))


SAID = list(dict.fromkeys(every_ability()))


def lines(said: T.AnyAbility, kind: T.CardType) -> tuple[str, str]:
    made = T.Card(id="X1", en="Made up", ja="試作", type=kind, abilities=(said,))
    (english,), (japanese,) = render(made, "en"), render(made, "ja")
    return english, japanese


def test_every_member_of_the_unions_is_among_what_is_told() -> None:
    told = {type(one) for said, _ in SAID for one in nested(said)}
    assert {one.cls for one in members(inspect.type_info(T.Card), set())} - {T.Card} == told


def test_whatever_a_card_may_say_is_told_in_whole_sentences() -> None:
    for said, kind in SAID:
        english, japanese = lines(said, kind)
        assert english.isascii() and not re.search(r"[{}]|  |\.\.|None|\bself\b|_|\ba [aeio]", english), (said, english)
        assert re.match(r"(- |\+ ([0-9T]|, )+( \([a-z, ]+\))?: )?[A-Z]", english), (said, english)
        assert re.search(r"[.)]$", english), (said, english)
        japanese = re.sub(r"AT|DF|SP|HP|[0-9]P|T[：（]|[－＋] |「(yours|S01|Q1)」", "", japanese)
        assert not re.search(r"[{}_ ]|。。|、、|[A-Za-z]", japanese), (said, japanese)
        assert re.search(r"[。）]$", japanese), (said, japanese)


def test_what_says_something_else_is_told_otherwise() -> None:
    for place in (0, 1):
        told: dict[str, Any] = {}
        for said, kind in SAID:
            if aims(said, kind) and not any(map(idle, nested(said))):
                other = told.setdefault(lines(said, kind)[place], (said, kind))
                assert other[0] == said, (lines(said, kind)[place], other, said)


def aims(said: T.AnyAbility, kind: T.CardType) -> bool:
    scope = Scope.of(T.Card(id="X1", en="Made up", ja="試作", type=kind), {}, said)
    done = () if isinstance(said, T.Continuous) else said.do
    named = (ref for do in done for ref in refs(do) if ref in ("target", "second"))
    went = (do.to for do in done if isinstance(do, T.Teleport))
    return all(map(scope.means, map(str, named))) and all(
        scope.target_of(to, M.SquareTarget, M.TerrainTarget) for to in went
    )


def idle(piece: Any) -> bool:
    match piece:
        case M.Range(reach="any", n=n, of=of):
            return (n, of) != (0, "start")
        case T.Has(name=name, n=n):
            return name != "ranged" and n != 0
        case _:
            return False


def test_keywords_stand_in_a_line_before_the_abilities() -> None:
    made = replace(CARDS["S10"], keywords=(T.Has("ranged", 3), T.Has("flying")))
    assert render(made, "en")[0] == "Ranged 3, flying." and len(render(made, "en")) == 2
    assert render(made, "ja")[0] == "遠隔攻撃3、飛行。"


def test_two_units_aimed_at_are_told_apart() -> None:
    drawn = T.Use(do=(T.Exhaust("second"), T.Ready("target")), targets=TWO)
    assert lines(drawn, "spell") == (
        "Target a unit and another unit. Exhaust the second of them. Make the first of them active.",
        "ユニット1体と、他のユニット1体を対象とする。2体目のユニットを消耗させる。1体目のユニットを活動状態にする。",
    )


@for_each(
    "face, path, said",
    [
        ("S40", (0,), "Look at your opponent's hand. Draw a card."),
        ("S40", (0, 1), "Draw a card"),
        ("S49", (0,), "Bind this card to one of your units within line 2."),
        ("S49", (1,), "- The bound unit gets +2 AT."),
        ("S54", (1,), "- The bound terrain also has the element earth."),
        ("S07", (0, 0), "Heal that hero by 1"),
        ("T01", (0, 0), "Deal 1 damage to that unit"),
        ("T13", (0, 0), "Deal 1 damage to the unit here"),
        ("T08", (0, 0), "Teleport the unit here to that terrain"),
        ("S40", (1,), ""),
        ("S40", (0, 2), ""),
        ("S49", (0, 0), ""),
        ("X9", (0,), ""),
    ],
)
def test_a_place_in_a_text_is_told(face: str, path: tuple[int, ...], said: str) -> None:
    assert text(FIRST, face, path, "en") == said
    assert bool(text(FIRST, face, path, "ja")) == bool(said)


def test_what_would_be_declared_is_hinted_at() -> None:
    places = {"unit:1,1": "S16", "p1.hand": "S31", "p1.table": "S10", "p1.book": None}
    cards = {CardId(n): (Place(place), face) for n, (place, face) in enumerate(places.items(), 1)}
    facts = [F.Created(place, (card,), (face,), Seat("p1")) for card, (place, face) in cards.items()]
    table = fold(blank((Seat("p1"), Seat("p2"))), facts)
    assert hint(FIRST, table, UseAbility(CardId(1), 0), "en") == text(FIRST, "S16", (0,), "en")
    assert hint(FIRST, table, UseSkill(CardId(2)), "ja") == "自分のヒーローのHPを3回復する。"
    assert hint(FIRST, table, UseSkill(CardId(3)), "en").startswith("Flying, ranged 2, its attacks pierce. - This unit")
    for nothing in (UseAbility(CardId(1), 1), UseAbility(CardId(9), 0), UseSkill(CardId(4)), DeclareMove(CardId(1))):
        assert hint(FIRST, table, nothing, "en") == ""


def test_cards_are_called_by_their_ids_and_names() -> None:
    named = words(FIRST)
    assert len(named) == len(POOLS.cards_by_pool[FIRST]) + 2
    assert (named["T08"].en, named["town"].ja) == (
        "T08 Gate Stone",
        "town 街",
    )
    assert (named["used.0"].en, named["used.1"].ja) == ("ability 0 used in turn", "能力1を使用したターン")
    assert GAME.rulebook.word("S25", "ja") == "S25 炎の槍"


def test_every_piece_of_text_is_on_some_card() -> None:
    pieces = [piece for card in CARDS.values() for piece in nested(card)]
    printed = {(type(piece).__mro__[1], piece.__struct_config__.tag) for piece in pieces}
    unions = (T.AnyDo, T.AnyModifier, T.AnyAbility, M.AnyTarget)
    whole = {(kind.__mro__[1], kind.__struct_config__.tag) for union in unions for kind in union.__args__}
    assert whole <= printed
    triggered = [piece for piece in pieces if isinstance(piece, T.Triggered)]
    lasting = [piece.only_if for piece in pieces if isinstance(piece, T.Continuous)]
    assert {piece.event for piece in triggered} == {*EVENTS}
    assert {one for piece in triggered for one in piece.only_if} | {*lasting} - {None} == {*CONDITIONS}
