"""The sample cards and plots, places in card text, and card files that are refused."""

from collections import Counter

import pytest

from domain.games.dea import card_vocabulary as M, text as T
from domain.games.dea.cards import BLANK, CARDS, POOLS, ability, blocks, card, decks, instruction, load_cards, program
from domain.law.pools import FIRST
from domain.parts.cardfile import CardError, words_of
from domain.words import LANGS
from tests.rows import for_each

SAMPLES = POOLS.cards_by_pool[FIRST]
PUBLISHED = {"1": "55bfe7b80b0bc42d"}
"""Hash of every published pool. Only add to it."""


def test_published_pools_are_frozen() -> None:
    assert POOLS.published == PUBLISHED


def test_the_sample_set_has_the_kinds_of_card_of_the_dossier() -> None:
    kinds = Counter(one.type for one in SAMPLES.values())
    assert kinds == {"character": 15, "event": 20, "equipment": 9, "foreshadow": 12, "token": 2}
    assert len({one.en for one in SAMPLES.values()}) == len({one.ja for one in SAMPLES.values()}) == 58
    by_letter = {"C": "character", "G": "event", "Q": "equipment", "F": "foreshadow", "T": "token"}
    assert all(by_letter[face[0]] == one.type for face, one in SAMPLES.items())


@for_each(
    "face, en, ja, printed",
    [
        ("C01", "Kagari, Torch of the Lane", "路地の灯カガリ", ("F", "red", "R", 4, "cross", 5, 2, 4)),
        ("C07", "Doro the Hermit", "沼守ドロ", ("M", "green", "U", 3, "all", 2, 3, 5)),
        ("C14", "Nagi the Puppeteer", "糸繰りナギ", ("U", "blue", "R", 5, "none", 2, 5, 5)),
        ("T01", "Tin Soldier", "ブリキ兵", ("U", "blue", None, 0, "cross", 2, 1, 0)),
        ("T02", "Paper Crane", "紙の鶴", ("U", "yellow", None, 0, "all", 0, 0, 0)),
    ],
)
def test_characters_have_their_printed_values(face: str, en: str, ja: str, printed: tuple[object, ...]) -> None:
    one = card(FIRST, face)
    assert (one.en, one.ja) == (en, ja)
    assert (one.sex, one.colour, one.rarity, one.cost, one.move, one.attack, one.defence, one.survival) == printed


def test_the_set_adds_up_to_its_printed_totals() -> None:
    persons = [one for one in SAMPLES.values() if one.type == "character"]
    totals = [sum(getattr(one, name) for one in persons) for name in ("cost", "attack", "defence", "survival")]
    assert totals == [47, 40, 43, 63]
    assert sum(one.pages for one in SAMPLES.values()) == 39
    assert Counter(one.rarity for one in SAMPLES.values()) == {"C": 21, "U": 25, "R": 10, None: 2}
    assert Counter(one.colour for one in SAMPLES.values()) == {"red": 16, "yellow": 14, "green": 11, "blue": 17}


def test_an_unknown_face_says_nothing() -> None:
    assert card(FIRST, None) is card(FIRST, "G99") is card(FIRST, "") is BLANK
    assert BLANK.abilities == () and BLANK.pages == 0


@for_each(
    "name, cost, life",
    [
        ("lantern_lane", 15, 21),
        ("clockwork_marsh", 15, 22),
        ("ledger_of_storms", 14, 21),
        ("strings_in_the_rain", 15, 22),
    ],
)
def test_the_sample_plots_are_legal(name: str, cost: int, life: int) -> None:
    plot = [CARDS[face] for face in decks()[name].main]
    assert len(plot) == len({one.id for one in plot}) == 20 and decks()[name].side == ()
    kinds = Counter("gimmick" if one.type in T.GIMMICKS else one.type for one in plot)
    assert kinds == {"character": 5, "gimmick": 12, "foreshadow": 3}
    assert (sum(one.cost for one in plot), sum(one.survival for one in plot)) == (cost, life)


