"""Semantic checks of a card file: mistakes that the types of the card text cannot express."""

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from msgspec.structs import fields

from domain.games.skillbook import meaning as M, text as T
from domain.games.skillbook.aim_checks import (
    OFF_BOARD_EVENTS,
    UNITS,
    Scope,
    find_wrong_aims,
    find_wrong_instructions,
    find_wrong_units,
    hosts_terrain,
)
from domain.parts.cardfile import NOTHING, POSITIVE, Misfit, other_words, out_of_place, tag, tags, words_of
from domain.words import Text, Texts

_SKILL_FIELDS: Final = ("element", "response", "cast", "cost", "double_cost", "lose_hp", "requirement")
_UNIT_FIELDS: Final = ("at", "df", "sp", "keywords")
_FIELDS_BY_TYPE: Final[Mapping[T.CardType, tuple[str, ...]]] = {
    "hero": ("element", "classes", *_UNIT_FIELDS),
    "monster": (*_SKILL_FIELDS, *_UNIT_FIELDS),
    "spell": _SKILL_FIELDS,
    "bind": _SKILL_FIELDS,
    "aura": _SKILL_FIELDS,
    "curse": (*_SKILL_FIELDS, "dispel_cost"),
    "basic": ("elements",),
    "special": ("elements",),
    "start": (),
    "token": _UNIT_FIELDS,
}
"""Fields that each type of card may have in addition to its name and text."""
_FIELDS: Final = tuple(
    field.name for field in fields(T.Card) if field.name not in ("id", "en", "ja", "type", "abilities")
)
_DEFAULTS: Final = {field.name: field.default for field in fields(T.Card)}
_BASIC: Final[Mapping[str, tuple[M.Element, ...]]] = {
    "mountain": ("fire",),
    "forest": ("earth",),
    "plain": ("wind",),
    "spring": ("water",),
    "town": ("dark",),
    "wasteland": (),
}
_PERMANENT_ABILITIES: Final = (T.Continuous, T.Activated, T.Triggered)
_ABILITIES: Final[Mapping[T.CardType, tuple[type[T.AnyAbility], ...]]] = {
    **dict.fromkeys((*UNITS, "special", "aura"), _PERMANENT_ABILITIES),
    "spell": (T.Use, T.Triggered),
    "bind": (T.Use, T.Continuous, T.Triggered),
    "curse": (T.Continuous, T.Triggered),
    "basic": (),
    "start": (),
}
_ONE_USE_TYPES: Final = ("spell", "bind")

_TURN_EVENTS: Final[tuple[T.Event, ...]] = ("turn_start", "turn_end")
_BATTLE_EVENTS: Final[tuple[T.Event, ...]] = ("battle_start", "battle_end", "battle_damage")
_COMMON_EVENTS: Final[tuple[T.Event, ...]] = (*_TURN_EVENTS, "battle_start", "battle_end")
"""Events that trigger abilities of every card in force."""
_EVENTS: Final[Mapping[T.CardType, tuple[T.Event, ...]]] = {
    "hero": ("game_start", *_COMMON_EVENTS, "battle_damage", "explored"),
    "monster": (*_COMMON_EVENTS, "battle_damage", "explored", "destroyed", *OFF_BOARD_EVENTS),
    "token": (*_COMMON_EVENTS, "battle_damage", "explored", "destroyed"),
    "spell": OFF_BOARD_EVENTS,
    "bind": (*_COMMON_EVENTS, *OFF_BOARD_EVENTS),
    "aura": (*_COMMON_EVENTS, *OFF_BOARD_EVENTS),
    "curse": (*_COMMON_EVENTS, *OFF_BOARD_EVENTS),
    "special": ("game_start", *_COMMON_EVENTS, "explored", "entered"),
}
_UNIT_CONDITIONS: Final[Mapping[M.Condition, tuple[T.Event, ...]]] = {
    "was_target_and_attacker_adjacent": ("battle_end", "battle_damage"),
    "is_attacker": _BATTLE_EVENTS,
    "attacked_and_target_destroyed": ("battle_end",),
    "by_this": ("explored", "battle_damage"),
    "to_hero": ("battle_damage",),
}
_TERRAIN_CONDITIONS: Final[Mapping[M.Condition, tuple[T.Event, ...]]] = {
    "during_move": ("explored", "entered"),
    "unit_is_enemy_of_owner": ("explored", "entered"),
    "occupant_is_turn_players_hero": _COMMON_EVENTS,
}
_CONTINUOUS_CONDITIONS: Final[tuple[M.Condition, ...]] = ("is_countering", "attacking_exhausted", "adjacent_to_hero")
"""Conditions that a continuous ability of a unit may have."""
_RENEWING: Final = (T.Cover, T.BuryToBook)
"""Instructions that renew what events use up: face-down terrains, cards of a book."""
_ENDLESS: Final[Mapping[T.Event, tuple[type[T.AnyDo], ...]]] = {
    "explored": _RENEWING,
    "milled": _RENEWING,
    "entered": (*_RENEWING, T.MakeToken, T.Teleport, T.Swap),
}
"""Instructions that an event may not trigger, since they could repeat it without end. Other instructions that cause
such events use up something finite."""
_ENDLESS_OF_TOKENS: Final = (*_RENEWING, T.MakeToken)
"""Instructions that a destroyed token may not trigger. Unlike tokens, monsters come only by player actions."""
_PLAYERS: Final = ("you", "opponent", "cursed")


