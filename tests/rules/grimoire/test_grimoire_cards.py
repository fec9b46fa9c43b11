"""The sample cards and decks, places in card text, and card files that are refused."""

from collections import Counter
from typing import Any

import pytest

from domain.games.grimoire import text as T
from domain.games.grimoire.card_checks import DEPTH_MAX
from domain.games.grimoire.cards import (
    BLANK,
    POOLS,
    ability,
    card,
    decks,
    instruction,
    load_cards,
    program,
)
from domain.games.grimoire.meaning import Selector
from domain.law.pools import FIRST
from domain.parts.cardfile import CardError
from domain.words import LANGS
from tests.rows import for_each

SAMPLES = POOLS.cards_by_pool[FIRST]
SEVEN = dict.fromkeys("ROYGBIV", 1)


def test_there_are_five_characters_and_sixty_five_spells() -> None:
    assert [one.id for one in SAMPLES.values() if one.type == "character"] == [f"C0{n}" for n in range(1, 6)]
    assert [one.id for one in SAMPLES.values() if one.type == "spell"] == [f"S{n:02}" for n in range(1, 66)]
    assert len({one.en for one in SAMPLES.values()}) == len({one.ja for one in SAMPLES.values()}) == 70


@for_each(
    "face, en, ja, user, cost, chroma, power, toughness",
    [
        ("C01", "Kaida, Ember Regent", "燼火の執政カイダ", "Kaida", 0, {"R": 1}, 3, 12),
        ("C02", "Velmira, Tidewright", "潮織りのヴェルミラ", "Velmira", 0, {"B": 1, "I": 1}, 2, 14),
        ("C03", "Orrin, Prism Archivist", "七彩司書オリン", "Orrin", 0, dict.fromkeys("ROYGB", 1), 1, 16),
        ("C04", "Ilsa, Verdant Warden", "翠番のイルサ", "Ilsa", 0, {"G": 1, "Y": 1, "V": 1}, 2, 13),
        ("C05", "The Unsigned", "無署名の書き手", "Unsigned", 0, {}, 2, 15),
        ("S01", "Ember Dart", "火粉の矢", "Kaida", 1, {"R": 1}, 2, 1),
        ("S03", "Flare Lance", "炎槍", "Kaida", 2, {"R": 1}, 3, 2),
        ("S09", "Twin Flame", "双炎", "Kaida", 3, {"R": 2, "O": 1}, 3, 3),
        ("S13", "Spark Ward", "火花の守り", "Anon", 2, {"O": 1}, 1, 4),
        ("S26", "Borrowed Star", "借り星", "Velmira", 4, {"B": 1, "I": 2}, 2, 3),
        ("S27", "Leviathan Scroll", "巨鯨の巻物", "Velmira", 6, {"B": 3, "I": 1}, 7, 7),
        ("S29", "Blank Leaf", "白紙", "Anon", 0, {}, 0, 2),
        ("S30", "Pilgrim's Candle", "巡礼の灯", "Anon", 1, {}, 1, 1),
        ("S46", "Seven-Hued Comet", "七色彗星", "Orrin", 7, SEVEN, 8, 8),
        ("S53", "Withering", "立ち枯れ", "Ilsa", 3, {"G": 2}, 1, 4),
        ("S63", "Four Winds", "四方の風", "Orrin", 3, dict.fromkeys("ROYG", 1), 3, 4),
        ("S65", "Ash Courier", "灰の使い", "Kaida", 2, {"R": 1}, 1, 2),
    ],
)
def test_cards_have_their_printed_values(
    face: str, en: str, ja: str, user: str, cost: int, chroma: Any, power: int, toughness: int
) -> None:
    one = card("", face)
    assert (one.id, one.en, one.ja, one.user) == (face, en, ja, user)
    assert (one.cost, one.chroma, one.power, one.toughness) == (cost, chroma, power, toughness)


def test_the_set_adds_up_to_its_printed_totals() -> None:
    spells = [one for one in SAMPLES.values() if one.type == "spell"]
    assert sum(one.cost for one in spells) == 164
    assert sum(one.power for one in spells) == 124
    assert sum(one.toughness for one in spells) == 196
    assert sum(sum(one.chroma.values()) for one in spells) == 86
    assert sum(not one.colours for one in spells) == 18
    users = Counter(one.user for one in spells)
    assert users == {"Kaida": 17, "Velmira": 16, "Anon": 14, "Orrin": 9, "Ilsa": 9}