def test_the_abilities_have_the_names_by_which_they_are_declared() -> None:
    names = [said.name for one in SAMPLES.values() for said in one.abilities if said.name]
    assert " ".join(names) == (
        "hot_blood double_dash beat_up feint shove blank_page spring wind_up home_guard slip toll evening_ledger "
        "tantrum retrieve pull tripwire flimsy"
    )


def test_an_instruction_is_found_by_its_path() -> None:
    assert instruction(FIRST, "G06", (0, 1)) == T.Discard(n=1)
    assert instruction(FIRST, "C14", (0, 0)) == T.Shift(on="chosen")
    assert instruction(FIRST, "C11", (1, 0)) == T.GainPages(n=1)
    assert instruction(FIRST, "F11", (0, 0, 0)) == T.LoseLife(who="opponent", n=1)
    assert program(FIRST, "G06", (0, 1)) == (T.Draw(n=2), T.Discard(n=1))
    assert blocks(FIRST, "G06")((0,)) == (T.Draw(n=2), T.Discard(n=1)) and blocks(FIRST, "G06")((0, 0)) == ()


def test_an_ability_is_found_by_its_path_also_inside_a_field() -> None:
    assert isinstance(ability(FIRST, "F11", (0,)), T.Field)
    inside = ability(FIRST, "F11", (0, 0))
    assert isinstance(inside, T.Automatic) and inside.cause == "opponent_turn_start"
    assert ability(FIRST, "C11", (1,)).name == "evening_ledger"


@for_each(
    "face, path",
    [("G06", ()), ("G06", (0,)), ("G06", (1, 0)), ("G06", (0, 2)), ("F11", (0, 0)), ("C07", (0, 0)), ("C07", (1,))],
)
def test_a_path_where_no_instruction_stands_is_a_lookup_error(face: str, path: tuple[int, ...]) -> None:
    with pytest.raises(LookupError):
        instruction(FIRST, face, path)
    with pytest.raises(LookupError):
        program(FIRST, face, path)


_VALUES = {
    "character": {"rarity": '"C"', "sex": '"U"', "cost": "1", "move": '"x"', "atk": "1", "def": "1", "survival": "1"},
    "event": {"rarity": '"C"', "pages": "1"},
    "equipment": {"rarity": '"C"', "pages": "1"},
    "foreshadow": {"rarity": '"C"'},
    "token": {"sex": '"U"', "move": '"x"', "atk": "1", "def": "1"},
}
_DRAW = '{ do = "draw", n = 1 }'
_CHAR, _CELL = '{ choose = "char" }', '{ choose = "cell", within = 1 }'
_ITEM = '{ choose = "item", kinds = ["event"] }'


def make(*abilities: str, type: str = "character", drop: str = "", **instead: str) -> str:
    fields = {"id": '"X1"', "en": '"Made up"', "ja": '"試作"', "type": f'"{type}"', "colour": '"red"'}
    fields |= _VALUES.get(type, {}) | instead
    rows = [f"{key} = {value}" for key, value in fields.items() if key != drop]
    return "\n".join(("[[cards]]", *rows, f"abilities = [{', '.join(abilities)}]")) + "\n"


def activated(do: str, choices: str = "", cost: str = "pages = 1", name: str = "trick", more: str = "") -> str:
    named = f'name = "{name}", en = "Trick", ja = "奇術"' if name else 'en = "Trick", ja = "奇術"'
    return f'{{ kind = "activated", {named}, {cost}, choices = [{choices}], do = [{do}]{more} }}'


def event(do: str, choices: str = "", more: str = "", type: str = "event") -> str:
    return make(f'{{ kind = "{type}", choices = [{choices}], do = [{do}]{more} }}', type=type)


def automatic(do: str, cause: str = "own_turn_end", more: str = "") -> str:
    return f'{{ kind = "automatic", cause = "{cause}", do = [{do}]{more} }}'


