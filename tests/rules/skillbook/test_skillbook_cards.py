"""The sample cards and decks, places in card text, and card files that are refused."""

from collections import Counter

import pytest

from domain.games.skillbook import meaning as M, text as T
from domain.games.skillbook.cards import BLANK, CARDS, POOLS, ability, blocks, card, decks, instruction, program
from domain.games.skillbook.rules import Rules
from domain.law.pools import FIRST

SAMPLES = POOLS.held[FIRST]
"""The sample set: the pool that was published first."""
PUBLISHED = {"1": "89862b50ef13d329"}
"""The hash of every pool ever published. Only added to."""


# -- the sample set ---------------------------------------------------------------------------------------------------


def test_published_pools_are_frozen() -> None:
    assert POOLS.published == PUBLISHED


def test_the_sample_set_has_the_kinds_of_card_of_the_dossier() -> None:
    kinds = Counter(one.type for one in SAMPLES.values())
    skills = {"monster": 24, "spell": 27, "bind": 6, "aura": 6, "curse": 5}
    assert kinds == {"hero": 6, "basic": 6, "start": 1, "special": 13, **skills, "token": 1}
    assert len({one.en for one in SAMPLES.values()}) == len({one.ja for one in SAMPLES.values()}) == 95
    assert {face for face, one in SAMPLES.items() if one.type in T.SKILLS} == {f"S{n:02}" for n in range(1, 69)}
    assert {face for face, one in SAMPLES.items() if one.type == "hero"} == {f"H{n:02}" for n in range(1, 7)}
    assert {face for face, one in SAMPLES.items() if one.type == "special"} == {f"T{n:02}" for n in range(1, 14)}


@pytest.mark.parametrize(
    ("face", "en", "ja", "element", "printed"),
    [
        ("H01", "Brannoc Forgehand", "鍛冶の手ブラノック", "fire", (0, None, 3, 12, 2)),
        ("H06", "Sora the Unbound", "縛られぬソラ", None, (0, None, 2, 10, 2)),
        ("S02", "Cinder Brute", "燃え殻の巨漢", "fire", (4, 2, 4, 4, 1)),
        ("S26", "Great Conflagration", "大火", "fire", (10, 4, 0, 0, 0)),
        ("S21", "Clay Soldier", "土くれ兵", None, (1, None, 1, 2, 1)),
        ("Bone", "Bone", "骨", None, (0, None, 1, 1, 1)),
    ],
)
def test_cards_have_their_printed_values(
    face: str, en: str, ja: str, element: str | None, printed: tuple[object, ...]
) -> None:
    one = card(FIRST, face)
    assert (one.en, one.ja, one.element) == (en, ja, element)
    assert (one.cost, one.double_cost, one.at, one.df, one.sp) == printed


def test_the_set_adds_up_to_its_printed_totals() -> None:
    skills = [one for one in SAMPLES.values() if one.type in T.SKILLS]
    monsters = [one for one in skills if one.type == "monster"]
    assert [sum(getattr(one, name) for one in monsters) for name in ("cost", "at", "df", "sp")] == [75, 48, 67, 42]
    assert sum(one.cost for one in skills) == 196
    assert sum(one.cost - one.double_cost for one in skills if one.double_cost is not None) == 27
    elements = {"fire": 12, "earth": 15, "wind": 12, "water": 11, "dark": 10, None: 8}
    assert Counter(one.element for one in skills) == elements
    assert {one.id for one in skills if one.cast} == {"S26", "S32", "S43", "S46", "S47", "S59", "S65"}
    assert "".join(sorted(one.id for one in skills if one.response)) == "S23S27S29S30S33S34S37S38S42S48S65S66"


def test_the_basic_terrains_give_their_elements_and_nothing_else() -> None:
    basic = {face: one for face, one in SAMPLES.items() if one.type in ("basic", "start")}
    assert {face: "".join(one.elements) for face, one in basic.items()} == {
        "mountain": "fire", "forest": "earth", "plain": "wind", "spring": "water", "town": "dark", "wasteland": "",
        "start": "",
    }  # fmt: skip
    assert not any(one.abilities for one in basic.values())


def test_an_unknown_face_says_nothing() -> None:
    assert card(FIRST, None) is card(FIRST, "S99") is card(FIRST, "") is BLANK
    assert BLANK.abilities == () and BLANK.cost == 0


@pytest.mark.parametrize(
    ("name", "hero", "size"),
    [("forge_march", "H01", 25), ("drowned_sky", "H04", 27), ("night_tax", "H05", 20), ("high_road", "H03", 30)],
)
def test_the_sample_decks_are_legal(name: str, hero: str, size: int) -> None:
    rules = Rules()
    deck = [CARDS[face] for face in decks()[name].main]
    book = [one for one in deck if one.type in T.SKILLS]
    area = [one for one in deck if one.type in T.TERRAINS]
    assert [one.id for one in deck if one.type == "hero"] == [hero] and len(deck) == 1 + len(book) + len(area)
    assert len(book) == size and rules.book_min <= size <= rules.book_max and decks()[name].side == ()
    assert len(area) == rules.map_size and sum(one.type == "start" for one in area) == 1
    copies = Counter(one for one in deck if one.type not in ("basic", "start", "hero"))
    most = {True: rules.cast_max, False: rules.same_name_max}
    assert all(number <= most[one.cast] for one, number in copies.items())


# -- places in a text -------------------------------------------------------------------------------------------------


def test_an_instruction_is_found_by_its_path() -> None:
    assert instruction(FIRST, "S40", (0, 1)) == T.Draw()
    assert instruction(FIRST, "S06", (1, 0)) == T.Damage(on=("attacker",), n=1)
    assert instruction(FIRST, "S20", (0, 0)) == T.MakeToken(token="Bone")
    assert program(FIRST, "S32", (0, 1)) == (T.BuryToBook(n=3), T.RemoveThis())
    assert blocks(FIRST, "S40")((0,)) == (T.LookAtHand(), T.Draw()) and blocks(FIRST, "S40")((0, 0)) == ()


def test_an_ability_is_found_by_its_path() -> None:
    attached, lasting = ability(FIRST, "S49", (0,)), ability(FIRST, "S49", (1,))
    assert isinstance(attached, T.Use) and isinstance(attached.targets[0], M.UnitTarget) and not attached.do
    assert isinstance(lasting, T.Continuous) and lasting.on == "host"


@pytest.mark.parametrize(
    ("face", "path"), [("S40", ()), ("S40", (0,)), ("S40", (1, 0)), ("S40", (0, 2)), ("S49", (0, 0)), ("S49", (1, 0))]
)
def test_a_path_where_no_instruction_stands_is_a_lookup_error(face: str, path: tuple[int, ...]) -> None:
    with pytest.raises(LookupError):
        instruction(FIRST, face, path)
    with pytest.raises(LookupError):
        program(FIRST, face, path)