def find_mistakes(card: T.Card, named: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """Yield the mistakes in a well-formed card. `named` are the cards that its text may name."""
    yield from _printed(card)
    yield from _costs(card)
    yield from _keywords(card)
    for place, ability in enumerate(card.abilities):
        at = f"abilities[{place}]"
        allowed = _ABILITIES[card.type]
        if not isinstance(ability, allowed):
            yield f"{at}.kind", out_of_place(tag(ability), card.type), tags(allowed)
        else:
            yield from _ability(ability, at, Scope.of(card, named, ability))


# -- the card ---------------------------------------------------------------------------------------------------------


def _printed(card: T.Card) -> Iterator[Misfit]:
    """Yield a mistake for each field that the type of card lacks or must not have."""
    values = {"type": card.type}
    for name in _FIELDS:
        if getattr(card, name) != _DEFAULTS[name] and name not in _FIELDS_BY_TYPE[card.type]:
            yield name, Text("card.why.type_has_none", values), NOTHING
    if card.type in UNITS and not card.df:
        yield "df", Text("card.why.no_life"), POSITIVE
    if card.type == "hero" and not card.classes:
        yield "classes", Text("card.why.type_lacks", values), _listed(M.Class)
    if card.type == "basic":
        yield from _basic(card)
    for name in ("classes", "elements"):
        listed = getattr(card, name)
        if len(set(listed)) < len(listed):
            yield name, Text("card.why.listed_twice"), Text("card.allowed.each_once")
    uses = sum(isinstance(ability, T.Use) for ability in card.abilities)
    if card.type in _ONE_USE_TYPES and uses != 1:
        yield "abilities", Text("card.why.one_use", values), Text("card.allowed.one")


def _basic(card: T.Card) -> Iterator[Misfit]:
    if card.id not in _BASIC:
        yield "id", Text("card.why.basic"), Texts(tuple(_BASIC))
    elif card.elements != _BASIC[card.id]:
        yield "elements", Text("card.why.basic"), Texts(_BASIC[card.id]) if _BASIC[card.id] else NOTHING


def _costs(card: T.Card) -> Iterator[Misfit]:
    if card.double_cost is None:
        return
    if card.element is None:
        yield "double_cost", Text("card.why.no_double"), NOTHING
    elif card.double_cost >= card.cost:
        number = Text("card.allowed.number", {"least": 0, "most": card.cost - 1})
        yield "double_cost", Text("card.why.cheaper"), number if card.cost else NOTHING


def _keywords(card: T.Card) -> Iterator[Misfit]:
    for place, keyword in enumerate(card.keywords):
        yield from _keyword(keyword, f"keywords[{place}]")
        if any(keyword.name == other.name for other in card.keywords[:place]):
            yield f"keywords[{place}].name", Text("card.why.listed_twice"), Text("card.allowed.each_once")


def _keyword(keyword: T.Has, at: str) -> Iterator[Misfit]:
    if (keyword.name == "ranged") != bool(keyword.n):
        yield f"{at}.n", Text("card.why.ranged"), POSITIVE if keyword.name == "ranged" else NOTHING


def _listed(words: object) -> Texts:
    return Texts(tuple(words_of(words)))


# -- abilities --------------------------------------------------------------------------------------------------------


def _ability(ability: T.AnyAbility, at: str, scope: Scope) -> Iterator[Misfit]:
    match ability:
        case T.Use():
            yield from _use(ability, at, scope)
        case T.Continuous():
            yield from _continuous(ability, at, scope)
        case T.Activated():
            yield from _activated(ability, at, scope)
        case T.Triggered():
            yield from _triggered(ability, at, scope)
        case _:
            assert_never(ability)
    if not isinstance(ability, T.Continuous):
        yield from find_wrong_aims(ability, at, scope)
        yield from find_wrong_instructions(ability, at, scope)


def _use(ability: T.Use, at: str, scope: Scope) -> Iterator[Misfit]:
    if scope.card.type == "bind":
        if ability.do:
            yield f"{at}.do", Text("card.why.bind_does"), NOTHING
        if len(ability.targets) != 1 or not isinstance(ability.targets[0], M.UnitTarget | M.TerrainTarget):
            yield f"{at}.targets", Text("card.why.bind_aims"), "unit, terrain"
    elif not ability.do:
        yield f"{at}.do", Text("card.why.empty"), Text("card.allowed.some")
    if ability.path:
        first = ability.targets[0] if ability.targets else None
        if not (isinstance(first, M.UnitTarget) and first.of.range.reach == "pierced" and first.of.range.of == "start"):
            yield f"{at}.path", Text("card.why.path"), "false"
        elif "pierced" not in scope.meant:
            yield f"{at}.path", Text("card.why.unused_choice"), "false"


def _continuous(ability: T.Continuous, at: str, scope: Scope) -> Iterator[Misfit]:
    on, type = ability.on, scope.card.type
    applicable = {
        "this": type in UNITS,
        "host": type == "bind",
        "occupant": type == "special",
        "cursed": type == "curse",
        **dict.fromkeys(("you", "opponent"), type != "special"),
    }
    if isinstance(on, M.Units):
        if type == "special":
            yield f"{at}.on", Text("card.why.terrain_concerns"), "occupant"
        yield from find_wrong_units(on, f"{at}.on", scope, lasting=True)
    elif not applicable[on]:
        yield (
            f"{at}.on",
            out_of_place(on, scope.card.type),
            Texts(tuple(word for word, holds in applicable.items() if holds)),
        )
    for place, mod in enumerate(ability.mods):
        yield from _modifier(mod, on, f"{at}.mods[{place}]", scope)
    if ability.only_if is not None and (type not in UNITS or ability.only_if not in _CONTINUOUS_CONDITIONS):
        yield (
            f"{at}.if",
            out_of_place(ability.only_if, scope.card.type),
            Texts(_CONTINUOUS_CONDITIONS) if type in UNITS else NOTHING,
        )


def _modifier(mod: T.AnyModifier, on: T.Concerned, at: str, scope: Scope) -> Iterator[Misfit]:
    bans_responses = isinstance(mod, T.Cannot) and mod.act == "use_response_skills"
    is_for_terrain = on == "host" and hosts_terrain(scope.card)
    if is_for_terrain != isinstance(mod, T.AddElement):
        allowed = "add_element" if is_for_terrain else other_words(T.AnyModifier, "add_element")
        yield f"{at}.mod", Text("card.why.mod_terrain"), allowed
    elif on in _PLAYERS and isinstance(mod, T.Cannot) and not bans_responses:
        yield f"{at}.act", Text("card.why.mod_player"), "use_response_skills"
    elif on in _PLAYERS and not isinstance(mod, T.Cannot | T.CostPlus):
        yield f"{at}.mod", Text("card.why.mod_player"), "cost_mod, ban"
    elif on not in _PLAYERS and isinstance(mod, T.CostPlus):
        yield f"{at}.mod", Text("card.why.mod_unit"), other_words(T.AnyModifier, "cost_mod", "add_element")
    elif on not in _PLAYERS and bans_responses:
        yield f"{at}.act", Text("card.why.mod_unit"), other_words(M.Act, "use_response_skills")
    if isinstance(mod, T.Plus | T.CostPlus) and not mod.n:
        yield f"{at}.n", Text("card.why.zero"), Text("card.allowed.not_zero")
    if isinstance(mod, T.Has):
        yield from _keyword(mod, at)
        if mod.name == "flying" and isinstance(on, M.Units) and on.non_flying:
            yield f"{at}.name", Text("card.why.flies_no_more"), other_words(M.KeywordName, "flying")


def _activated(ability: T.Activated, at: str, scope: Scope) -> Iterator[Misfit]:
    if ability.tap and scope.card.type == "aura":
        yield f"{at}.tap", Text("card.why.no_unit"), "false"
    if not (ability.mill or ability.tap or ability.once):
        yield f"{at}.mill", Text("card.why.free"), POSITIVE
    if ability.tap and not (ability.mill or ability.once):
        for place, instruction in enumerate(ability.do):
            if isinstance(instruction, T.Ready) and _may_mean_user(instruction.on, scope):
                yield f"{at}.do[{place}].do", Text("card.why.ready_again"), other_words(T.AnyDo, "ready")


def _may_mean_user(on: M.Ref, scope: Scope) -> bool:
    place = {"target": 0, "second": 1}.get(on, -1) if isinstance(on, str) else -1
    aimed = scope.targets[place] if 0 <= place < len(scope.targets) else None
    units = on if isinstance(on, M.Units) else aimed.of if isinstance(aimed, M.UnitTarget) else None
    if units is None:
        return on in ("this", "occupant")
    must_be_exhausted = units is not on and units.exhausted
    return not units.other and units.whose != "enemy" and not must_be_exhausted


def _triggered(ability: T.Triggered, at: str, scope: Scope) -> Iterator[Misfit]:
    type = scope.card.type
    events = _EVENTS[type]
    if ability.event not in events:
        yield f"{at}.event", out_of_place(ability.event, scope.card.type), Texts(events)
        return
    conditions: dict[M.Condition, tuple[T.Event, ...]] = {
        **dict.fromkeys(("turn_of_you",), tuple(event for event in events if event != "game_start")),
        **(_UNIT_CONDITIONS if type in UNITS else {}),
        **(_TERRAIN_CONDITIONS if type == "special" else {}),
        **({"turn_of_cursed": events} if type == "curse" else {}),
    }
    allowed = tuple(condition for condition, when in conditions.items() if ability.event in when)
    for place, condition in enumerate(ability.only_if):
        if condition not in allowed:
            why = Text("card.why.not_known_then", {"word": condition, "event": ability.event})
            yield f"{at}.if[{place}]", why, Texts(allowed) if allowed else NOTHING
        elif condition in ability.only_if[:place]:
            yield f"{at}.if[{place}]", Text("card.why.listed_twice"), Text("card.allowed.each_once")
    endless = _ENDLESS.get(ability.event, ())
    if type == "token" and ability.event == "destroyed":
        endless = _ENDLESS_OF_TOKENS
    for place, instruction in enumerate(ability.do):
        if isinstance(instruction, endless):
            why = Text("card.why.comes_round", {"word": tag(instruction), "event": ability.event})
            yield f"{at}.do[{place}].do", why, other_words(T.AnyDo, *endless)