def static(mod: str, on: str = '"self"', more: str = "") -> str:
    return f'{{ kind = "static", on = {on}, mods = [{mod}]{more} }}'


def field(ability: str) -> str:
    return make(f'{{ kind = "field", abilities = [{ability}] }}', type="foreshadow")


def refusal(source: str) -> str:
    with pytest.raises(CardError) as caught:
        load_cards(source, "my.toml", CARDS)
    text = caught.value.text
    assert all("my.toml" in text.say(lang) for lang in LANGS)
    assert "allowed" not in text.say("ja")
    return text.say("en")


def but(words: object, *left_out: str) -> str:
    return ", ".join(word for word in words_of(words) if word not in left_out)


_PLUS = '{ mod = "stat", to = "atk", n = 1 }'
_NAMES = 'name = "%s", en = "%s", ja = "%s"'
_SWAP = '{ choose = "char", swaps = true }'
_SEALED = '{ do = "seal", on = "%s", until = "battle"%s }'
_FIGHTING = '{ choose = "char", of = { in_battle = true } }'
_SLEEVE_CARD = '{ choose = "sleeve_card" }'
_OPENED = '{ is = "others_opened", n = 1 }'
NOTHING, SOME = "nothing (omit it)", "a list of one or more"
MOVING = "static, automatic, activated"
NEEDING_CELL = but(T.AnyDo, "shift", "create_token")