def test_which_cards_say_nothing_and_which_have_keywords() -> None:
    plain = {one.id for one in SAMPLES.values() if not one.abilities and not one.keywords}
    assert plain == {"S01", "S02", "S15", "S27", "S29", "S31", "S32", "S63"}
    keywords = {one.id: one.keywords for one in SAMPLES.values() if one.keywords}
    assert keywords == {
        "S10": ("surprise",), "S38": ("quick_cast",), "S46": ("surprise",), "S59": ("quick_cast",)
    }  # fmt: skip


def test_an_unknown_face_says_nothing() -> None:
    assert card("", None) is card("", "S99") is card("", "") is BLANK
    assert (BLANK.power, BLANK.toughness, BLANK.cost, BLANK.abilities, BLANK.colours) == (0, 1, 0, (), ())


@for_each(
    "name, character, total", [("ember", "C01", 51), ("tide", "C02", 49), ("grove", "C04", 41), ("prism", "C03", 51)]
)
def test_the_sample_decks_are_whole(name: str, character: str, total: int) -> None:
    main, side = decks()[name].main, decks()[name].side
    assert main[0] == character and len(main) == 41 and len(main) + len(side) == total
    spells = Counter([*main[1:], *side])
    assert max(spells.values()) <= 4
    assert all(card("", face).type == "spell" and face in SAMPLES for face in spells)


def test_an_instruction_is_found_by_its_path() -> None:
    assert instruction("", "S33", (0, 1)) == T.Draw(2)
    assert isinstance(instruction("", "S22", (0, 0)), T.May)
    assert instruction("", "S22", (0, 0, 1)) == T.Discard(1)
    assert isinstance(instruction("", "S08", (0, 0, 0)), T.Pay)
    assert instruction("", "S08", (0, 0, 0, 0)) == T.Move("self_card", "hand")
    assert isinstance(instruction("", "S39", (0, 0)), T.Each)
    assert instruction("", "S39", (0, 0, 0)) == T.Draw(3, "each")
    assert isinstance(instruction("", "S44", (0, 0)), T.If)
    assert instruction("", "S44", (0, 0, 0, 0)) == T.Choose(Selector(whose="you", other=True))
    assert instruction("", "S44", (0, 0, 0, 1)) == T.Junk("chosen")
    assert instruction("", "S44", (0, 0, 1, 0)) == T.Junk("self")
    assert program("", "S44", (0, 0, 0, 1)) == (T.Choose(Selector(whose="you", other=True)), T.Junk("chosen"))
    assert program("", "S33", (0, 0)) == (T.Discard(1), T.Draw(2))


def test_a_gained_ability_is_found_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ability("", "S59", (0, 1, 0)) == T.Keyword("surprise")
    assert isinstance(ability("", "S59", (0,)), T.Triggered)
    gains = '{ do = "buff", what = "self", until = "this_turn", mods = [{ mod = "power_is", n = 1 }, %s] }'
    inner = '{ mod = "gain", ability = { kind = "triggered", event = "play_self", do = [%s, { do = "shuffle" }] } }'
    one = load_cards(
        make(does(gains % (inner % '{ do = "may", then = [{ do = "draw", n = 7 }] }')), id='"Z77"'), "my.toml"
    )["Z77"]
    monkeypatch.setitem(SAMPLES, "Z77", one)  # type: ignore[arg-type]
    assert isinstance(instruction("", "Z77", (0, 0)), T.Buff)
    gained = ability("", "Z77", (0, 0, 1))
    assert isinstance(gained, T.Triggered) and gained.event == "play_self"
    assert instruction("", "Z77", (0, 0, 1, 1)) == T.Shuffle()
    assert instruction("", "Z77", (0, 0, 1, 0, 0)) == T.Draw(7)
    assert program("", "Z77", (0, 0, 1, 1)) == gained.do


