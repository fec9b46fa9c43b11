"""The sample cards and decks, places in card text, and card files that are refused."""

from collections import Counter

import pytest

from domain.games.skillbook import meaning as M, text as T
from domain.games.skillbook.cards import (
    BLANK,
    CARDS,
    POOLS,
    ability,
    blocks,
    card,
    decks,
    instruction,
    load_cards,
    program,
)
from domain.games.skillbook.rules import Rules
from domain.law.pools import FIRST
from domain.parts.cardfile import CardError, words_of
from domain.words import LANGS
from tests.rows import for_each

SAMPLES = POOLS.cards_by_pool[FIRST]
PUBLISHED = {"1": "89862b50ef13d329"}
"""Hash of every published pool. Only add to it."""


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


@for_each(
    "face, en, ja, element, printed",
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


@for_each(
    "name, hero, size",
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


@for_each(
    "face, path", [("S40", ()), ("S40", (0,)), ("S40", (1, 0)), ("S40", (0, 2)), ("S49", (0, 0)), ("S49", (1, 0))]
)
def test_a_path_where_no_instruction_stands_is_a_lookup_error(face: str, path: tuple[int, ...]) -> None:
    with pytest.raises(LookupError):
        instruction(FIRST, face, path)
    with pytest.raises(LookupError):
        program(FIRST, face, path)


_VALUES = {
    "hero": {"classes": '["mage"]', "at": "1", "df": "9", "sp": "1"},
    "monster": {"element": '"fire"', "cost": "2", "at": "1", "df": "1", "sp": "1"},
    "token": {"df": "1"},
    **{key: {"element": '"fire"', "cost": "2"} for key in ("spell", "bind", "aura", "curse")},
}
NOTHING, SOME, ONCE = "nothing (omit it)", "a list of one or more", "each once"
DRAW, UNIT, SQUARE, ITEM = (
    '{ do = "draw" }',
    '{ target = "unit" }',
    '{ target = "square" }',
    '{ target = "stack_item" }',
)
READY = '{ do = "ready", on = "target" }'
PLUS = '{ mod = "stat", to = "at", n = 1 }'
FLYING = '{ mod = "keyword", name = "flying" }'
SILENCE = '{ mod = "ban", act = "use_response_skills" }'
TERRAIN = '{ target = "terrain", face_up = true, unoccupied = true }'


def make(*abilities: str, type: str = "monster", **instead: str) -> str:
    fields = {"id": '"X1"', "en": '"Made up"', "ja": '"試作"', "type": f'"{type}"'} | _VALUES.get(type, {}) | instead
    rows = [f"{key} = {value}" for key, value in fields.items()]
    return "\n".join(("[[cards]]", *rows, f"abilities = [{', '.join(abilities)}]")) + "\n"


def use(do: str = "", targets: str = "", more: str = "") -> str:
    return f'{{ kind = "use", targets = [{targets}], do = [{do}]{more} }}'


def spell(do: str, targets: str = "", more: str = "", **instead: str) -> str:
    return make(use(do, targets, more), type="spell", **instead)


def bind(mod: str = PLUS, targets: str = UNIT, on: str = '"host"', do: str = "") -> str:
    return make(use(do, targets), always(mod, on), type="bind")


def always(mod: str, on: str = '"this"', more: str = "") -> str:
    return f'{{ kind = "continuous", on = {on}, mods = [{mod}]{more} }}'


def active(do: str = DRAW, targets: str = "", cost: str = "mill = 1") -> str:
    return f'{{ kind = "activated", {cost}, targets = [{targets}], do = [{do}] }}'


def when(event: str, do: str = DRAW, targets: str = "", *conditions: str) -> str:
    only_if = ", ".join(f'"{condition}"' for condition in conditions)
    return f'{{ kind = "triggered", event = "{event}", if = [{only_if}], targets = [{targets}], do = [{do}] }}'


def within(reach: str, n: int, of: str = "start") -> str:
    return f'range = {{ reach = "{reach}", n = {n}, of = "{of}" }}'


def unit(*words: str) -> str:
    return f'{{ target = "unit", of = {{ {", ".join(words)} }} }}'


def does(name: str, **values: str) -> str:
    return f'{{ do = "{name}"' + "".join(f", {key} = {value}" for key, value in values.items()) + " }"


def refusal(source: str) -> str:
    with pytest.raises(CardError) as caught:
        load_cards(source, "my.toml", CARDS)
    text = caught.value.text
    assert all("my.toml" in text.say(lang) for lang in LANGS)
    assert "allowed" not in text.say("ja")
    return text.say("en")


def but(words: object, *left_out: str) -> str:
    return ", ".join(word for word in words_of(words) if word not in left_out)


ON_THIS, ON_TARGET, MILL = '"this"', '"target"', does("mill", who='"opponent"', n="1")
HEAL, RECALL = does("heal", on=ON_TARGET, n="1"), does("recall", on=ON_TARGET)
LOOK, COVER, NEGATE, TOKEN = does("look"), does("cover"), does("negate"), does("token", token='"Bone"')
THERE, SWAP = does("teleport", on=ON_TARGET, to='"second"'), does("swap")
BURY = does("bury_to_book", n="1")
ALWAYS, ALL_EVENTS = "continuous, activated, triggered", "turn_start, turn_end, battle_start, battle_end"


@for_each("source, field, allowed", [
        # type of a field
        (spell('{ do = "zap" }'), "abilities[0].do[0].do", but(T.AnyDo)),
        (spell(does("damage", on="[]", n="1")), "abilities[0].do[0].on", SOME),
        (make(always("")), "abilities[0].mods", SOME),
        (make(when("doomsday")), "abilities[0].event", ", ".join(sorted(words_of(T.Event)))),
        (make(en='"Bell\\u0007"'), "en", "letters, digits, punctuation and spaces"),
        (make() + make(), "id", "a unique id"),
        # fields of a kind of card
        (make(dispel_cost="1"), "dispel_cost", NOTHING),
        (make(elements='["fire"]'), "elements", NOTHING),
        (make(type="hero", cost="1"), "cost", NOTHING),
        (make(type="hero", response="true"), "response", NOTHING),
        (make(type="special", element='"fire"'), "element", NOTHING),
        (make(type="special", at="1"), "at", NOTHING),
        (make(type="start", elements='["fire"]'), "elements", NOTHING),
        (make(type="token", element='"fire"'), "element", NOTHING),
        (make(type="aura", at="1"), "at", NOTHING),
        (make(type="aura", keywords='[{ name = "flying" }]'), "keywords", NOTHING),
        (make(type="aura", requirement='"rogue"', classes='["rogue"]'), "classes", NOTHING),
        (make(df="0"), "df", "1 to 99"),
        (make(type="hero", df="0"), "df", "1 to 99"),
        (make(type="token", df="0"), "df", "1 to 99"),
        (make(type="hero", classes="[]"), "classes", but(M.Class)),
        (make(type="hero", classes='["mage", "mage"]'), "classes", ONCE),
        (make(type="special", elements='["fire", "fire"]'), "elements", ONCE),
        (make(type="basic", elements='["fire"]'), "id", "mountain, forest, plain, spring, town, wasteland"),
        (make(type="basic", id='"mountain"', elements='["wind"]'), "elements", "fire"),
        (make(type="basic", id='"forest"'), "elements", "earth"),
        (make(type="basic", id='"wasteland"', elements='["dark"]'), "elements", NOTHING),
        # costs and keywords
        (make(double_cost="2"), "double_cost", "0 to 1"),
        (make(cost="0", double_cost="0"), "double_cost", NOTHING),
        (spell(DRAW, double_cost="1").replace('element = "fire"', ""), "double_cost", NOTHING),
        (make(keywords='[{ name = "ranged" }]'), "keywords[0].n", "1 to 99"),
        (make(keywords='[{ name = "flying", n = 2 }]'), "keywords[0].n", NOTHING),
        (make(keywords='[{ name = "flying" }, { name = "flying" }]'), "keywords[1].name", ONCE),
        (make(active(cost="mill = 0")), "abilities[0].mill", "1 to 99"),
        (make(active(cost="response = true")), "abilities[0].mill", "1 to 99"),
        (make(active(cost="tap = true"), type="aura"), "abilities[0].tap", "false"),
        # abilities of a kind of card
        (make(use(DRAW)), "abilities[0].kind", ALWAYS),
        (make(use(DRAW), type="aura"), "abilities[0].kind", ALWAYS),
        (make(active(), type="curse"), "abilities[0].kind", "continuous, triggered"),
        (make(active(), type="bind"), "abilities", "exactly one"),
        (make(use("", UNIT), active(), type="bind"), "abilities[1].kind", "use, continuous, triggered"),
        (make(use(DRAW), always(PLUS), type="spell"), "abilities[1].kind", "use, triggered"),
        (make(type="spell"), "abilities", "exactly one"),
        (make(use(DRAW), use(DRAW), type="spell"), "abilities", "exactly one"),
        (make(always(PLUS), type="start"), "abilities[0].kind", NOTHING),
        (make(always(PLUS), type="basic", id='"wasteland"'), "abilities[0].kind", NOTHING),
        (spell(""), "abilities[0].do", SOME),
        (bind(do=DRAW), "abilities[0].do", NOTHING),
        (bind(targets=""), "abilities[0].targets", "unit, terrain"),
        (bind(targets=SQUARE), "abilities[0].targets", "unit, terrain"),
        (bind(targets=f"{UNIT}, {UNIT}"), "abilities[0].targets", "unit, terrain"),
        # static abilities
        (make(always(PLUS), type="aura"), "abilities[0].on", "you, opponent"),
        (make(always(PLUS, '"host"')), "abilities[0].on", "this, you, opponent"),
        (make(always(PLUS, '"occupant"')), "abilities[0].on", "this, you, opponent"),
        (make(always(SILENCE, '"cursed"')), "abilities[0].on", "this, you, opponent"),
        (make(always(SILENCE, '"you"'), type="special"), "abilities[0].on", "occupant"),
        (make(always(PLUS, "{}"), type="special"), "abilities[0].on", "occupant"),
        (make(always(PLUS, f"{{ {within('area', 2)} }}")), "abilities[0].on.range", NOTHING),
        (make(always(PLUS, "{ other = true }")), "abilities[0].on.other", "false"),
        (make(always(PLUS, "{ different = true }")), "abilities[0].on.different", "false"),
        (make(always(PLUS, more=', if = "is_attacker"')), "abilities[0].if",
         "is_countering, attacking_exhausted, adjacent_to_hero"),
        (make(always(PLUS, "{}", ', if = "is_countering"'), type="aura"), "abilities[0].if", NOTHING),
        (make(always(PLUS, '"you"')), "abilities[0].mods[0].mod", "cost_mod, ban"),
        (make(always('{ mod = "ban", act = "attack" }', '"opponent"')), "abilities[0].mods[0].act",
         "use_response_skills"),
        (make(always('{ mod = "cost_mod", n = 1 }')), "abilities[0].mods[0].mod",
         but(T.AnyModifier, "cost_mod", "add_element")),
        (make(always(SILENCE, "{}")), "abilities[0].mods[0].act", but(M.Act, "use_response_skills")),
        (make(always('{ mod = "add_element", element = "fire" }')), "abilities[0].mods[0].mod",
         but(T.AnyModifier, "add_element")),
        (bind(targets=TERRAIN), "abilities[1].mods[0].mod", "add_element"),
        (bind('{ mod = "add_element", element = "fire" }'), "abilities[1].mods[0].mod",
         but(T.AnyModifier, "add_element")),
        (make(always('{ mod = "stat", to = "at", n = 0 }')), "abilities[0].mods[0].n", "-99 to -1, 1 to 99"),
        (make(always('{ mod = "cost_mod", n = 0 }', '"you"')), "abilities[0].mods[0].n", "-99 to -1, 1 to 99"),
        (make(always('{ mod = "keyword", name = "ranged" }')), "abilities[0].mods[0].n", "1 to 99"),
        # triggers
        (make(when("game_start")), "abilities[0].event",
         f"{ALL_EVENTS}, battle_damage, explored, destroyed, milled, removed"),
        (make(when("destroyed"), type="hero"), "abilities[0].event",
         f"game_start, {ALL_EVENTS}, battle_damage, explored"),
        (make(when("milled"), type="token"), "abilities[0].event", f"{ALL_EVENTS}, battle_damage, explored, destroyed"),
        (make(when("entered"), type="aura"), "abilities[0].event", f"{ALL_EVENTS}, milled, removed"),
        (make(when("battle_damage"), type="special"), "abilities[0].event",
         f"game_start, {ALL_EVENTS}, explored, entered"),
        (make(use(DRAW), when("turn_start"), type="spell"), "abilities[1].event", "milled, removed"),
        (make(when("turn_start", DRAW, "", "is_attacker")), "abilities[0].if[0]", "turn_of_you"),
        (make(when("explored", DRAW, "", "to_hero")), "abilities[0].if[0]", "turn_of_you, by_this"),
        (make(when("battle_start", DRAW, "", "attacked_and_target_destroyed")), "abilities[0].if[0]",
         "turn_of_you, is_attacker"),
        (make(when("turn_start", DRAW, "", "turn_of_cursed"), type="aura"), "abilities[0].if[0]", "turn_of_you"),
        (make(when("entered", DRAW, "", "by_this"), type="special"), "abilities[0].if[0]",
         "turn_of_you, during_move, unit_is_enemy_of_owner"),
        (make(when("turn_end", DRAW, "", "is_countering")), "abilities[0].if[0]", "turn_of_you"),
        (make(when("game_start", DRAW, "", "turn_of_you"), type="hero"), "abilities[0].if[0]", NOTHING),
        (make(when("turn_end", DRAW, "", "turn_of_you", "turn_of_you")), "abilities[0].if[1]", ONCE),
        # endless loop
        (make(when("explored", COVER, TERRAIN)), "abilities[0].do[0].do", but(T.AnyDo, "cover", "bury_to_book")),
        (make(when("milled", BURY)), "abilities[0].do[0].do", but(T.AnyDo, "cover", "bury_to_book")),
        (make(when("entered", does("teleport", on='"occupant"', to=ON_TARGET), TERRAIN), type="special"),
         "abilities[0].do[0].do", but(T.AnyDo, "cover", "bury_to_book", "token", "teleport", "swap")),
        (make(when("entered", f"{DRAW}, {SWAP}", f"{UNIT}, {unit('different = true')}"), type="special"),
         "abilities[0].do[1].do", but(T.AnyDo, "cover", "bury_to_book", "token", "teleport", "swap")),
        (make(when("destroyed", TOKEN, SQUARE), type="token"), "abilities[0].do[0].do",
         but(T.AnyDo, "cover", "bury_to_book", "token")),
        (make(active(does("ready", on=ON_THIS), "", "tap = true")), "abilities[0].do[0].do", but(T.AnyDo, "ready")),
        (make(active(f"{MILL}, {READY}", UNIT, "tap = true")), "abilities[0].do[1].do", but(T.AnyDo, "ready")),
        (make(active(does("ready", on='{ whose = "own", exhausted = true }'), "", "tap = true")),
         "abilities[0].do[0].do", but(T.AnyDo, "ready")),
        (make(active(does("ready", on='"occupant"'), "", "tap = true"), type="special"), "abilities[0].do[0].do",
         but(T.AnyDo, "ready")),
        (make(always(FLYING, "{ non_flying = true }")), "abilities[0].mods[0].name", "ranged, attacks_pierce"),
        # ranges
        (spell(READY, unit(within("line", 0))), "abilities[0].targets[0].of.range.n", "1 to 99"),
        (spell(READY, unit(within("any", 2))), "abilities[0].targets[0].of.range.n", NOTHING),
        (spell(READY, unit(within("any", 0, "target"))), "abilities[0].targets[0].of.range.of", "start"),
        (spell(READY, unit(within("line", 2, "target"))), "abilities[0].targets[0].of.range.of", "start"),
        (spell(READY, unit(within("line", 2, "last_square"))), "abilities[0].targets[0].of.range.of", "start"),
        (spell(does("exhaust", on=f"{{ {within('line', 2, 'target')} }}")), "abilities[0].do[0].on.range.of", "start"),
        (spell(f"{COVER}, {SWAP}", f"{TERRAIN}, {unit(within('line', 2, 'target'))}"),
         "abilities[0].targets[1].of.range.of", "start"),
        (make(active(READY, unit(within("line", 2))), type="aura"), "abilities[0].targets[0].of.range.reach", "any"),
        (make(when("turn_end", READY, unit(within("line", 2))), type="special"),
         "abilities[0].targets[0].of.range.reach", "any"),
        (make(when("milled", READY, unit(within("line", 2)))), "abilities[0].targets[0].of.range.reach", "any"),
        (make(when("turn_end", does("exhaust", on="{ other = true }")), type="curse"), "abilities[0].do[0].on.other",
         "false"),
        # targets
        (spell(DRAW, UNIT), "abilities[0].targets[0].target", NOTHING),
        (spell(READY, f"{UNIT}, {UNIT}"), "abilities[0].targets[1].target", NOTHING),
        (spell(READY, f"{UNIT}, {SQUARE}"), "abilities[0].targets[1].target", NOTHING),
        (spell(READY, f"{UNIT}, {ITEM}"), "abilities[0].targets[1].target", NOTHING),
        (spell(does("teleport", on='"own_hero"', to=ON_TARGET), f"{SQUARE}, {SQUARE}"),
         "abilities[0].targets[1].target", NOTHING),
        (spell(f"{NEGATE}, {READY}", f"{ITEM}, {UNIT}"), "abilities[0].targets[1].target", "square, stack_item"),
        (make(active(NEGATE, ITEM)), "abilities[0].targets[0].target", but(M.AnyTarget, "stack_item")),
        (spell(READY, unit("different = true")), "abilities[0].targets[0].of.different", "false"),
        (spell(does("exhaust", on="{ different = true }")), "abilities[0].do[0].on.different", "false"),
        (spell(LOOK, '{ target = "terrain", face_up = false, name = "S01" }'), "abilities[0].targets[0].name",
         ", ".join(face for face, one in CARDS.items() if one.type in T.TERRAINS)),
        (spell(READY, UNIT, ", path = true"), "abilities[0].path", "false"),
        (spell(READY, unit(within("pierced", 2)), ", path = true"), "abilities[0].path", "false"),
        # objects of a text
        (spell(does("damage", on='["pierced"]', n="1")), "abilities[0].do[0].on[0]", "own_hero, each_hero"),
        (spell(does("damage", on='["target", "pierced"]', n="1"), unit(within("pierced", 3))),
         "abilities[0].do[0].on[1]", "target, own_hero, each_hero"),
        (spell(does("ready", on=ON_THIS)), "abilities[0].do[0].on", "own_hero, each_hero"),
        (spell(does("ready", on=ON_TARGET)), "abilities[0].do[0].on", "own_hero, each_hero"),
        (spell(READY + ", " + does("halt", on='"second"'), UNIT), "abilities[0].do[1].on",
         "target, own_hero, each_hero"),
        (spell(does("prevent", on=ON_TARGET, n="1"), SQUARE), "abilities[0].do[0].on", "own_hero, each_hero"),
        (spell(does("heal", on='"occupant"', n="1")), "abilities[0].do[0].on", "own_hero"),
        (make(when("milled", does("ready", on=ON_THIS))), "abilities[0].do[0].on", "own_hero, each_hero"),
        (make(when("destroyed", does("ready", on=ON_THIS))), "abilities[0].do[0].on", "own_hero, each_hero"),
        (make(when("turn_end", does("ready", on='"host"'))), "abilities[0].do[0].on", "this, own_hero, each_hero"),
        (make(when("turn_end", does("ready", on='"attacker"'))), "abilities[0].do[0].on", "this, own_hero, each_hero"),
        (make(use("", TERRAIN), when("turn_end", does("ready", on='"host"')), type="bind"), "abilities[1].do[0].on",
         "own_hero, each_hero"),
        (spell(does("mill", who='"cursed"', n="1")), "abilities[0].do[0].who", "you, opponent"),
        (make(active(does("draw", who='"occupant_player"'))), "abilities[0].do[0].who", "you, opponent"),
        (make(when("battle_damage", does("draw", who='"hit_player"'))), "abilities[0].do[0].who", "you, opponent"),
        (spell(does("damage", on='["own_hero", "own_hero"]', n="1")), "abilities[0].do[0].on[1]", ONCE),
        # heroes
        (spell(RECALL, UNIT), "abilities[0].do[0].on", "units described by `hero = false`"),
        (spell(does("destroy", on="{}")), "abilities[0].do[0].on.hero", "units described by `hero = false`"),
        (spell(does("destroy", on='"each_hero"')), "abilities[0].do[0].on", "units described by `hero = false`"),
        (make(when("turn_end", does("recall", on=ON_THIS)), type="hero"), "abilities[0].do[0].on",
         "units described by `hero = false`"),
        (spell(HEAL, UNIT), "abilities[0].do[0].on", "own_hero"),
        # requirements of an instruction
        (spell(THERE, UNIT), "abilities[0].do[0].to", NOTHING),
        (spell(does("teleport", on=ON_TARGET, to=ON_TARGET) + ", " + THERE, f"{UNIT}, {SQUARE}"),
         "abilities[0].do[0].to", "second"),
        (spell(THERE, f"{UNIT}, {TERRAIN}".replace("unoccupied = true", "own = true")), "abilities[0].do[0].to",
         NOTHING),
        (spell(TOKEN), "abilities[0].do[0].do", but(T.AnyDo, "token")),
        (spell(does("token", token='"S01"'), SQUARE), "abilities[0].do[0].token", "Bone"),
        (spell(does("token", token='"X9"'), SQUARE), "abilities[0].do[0].token", "Bone"),
        (spell(SWAP, UNIT), "abilities[0].do[0].do", but(T.AnyDo, "swap")),
        (spell(SWAP, f"{UNIT}, {UNIT}"), "abilities[0].do[0].do", but(T.AnyDo, "swap")),
        (spell(LOOK, TERRAIN), "abilities[0].do[0].do", but(T.AnyDo, "look")),
        (spell(does("explore"), UNIT), "abilities[0].do[0].do", but(T.AnyDo, "explore")),
        (spell(COVER, '{ target = "terrain", face_up = true }'), "abilities[0].do[0].do", but(T.AnyDo, "cover")),
        (spell(NEGATE), "abilities[0].do[0].do", but(T.AnyDo, "negate")),
        (make(active(does("remove_this"))), "abilities[0].do[0].do", but(T.AnyDo, "remove_this")),
        (make(use(DRAW), when("milled", does("remove_this")), type="spell"), "abilities[1].do[0].do",
         but(T.AnyDo, "remove_this")),
        (spell(does("mod", on='"own_hero"', to='"at"', n="0")), "abilities[0].do[0].n", "-99 to -1, 1 to 99"),
        (spell(does("mod", on='"own_hero"', to='"at"', n="1", until='"battle"')), "abilities[0].do[0].until", "eot"),
        (spell(does("ban", on='"own_hero"', act='"use_response_skills"')), "abilities[0].do[0].act",
         but(M.Act, "use_response_skills")),
    ])  # fmt: skip
def test_a_misfit_is_named_by_file_card_field_and_what_is_allowed(source: str, field: str, allowed: str) -> None:
    said = refusal(source)
    card = "X1" if 'id = "X1"' in source else source.split('id = "')[1].split('"')[0]
    assert said.startswith(f"my.toml, card {card}, {field}: ") and said.endswith(f"; allowed: {allowed}")


@for_each("source", [
        make(),
        make(type="special"),
        make(type="start"),
        make(type="curse", dispel_cost="0"),
        make(type="basic", id='"town"', elements='["dark"]'),
        make(active(cost="once = true"), always(PLUS, "{ exhausted = true, hero = false }")),
        make(active(READY, unit("exhausted = true"), "tap = true")),
        make(active(READY, unit("other = true", within("line", 2)), "tap = true")),
        make(active(does("ready", on=ON_THIS), "", "tap = true, once = true")),
        make(active(does("ready", on=ON_THIS), "", "tap = true, mill = 1")),
        make(when("destroyed", f"{TOKEN}, {BURY}", SQUARE)),
        make(when("explored", does("explore"), '{ target = "terrain", face_up = false }', "by_this")),
        make(when("battle_start", does("mod", on='"attacker"', to='"at"', n="-1", until='"battle"')), type="aura"),
        make(when("turn_start", does("heal", on='"occupant"', n="1")), type="special"),
        make(when("explored", does("teleport", on='"occupant"', to=ON_TARGET), TERRAIN), type="special"),
        make(always(FLYING, "{ exhausted = true }"), always('{ mod = "step_cost", n = 1 }', "{ non_flying = true }")),
        spell(does("damage", on='["attacker"]', n="1"), response="true"),
        spell(does("token", token='"X9"'), SQUARE) + make(type="token", id='"X9"'),
        spell(f"{does('swap')}, {READY}", f"{UNIT}, {unit('different = true')}"),
        spell(THERE, f"{unit(within('line', 2))}, {TERRAIN}"),
        bind('{ mod = "add_element", element = "fire" }', TERRAIN),
        bind(on='{ whose = "own" }'),
    ])  # fmt: skip
def test_what_is_just_allowed_is_loaded(source: str) -> None:
    assert load_cards(source, "my.toml", CARDS)


def test_cards_of_a_file_may_be_named_with_those_beside_it() -> None:
    gate = '{ target = "terrain", face_up = true, unoccupied = true, name = "X2" }'
    source = make(active(does("teleport", on='"occupant"', to=ON_TARGET), gate), type="special")
    assert refusal(source).startswith("my.toml, card X1, abilities[0].targets[0].name: 'X2' is not a terrain")
    assert load_cards(source + make(type="special", id='"X2"'), "my.toml", CARDS)