@for_each("source, field, allowed", [
        # type of a field
        (event('{ do = "zap" }'), "abilities[0].do[0].do", but(T.AnyDo)),
        (event('{ do = "draw", n = 0 }'), "abilities[0].do[0].n", "1 to 99"),
        (event(""), "abilities[0].do", SOME),
        (event('{ do = "negate" }', '{ choose = "item", kinds = [] }'), "abilities[0].choices[0].kinds", SOME),
        (event('{ do = "forbid", who = "you", actions = [], until = "turn" }'), "abilities[0].do[0].actions", SOME),
        (event('{ do = "win", who = "each" }'), "abilities[0].do[0].who", "opponent, writer, you"),
        (event('{ do = "look_order", who = "each", n = 1 }'), "abilities[0].do[0].who", "opponent, writer, you"),
        (make(static('{ mod = "cost", of = [], n = 1 }')), "abilities[0].mods[0].of", SOME),
        (make('{ kind = "reactive" }'), "abilities[0].kind", but(T.AnyAbility)),
        (field('{ kind = "event", do = [] }'), "abilities[0].abilities[0].kind", "static, automatic"),
        (make(en='"Bell\\u0007"'), "en", "letters, digits, punctuation and spaces"),
        (make() + make(), "id", "a unique id"),
        # fields of a kind of card
        (make(pages="1"), "pages", NOTHING),
        (make(drop="sex"), "sex", "M, F, U"),
        (make(drop="rarity"), "rarity", "C, U, R"),
        (make(type="token", rarity='"C"'), "rarity", NOTHING),
        (make(type="token", survival="1"), "survival", NOTHING),
        (make(type="token", cost="1"), "cost", NOTHING),
        (make(type="token", drop="sex"), "sex", "M, F, U"),
        (make(type="equipment", atk="1"), "atk", NOTHING),
        (make(type="equipment", move='"x"'), "move", NOTHING),
        (make(type="equipment", drop="rarity"), "rarity", "C, U, R"),
        (make(type="foreshadow", pages="1"), "pages", NOTHING),
        (make(type="event"), "abilities", "exactly one"),
        (make(type="foreshadow"), "abilities", "exactly one"),
        (make(*[f'{{ kind = "event", do = [{_DRAW}] }}'] * 2, type="event"), "abilities", "exactly one"),
        (make(f'{{ kind = "event", do = [{_DRAW}] }}'), "abilities[0].kind", MOVING),
        (make(static(_PLUS, '"you"'), type="event"), "abilities[0].kind", "event"),
        (make(activated(_DRAW), type="equipment"), "abilities[0].kind", "static, automatic"),
        (make(automatic(_DRAW), type="foreshadow"), "abilities[0].kind", "foreshadow, field"),
        # names
        (make(activated(_DRAW, name="")), "abilities[0].name", "text"),
        (make(static(_PLUS, more=', name = "up"')), "abilities[0].en", "text"),
        (make(static(_PLUS, more=', name = "up", en = "Up"')), "abilities[0].ja", "text"),
        (event(_DRAW, more=', en = "Draught"'), "abilities[0].en", NOTHING),
        (make(activated(_DRAW), activated(_DRAW)), "abilities[1].name", "a unique name"),
        (make(automatic(_DRAW), automatic(_DRAW)), "abilities[1].name", "a unique name"),
        (make(static(_PLUS, more=f", {_NAMES % ('slip', 'Slide', '影渡り')}")), "abilities[0].name", "Slip, 影渡り"),
        (make(static(_PLUS, more=f", {_NAMES % ('up', 'Up' + chr(92) + 'u0007', '上')}")), "abilities[0].en",
         "letters, digits, punctuation and spaces"),
        # costs
        (make(activated(_DRAW, cost="pages = 1, life = 1")), "abilities[0].life", NOTHING),
        (make(activated(_DRAW, cost="pages = 0")), "abilities[0].pages", "1 to 99"),
        (make(static('{ mod = "cost", of = ["move"], n = 1, least = 1 }')), "abilities[0].mods[0].least", NOTHING),
        # targets of a text
        (event('{ do = "seal", on = "self", until = "turn" }'), "abilities[0].do[0].on", "attacker"),
        (make(activated('{ do = "seal", on = "wearer", until = "turn" }')), "abilities[0].do[0].on", "self, attacker"),
        (make(automatic('{ do = "seal", on = "self", until = "turn" }'), type="equipment"), "abilities[0].do[0].on",
         "wearer, attacker"),
        (event('{ do = "seal", on = "chosen", until = "turn" }'), "abilities[0].do[0].on", "attacker"),
        (event('{ do = "seal", on = "second", until = "turn" }', _CHAR), "abilities[0].choices[0].choose", NOTHING),
        (event('{ do = "retrieve" }, { do = "seal", on = "chosen", until = "turn" }', _SLEEVE_CARD),
         "abilities[0].do[1].on", "attacker"),
        (make(static(_PLUS, '"wearer"')), "abilities[0].on", "self, you, opponent, each"),
        (make(static(_PLUS), type="equipment"), "abilities[0].on", "wearer, you, opponent, each"),
        (field(static(_PLUS)), "abilities[0].abilities[0].on", "you, opponent, each"),
        (field(static(_PLUS, '{ whose = "other_own" }')), "abilities[0].abilities[0].on.whose", "own, enemy, any"),
        (field(static(_PLUS, '{ adjacent = "self" }')), "abilities[0].abilities[0].on.adjacent", NOTHING),
        (make(static(_PLUS, '{ adjacent = "wearer" }')), "abilities[0].on.adjacent", "self"),
        (make(static(_PLUS, '{ adjacent = "self" }'), type="equipment"), "abilities[0].on.adjacent", "wearer"),
        (event('{ do = "seal", on = "chosen", until = "turn" }', '{ choose = "char", of = { adjacent = "self" } }'),
         "abilities[0].choices[0].of.adjacent", NOTHING),
        (event('{ do = "remove_token" }'), "abilities[0].do[0].do", but(T.AnyDo, "remove_token")),
        (make(automatic('{ do = "remove_token" }')), "abilities[0].do[0].do", but(T.AnyDo, "remove_token")),
        # modifiers
        (make(static(_PLUS, '"you"')), "abilities[0].mods[0].mod", "cost, forbid"),
        (make(static('{ mod = "set_move", type = "x" }', '"opponent"')), "abilities[0].mods[0].mod", "cost, forbid"),
        (make(static('{ mod = "forbid", actions = ["convert_hand"] }')), "abilities[0].mods[0].mod",
         but(T.AnyModifier, "forbid")),
        (make(static('{ mod = "keyword", name = "unsealable" }', '{ whose = "own" }')), "abilities[0].mods[0].name",
         "double_dash, immovable, spring"),
        # conditions and causes
        (event(_DRAW, more=', if = [{ is = "in_home", whose = "own" }]'), "abilities[0].if[0].is",
         but(M.AnyCondition, "self_is_attacker", "in_home", "others_opened")),
        (make(static(_PLUS, more=f", while = [{_OPENED}]")), "abilities[0].while[0].is",
         but(M.AnyCondition, "others_opened")),
        (field(automatic(_DRAW, more=', if = [{ is = "self_is_attacker" }]')), "abilities[0].abilities[0].if[0].is",
         but(M.AnyCondition, "self_is_attacker", "in_home")),
        (event(f'{{ do = "draw", n = 1, if = [{_OPENED}] }}'), "abilities[0].do[0].if[0].is",
         but(M.AnyCondition, "self_is_attacker", "in_home", "others_opened")),
        (make(automatic(_DRAW, "wearer_attacked")), "abilities[0].cause", but(T.Cause, "wearer_attacked")),
        (make(automatic(_DRAW, "self_damaged"), type="equipment"), "abilities[0].cause", but(T.Cause, "self_damaged")),
        (field(automatic(_DRAW, "self_damaged")), "abilities[0].abilities[0].cause",
         but(T.Cause, "self_damaged", "wearer_attacked")),
        # endless loop
        (make(automatic('{ do = "gain_life", n = 1 }, { do = "damage", on = "self", n = 1 }', "self_damaged")),
         "abilities[0].do[1].do", but(T.AnyDo, "damage")),
        (make(automatic('{ do = "damage", on = "attacker", n = 1 }', "self_damaged"), type="token"),
         "abilities[0].do[0].do", but(T.AnyDo, "damage")),
        # choices
        (event('{ do = "negate" }', f"{_ITEM}, {_ITEM}"), "abilities[0].choices[1].choose", NOTHING),
        (event(_DRAW, '{ choose = "writer" }'), "abilities[0].choices[0].choose", NOTHING),
        (event(_DRAW, '{ choose = "direction" }'), "abilities[0].choices[0].choose", NOTHING),
        (event(_DRAW, _CHAR), "abilities[0].choices[0].choose", NOTHING),
        (event('{ do = "swap" }', f"{_SWAP}, {_SWAP}, {_SWAP}"), "abilities[0].choices[2].choose", NOTHING),
        (event('{ do = "seal", on = "chosen", until = "turn" }', _SWAP), "abilities[0].choices[0].swaps", "false"),
        (event('{ do = "shift", on = "chosen" }', f"{_CHAR}, {_CELL}"), "abilities[0].choices[1].near", "chosen"),
        (event('{ do = "shift", on = "chosen" }', '{ choose = "cell", within = 1, near = "chosen" }, ' + _CHAR),
         "abilities[0].choices[0].near", "self"),
        (make(activated('{ do = "shift", on = "self" }', '{ choose = "cell" }')), "abilities[0].choices[0].within",
         "1 to 99"),
        (make(activated('{ do = "shift", on = "self" }', '{ choose = "cell", within = 1, area = "own_home" }')),
         "abilities[0].choices[0].area", NOTHING),
        # requirements of an instruction
        (make(activated('{ do = "shift", on = "self" }')), "abilities[0].do[0].do", NEEDING_CELL),
        (make(automatic('{ do = "create_token", token = "T01" }')), "abilities[0].do[0].do", NEEDING_CELL),
        (event('{ do = "create_token", token = "C01" }', '{ choose = "cell", area = "own_home" }'),
         "abilities[0].do[0].token", "T01, T02"),
        (event('{ do = "create_token", token = "T09" }', '{ choose = "cell", area = "own_home" }'),
         "abilities[0].do[0].token", "T01, T02"),
        (event('{ do = "negate" }'), "abilities[0].do[0].do", but(T.AnyDo, "negate", "toll")),
        (event('{ do = "toll", n = 1 }'), "abilities[0].do[0].do", but(T.AnyDo, "negate", "toll")),
        (event('{ do = "retrieve" }'), "abilities[0].do[0].do", but(T.AnyDo, "retrieve")),
        (event('{ do = "open_foreshadow" }'), "abilities[0].do[0].do", but(T.AnyDo, "open_foreshadow")),
        (event('{ do = "draw", n = 1, who = "writer" }'), "abilities[0].do[0].who", "you, opponent, each"),
        (event('{ do = "swap" }', f"{_SWAP}, {_CHAR}"), "abilities[0].do[0].do", but(T.AnyDo, "swap")),
        (event('{ do = "swap" }', _SWAP), "abilities[0].do[0].do", but(T.AnyDo, "swap")),
        (event('{ do = "push", on = "chosen", towards = "direction" }', _CHAR), "abilities[0].do[0].towards", "away"),
        (event('{ do = "push", on = "chosen", towards = "away" }', _CHAR), "abilities[0].do[0].towards", "direction"),
        (make(activated('{ do = "push", on = "self", towards = "away" }')), "abilities[0].do[0].towards", "direction"),
        (event(_SEALED % ("chosen", ""), _CHAR), "abilities[0].do[0].until", "turn"),
        (event(_SEALED % ("chosen", ""), _CHAR, ', if = [{ is = "own_attacks" }]', "foreshadow"),
         "abilities[0].do[0].until", "turn"),
    ])  # fmt: skip