@for_each("face, path", [
        ("S33", ()), ("S33", (0,)), ("S33", (1, 0)), ("S33", (0, 2)), ("S33", (0, -1)), ("S33", (0, 0, 0)),
        ("S44", (0, 0, 2, 0)), ("S44", (0, 0, 0)), ("S59", (0, 1, 0)), ("S59", (0, 1, 0, 0)), (None, (0, 0)),
        ("S36", (0, 0, 0, 0)),
    ])  # fmt: skip
def test_a_path_where_no_instruction_stands_is_a_lookup_error(face: str | None, path: tuple[int, ...]) -> None:
    with pytest.raises(LookupError):
        instruction("", face, path)
    with pytest.raises(LookupError):
        program("", face, path)


def make(*more: str, drop: str = "", **instead: str) -> str:
    fields = {"id": '"X1"', "en": '"Made up"', "ja": '"試作"', "type": '"spell"', "user": '"Anon"'}
    fields |= {"power": "1", "toughness": "1"} | instead
    rows = [f"{key} = {value}" for key, value in fields.items() if key != drop]
    return "\n".join(("[[cards]]", *rows, *more)) + "\n"


def says(ability: str) -> str:
    return f"abilities = [{ability}]"


def does(*do: str) -> str:
    return says(f'{{ kind = "triggered", event = "cast_self", do = [{", ".join(do)}] }}')


def deep(levels: int) -> str:
    return does('{ do = "may", then = [' * levels + '{ do = "shuffle" }' + "] }" * levels)


def refusal(source: str | bytes) -> str:
    with pytest.raises(CardError) as caught:
        load_cards(source, "my.toml")
    text = caught.value.text
    assert all("my.toml" in text.say(lang) for lang in LANGS)
    assert "allowed" not in text.say("ja")
    return text.say("en")


INSTRUCTION_TAGS = (
    "damage, heal, break, junk, spend, extend, move, void, draw, take_bookmark, discard, trance, gain, lose, buff, "
    "control, unplay, choose, may, if, each, pay, shuffle, reveal"
)
EVENTS = "break_self, cast_self, leave_self, play_self, resolve_self, targeted_self, trance, turn_end, turn_start"
CARD_FIELDS = "id, en, ja, type, user, power, toughness, cost, chroma, keywords, abilities"
SEL = "kind, zone, whose, status, colour, user, name, cost_most, other"
CHOOSE_CARDS = '{ do = "choose", what = { kind = "card", zone = "hand" } }'


