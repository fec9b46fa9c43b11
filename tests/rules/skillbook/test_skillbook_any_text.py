"""Invented cards: every possible card text can be played to an end and does what it says."""

from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec.structs import replace

from domain.formats.casebook import load_casebook, run_case
from domain.games.skillbook import GAME, meaning as M, text as T
from domain.games.skillbook.card_checks import find_mistakes
from domain.games.skillbook.cards import CARDS, POOLS
from domain.games.skillbook.rules import Rules
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.pools import FIRST, Overlay
from recorder.simulate import simulate
from tests.rows import for_each
from tests.rules.skillbook.test_skillbook_rendering import EVENTS, INSTRUCTIONS, SAID

PLAIN: dict[T.CardType, str] = {
    "hero": "H01", "monster": "S01", "special": "T11", "spell": "S24", "bind": "S49", "aura": "S55", "curse": "S61",
    "token": "Bone",
}  # fmt: skip


def allowed(card: T.Card) -> bool:
    return next(find_mistakes(card, CARDS), None) is None


def with_abilities(card: T.Card, *abilities: T.AnyAbility) -> T.Card:
    """Return the card with these abilities; it keeps its own use unless they include one."""
    uses = [said for said in (*abilities, *card.abilities) if isinstance(said, T.Use)][:1]
    return replace(card, abilities=(*uses, *(said for said in abilities if not isinstance(said, T.Use))))


NEEDING = (T.Cover, T.Explore, T.LookAt, T.MakeToken, T.Negate, T.Recall, T.Destroy, T.Heal, T.Teleport, T.Mod)
"""Instructions that need a target, or other arguments than the first possible ones."""
AIMS: tuple[M.AnyTarget, ...] = (
    M.SquareTarget(),
    M.ItemTarget(),
    M.TerrainTarget(face_up=False),
    M.TerrainTarget(face_up=True, unoccupied=True),
    M.UnitTarget(M.Units(hero=False)),
    M.UnitTarget(M.Units(hero=True)),
)


def fitting(do: T.AnyDo) -> T.AnyDo:
    match do:
        case T.MakeToken():
            return replace(do, token="Bone")
        case T.Mod():
            return replace(do, until="eot")
        case _:
            return do


def aimed() -> Iterator[T.AnyAbility]:
    for do in dict.fromkeys(fitting(do) for do in INSTRUCTIONS if isinstance(do, NEEDING)):
        for target in AIMS:
            yield T.Use(do=(do,), targets=(target,))
            yield T.Activated(do=(do,), targets=(target,), mill=1, response=True)
            yield from (T.Triggered(event=event, do=(do,), targets=(target,)) for event in EVENTS)


@cache
def sayable(kind: T.CardType) -> tuple[T.AnyAbility, ...]:
    plain = CARDS[PLAIN[kind]]
    there = dict.fromkeys((*(said for said, _ in SAID), *aimed()))
    return tuple(
        said for said in there if allowed(with_abilities(plain, said)) and said in with_abilities(plain, said).abilities
    )


def invent_card(random: Random) -> Iterator[tuple[str, T.Card]]:
    for face, card in CARDS.items():
        if card.type in PLAIN:
            made = with_abilities(card, *random.sample(sayable(card.type), random.choice((1, 1, 2, 3))))
            if allowed(made):
                yield face, made


def test_there_is_much_that_every_kind_of_card_may_say() -> None:
    assert min(len(sayable(kind)) for kind in PLAIN) > 30
    said = {type(do) for kind in PLAIN for said in sayable(kind) for do in getattr(said, "do", ())}
    assert said == {*T.AnyDo.__args__} - {T.RemoveThis}, "a printed spell alone is removed"


@for_each("seed", range(4))
def test_cards_that_say_whatever_they_may_are_played_to_an_end(seed: int) -> None:
    cards = dict(invent_card(Random(seed)))
    assert len(cards) > 70
    law = Law(GAME, Rules(cards=POOLS.lay_over(FIRST, cards)))
    assert fold_entries(simulate(law, seed)).result is not None


POSITION = """
game = "skillbook"
version = "1"
[[case]]
id = "made-up"
[case.given]
turn = 5
active = "p1"
first = "p1"
phase = "main"
step = "idle"
awaited = ["p1"]
seats = { p1 = { start_row = 1, laid_out = 1 }, p2 = { start_row = 1, laid_out = 1 } }
[case.given.places]
"ground:*,*" = ["wasteland up owner=p1"]
"ground:4,1" = ["mountain up owner=p1"]
"unit:4,1" = ["H01 owner=p1"]
"unit:4,7" = ["H05 owner=p2"]
"unit:4,3" = ["S01 owner=p2"]
"p1.table" = ["S24"]
"p1.book" = ["x9"]
"p2.book" = ["x9"]
[[case.step]]
when = ["p1: use_skill S24 targets=S01"]
then.asked = ["p2 choose_targets"]
[[case.step]]
when = ["p2: choose_targets square=c3"]
then.places = { "unit:3,3" = ["Bone"], "unit:4,3" = [] }
"""
HOUND = """
[[cards]]
id = "S01"
en = "Ember Hound"
ja = "残り火の犬"
type = "monster"
element = "fire"
cost = 2
at = 2
df = 2
sp = 2
abilities = [
    { kind = "triggered", event = "destroyed", targets = [{ target = "square", range = { reach = "line", n = 1, of = "last_square" } }], do = [{ do = "token", token = "Bone" }] },
]
"""  # noqa: E501


def test_a_token_comes_to_the_square_that_a_trigger_chose() -> None:
    (case,) = load_casebook(POSITION).cases
    report = run_case(case, GAME, cards=Overlay("my.toml", HOUND))
    assert report.passed, report.failures