def test_a_misfit_is_named_by_file_card_field_and_what_is_allowed(source: str, field: str, allowed: str) -> None:
    said = refusal(source)
    assert said.startswith(f"my.toml, card X1, {field}: ") and said.endswith(f"; allowed: {allowed}")


@for_each("source", [
        make(),
        make(type="token"),
        make(type="equipment"),
        make(static(_PLUS, more=f", {_NAMES % ('slip', 'Slip', '影渡り')}")),
        make(static(_PLUS), static(_PLUS), automatic(_DRAW)),
        make(static('{ mod = "keyword", name = "unsealable" }')),
        make(static('{ mod = "keyword", name = "unsealable" }', '"wearer"'), type="equipment"),
        field(static('{ mod = "keyword", name = "unsealable" }', '{ whose = "own" }')),
        make(automatic('{ do = "damage", on = "wearer", n = 1 }', "wearer_attacked"), type="equipment"),
        make(activated('{ do = "create_token", token = "T90" }', _CELL)) + make(type="token", id='"T90"'),
        event(_SEALED % ("attacker", "")),
        event(_SEALED % ("chosen", ""), _FIGHTING),
        event(_SEALED % ("chosen", ', if = [{ is = "battle_running" }]'), _CHAR),
        event(_SEALED % ("chosen", ""), _CHAR, ', timing = "battle"'),
        event('{ do = "retrieve" }, { do = "seal", on = "second", until = "turn" }', _SLEEVE_CARD + ", " + _CHAR),
        event('{ do = "draw", n = 1, who = "writer" }', '{ choose = "writer" }'),
    ])  # fmt: skip
def test_what_is_just_allowed_is_loaded(source: str) -> None:
    assert load_cards(source, "my.toml", CARDS)["X1"].id == "X1"


def test_an_erratum_may_give_an_ability_other_words_where_no_other_card_has_it() -> None:
    slip = activated(_DRAW, name="slip").replace('"Trick"', '"Slide"')
    assert load_cards(make(slip, id='"C10"'), "my.toml", CARDS)["C10"].abilities[0].en == "Slide"