@for_each("source, field, allowed", [
        (make(does('{ do = "zap" }')), "abilities[0].do[0].do", INSTRUCTION_TAGS),
        (make(does("{ n = 1 }")), "abilities[0].do[0].do", INSTRUCTION_TAGS),
        (make(does('{ do = "unvoid" }')), "abilities[0].do[0].do", INSTRUCTION_TAGS),
        (make(says('{ kind = "triggered", event = "wake", do = [{ do = "shuffle" }] }')), "abilities[0].event", EVENTS),
        (make(says('{ kind = "reactive" }')), "abilities[0].kind", "triggered, activated, continuous"),
        (make(says('{ kind = "activated", costs = [{ pay = "blood" }], do = [] }')), "abilities[0].costs[0].pay",
         "mana, capacity, od, spend_self, junk_self, junk_own, discard"),
        (make(says('{ kind = "continuous", on = "self", mods = [{ mod = "fly" }] }')), "abilities[0].mods[0].mod",
         "plus, power_is, can, cannot, rule"),
        (make(does('{ do = "buff", what = "self", mods = [{ mod = "fly" }], until = "this_turn" }')),
         "abilities[0].do[0].mods[0].mod", "plus, power_is, lose_abilities, gain, can, cannot"),
        (make(does('{ do = "junk", what = { status = "tapped" } }')), "abilities[0].do[0].what.status",
         "extended, played, spended"),
        (make(does('{ do = "if", cond = { if = "maybe" }, then = [] }')), "abilities[0].do[0].cond.if",
         "is, controls, at_most, exists, and"),
        (make(does('{ do = "junk", what = "him" }')), "abilities[0].do[0].what",
         f"chosen, self, self_card, target, that, your_character, a table with ({SEL})"),
        (make(does('{ do = "junk", what = { place = "hand" } }')), "abilities[0].do[0].what.place", SEL),
        (make(does('{ do = "draw", n = 1, who = "nobody" }')), "abilities[0].do[0].who",
         "chosen, each, you, all_players, opponents"),
        (make(does('{ do = "draw" }')), "abilities[0].do[0].n", "do, n, who"),
        (make(does('{ do = "draw", n = -1 }')), "abilities[0].do[0].n", "1 to 99"),
        (make(does('{ do = "damage", to = "self", n = -1 }')), "abilities[0].do[0].n",
         "0 to 99, a table with (of, what)"),
        (make(does('{ do = "damage", to = "self", n = 1000000000 }')), "abilities[0].do[0].n",
         "0 to 99, a table with (of, what)"),
        (make(does('{ do = "damage", to = "self", n = "one" }')), "abilities[0].do[0].n",
         "0 to 99, a table with (of, what)"),
        (make(says('{ kind = "triggered", event = "cast_self", do = [{ do = "shuffle" }], once = 1 }')),
         "abilities[0].once", "true, false"),
        (make('keywords = ["flying"]'), "keywords[0]", "quick_cast, surprise"),
        (make("chroma = { Q = 1 }"), "chroma", "B, G, I, O, R, V, Y"),
        (make("chroma = { R = 100 }"), "chroma[...]", "0 to 99"),
        (make("colour = 1"), "colour", CARD_FIELDS),
        (make(drop="ja"), "ja", CARD_FIELDS),
        (make(power="1000000000"), "power", "0 to 99"),
        (make(toughness="0"), "toughness", "1 to 99"),
        (make(type='"character"', toughness="0"), "toughness", "1 to 99"),
        (make("cost = 1", type='"character"'), "cost", "0"),
        (make(en='"Bell\\u0007"'), "en", "letters, digits, punctuation and spaces"),
        (make("abilities = 1"), "abilities", "a list"),
        (make() + make(), "id", "a unique id"),
        (make(does()), "abilities[0].do", "a list of one or more"),
        (make(does('{ do = "may", then = [] }')), "abilities[0].do[0].then", "a list of one or more"),
        (make(does('{ do = "buff", what = "self", mods = [], until = "this_turn" }')), "abilities[0].do[0].mods",
         "a list of one or more"),
        (make(does('{ do = "junk", what = "chosen" }')), "abilities[0].do[0].what",
         "self, self_card, target, that, your_character"),
        (make(does('{ do = "junk", what = "chosen" }', '{ do = "choose", what = {} }')), "abilities[0].do[0].what",
         "self, self_card, target, that, your_character"),
        (make(does('{ do = "choose", what = "opponent" }', '{ do = "junk", what = "chosen" }')),
         "abilities[0].do[1].what", "self, self_card, target, that, your_character"),
        (make(does('{ do = "draw", n = 1, who = "chosen" }')), "abilities[0].do[0].who",
         "you, each, opponents, all_players"),
        (make(does(CHOOSE_CARDS, '{ do = "reveal", what = { kind = "card", zone = "hand", whose = "chosen" } }')),
         "abilities[0].do[1].what.whose", "you, opponent, friend, any"),
        (make(does('{ do = "gain", res = "chroma", n = 1 }')), "abilities[0].do[0].res", "mana, capacity, od"),
        (make(does('{ do = "damage", to = "self", n = { of = "cost", what = "chosen" } }')),
         "abilities[0].do[0].n.what", "self, self_card, target, that, your_character"),
        (make(says('{ kind = "continuous", on = "self", mods = '
                   '[{ mod = "plus", to = "power", n = { of = "cost", what = "chosen" } }] }')),
         "abilities[0].mods[0].n.what", "self, self_card, target, that, your_character"),
        (make(does('{ do = "draw", n = 1, who = "each" }')), "abilities[0].do[0].who",
         "you, chosen, opponents, all_players"),
        (make(does('{ do = "junk", what = "remembered" }')), "abilities[0].do[0].what",
         "self, self_card, target, that, your_character, chosen"),
        (make(does('{ do = "choose", what = { kind = "card" } }')), "abilities[0].do[0].what.zone",
         "hand, bookmark, junkyard"),
        (make(does('{ do = "choose", what = { zone = "hand" } }')), "abilities[0].do[0].what.zone",
         "nothing (omit it)"),
        (make(does('{ do = "choose", what = {}, least = 3, most = 2 }')), "abilities[0].do[0].most", "3 to 99"),
        (make(does('{ do = "choose", what = {}, least = 0, most = 0 }')), "abilities[0].do[0].most", "1 to 99"),
        (make(does('{ do = "choose", what = "colour", most = 2 }')), "abilities[0].do[0].most", "1"),
        (make(does('{ do = "choose", what = { kind = "card", zone = "hand" }, targets = true }')),
         "abilities[0].do[0].targets", "false"),
        (make(does('{ do = "reveal", what = {} }')), "abilities[0].do[0].what.kind", "card"),
        (make(does('{ do = "junk", what = { name = "S01" } }')), "abilities[0].do[0].what.name", "X1"),
        (make(says('{ kind = "continuous", on = { kind = "card", zone = "hand" }, mods = '
                   '[{ mod = "plus", to = "cost", n = 1 }] }')),
         "abilities[0].on.zone", "nothing (omit it)"),
        (make(deep(DEPTH_MAX)), f"abilities[0].do[0]{'.then[0]' * (DEPTH_MAX - 1)}.then", "12 deep at most"),
    ])  # fmt: skip
def test_a_misfit_is_named_by_file_card_field_and_what_is_allowed(source: str, field: str, allowed: str) -> None:
    said = refusal(source)
    assert said.startswith(f"my.toml, card X1, {field}: ") and said.endswith(f"; allowed: {allowed}")


@for_each(
    "source, said",
    [
        (b"\xff\xfe", "my.toml: not UTF-8 text (byte 0)"),
        ("[[cards", "my.toml: not TOML"),
        ("x = " + "9" * 5000, "my.toml: not TOML"),
        ("x = " + "[" * 3000 + "]" * 3000, "my.toml: the contents are nested too deeply"),
        (make(deep(400)), "my.toml: the contents are nested too deeply"),
        ("", "my.toml: cards: Object missing required field `cards`; allowed: cards"),
        ("cards = []", "my.toml: cards: Expected `array` of length >= 1; allowed: a list of one or more"),
        ("decks = 1\n" + make(), "my.toml: decks: Object contains unknown field `decks`; allowed: cards"),
        ("cards = [3]", f"card #1, cards[0]: Expected `object`, got `int`; allowed: a table with ({CARD_FIELDS})"),
        (make(id='"x 1"'), "my.toml, card x 1, id: Expected `str` of the form ^[A-Z][0-9A-Za-z]{1,15}$"),
        (make(id='"\\u001bX"'), "my.toml, card #1, id: "),
    ],
)
def test_a_file_that_is_no_card_file_is_refused(source: str | bytes, said: str) -> None:
    assert said in refusal(source)


def test_gained_abilities_one_inside_the_other_are_bounded() -> None:
    gains = '{ do = "buff", what = "self", until = "this_turn", mods = [{ mod = "gain", ability = '
    inside = '{ kind = "triggered", event = "play_self", do = ['
    levels = DEPTH_MAX // 2
    said = refusal(make(does((gains + inside) * levels + '{ do = "shuffle" }' + "] } }] }" * levels)))
    assert "card X1" in said and said.endswith("; allowed: 12 deep at most")


def test_what_is_just_allowed_is_loaded() -> None:
    assert load_cards(make(deep(DEPTH_MAX - 1)), "my.toml")["X1"].id == "X1"
    chosen = make(does('{ do = "may", then = [{ do = "choose", what = {} }] }', '{ do = "junk", what = "chosen" }'))
    assert load_cards(chosen.encode(), "my.toml")["X1"].abilities
    named = make(does('{ do = "each", who = "opponents", then = [{ do = "draw", n = 99, who = "each" }] }'))
    assert load_cards(named, "my.toml")["X1"].abilities
    itself = make(does('{ do = "junk", what = { name = "X1", cost_most = 0 } }'))
    assert load_cards(itself, "my.toml")["X1"].abilities
