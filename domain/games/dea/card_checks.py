"""Semantic checks of card files: errors that the types of the text cannot express."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import fields

from domain.games.dea import card_vocabulary as M, text as T
from domain.parts.cardfile import NOTHING, POSITIVE, Misfit, other_words, out_of_place, tag, tags, unprintable, words_of
from domain.words import Text, Texts

_FIELDS_OF_TYPE: Final[Mapping[T.CardType, tuple[str, ...]]] = {
    "character": ("rarity", "sex", "cost", "move", "atk", "def", "survival"),
    "event": ("rarity", "pages"),
    "equipment": ("rarity", "pages"),
    "foreshadow": ("rarity",),
    "token": ("sex", "move", "atk", "def"),
}
"""Fields of each card type in addition to name, colour and text."""
_OPTIONAL_FIELDS: Final = tuple(field for field in fields(T.Card) if field.default in (0, None, "none"))
_REQUIRED_WORDS: Final[Mapping[str, object]] = {"rarity": T.Rarity, "sex": T.Sex}
_ABILITIES_ON_MAP: Final = (T.Static, T.Automatic, T.Activated)
_ABILITIES: Final[Mapping[T.CardType, tuple[type[T.AnyAbility], ...]]] = {
    "character": _ABILITIES_ON_MAP,
    "event": (T.Event,),
    "equipment": (T.Static, T.Automatic),
    "foreshadow": (T.Foreshadow, T.Field),
    "token": _ABILITIES_ON_MAP,
}
_ONE_ABILITY: Final = ("event", "foreshadow")

_BATTLE_CONDITIONS: Final = (M.BattleRunning, M.SelfIsAttacker, M.OwnAttacks)
_CHOICE_NEEDED: Final[Mapping[type[T.AnyDo], type[T.AnyChoice]]] = {
    T.Shift: T.ChooseEmptyCell,
    T.CreateToken: T.ChooseEmptyCell,
    T.Negate: T.ChooseItem,
    T.Toll: T.ChooseItem,
    T.Retrieve: T.ChooseSleeveCard,
    T.OpenForeshadow: T.ChooseSlot,
}
"""Choice that an instruction requires."""
_TARGET_INDEX: Final = {"chosen": 0, "second": 1}


class Scope(Struct, frozen=True):
    """Context of a piece of text: the card type, the choices made before it, and whether a battle is certain."""

    type: T.CardType
    choices: tuple[T.AnyChoice, ...] = ()
    battle: bool = False

    @property
    def is_person(self) -> bool:
        return self.type in T.MAP_CARD_TYPES

    @property
    def targets(self) -> tuple[T.AnyChoice, ...]:
        return tuple(choice for choice in self.choices if isinstance(choice, T.CARD_CHOICES))

    def chosen(self, on: M.CharacterRef) -> T.ChooseChar | None:
        """Return the choice of the character that a reference means, if it is a choice of a character."""
        place = _TARGET_INDEX.get(on)
        if place is None or place >= len(self.targets):
            return None
        choice = self.targets[place]
        return choice if isinstance(choice, T.ChooseChar) else None

    def can_refer_to(self, on: M.CharacterRef) -> bool:
        if on in _TARGET_INDEX:
            return self.chosen(on) is not None
        return {"self": self.is_person, "wearer": self.type == "equipment"}.get(on, True)


def misfits(card: T.Card, known_cards: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """Yield the errors of a well-formed card. `known_cards` are the cards that its text may name."""
    yield from _check_fields(card)
    yield from _check_names(card, known_cards)
    for place, ability in enumerate(card.abilities):
        yield from _ability(ability, f"abilities[{place}]", Scope(card.type))
    for path, ability in _list_abilities(card):
        for place, instruction in enumerate(_program(ability)):
            if isinstance(instruction, T.CreateToken):
                tokens = sorted(face for face, token in known_cards.items() if token.type == "token")
                if instruction.token not in tokens:
                    why = Text("card.why.no_token", {"name": repr(instruction.token)})
                    yield f"{path}.do[{place}].token", why, Texts(tuple(tokens))


# -- the card ---------------------------------------------------------------------------------------------------------


def _check_fields(card: T.Card) -> Iterator[Misfit]:
    values = {"type": card.type}
    for field in _OPTIONAL_FIELDS:
        name, is_set = field.encode_name, getattr(card, field.name) != field.default
        if name in _REQUIRED_WORDS and name in _FIELDS_OF_TYPE[card.type] and not is_set:
            yield name, Text("card.why.type_lacks", values), Texts(get_args(_REQUIRED_WORDS[name]))
        if is_set and name not in _FIELDS_OF_TYPE[card.type]:
            yield name, Text("card.why.type_has_none", values), NOTHING
    allowed = _ABILITIES[card.type]
    for place, ability in enumerate(card.abilities):
        if not isinstance(ability, allowed):
            yield f"abilities[{place}].kind", out_of_place(tag(ability), card.type), tags(allowed)
    if card.type in _ONE_ABILITY and len(card.abilities) != 1:
        yield "abilities", Text("card.why.type_has_one", values), Text("card.allowed.one")


def _list_abilities(card: T.Card) -> Iterator[tuple[str, T.AnyAbility]]:
    """Yield the abilities of a card and of its field, each with its path."""
    for place, ability in enumerate(card.abilities):
        yield f"abilities[{place}]", ability
        if isinstance(ability, T.Field):
            for inner_place, inner in enumerate(ability.abilities):
                yield f"abilities[{place}].abilities[{inner_place}]", inner


def _program(ability: T.AnyAbility) -> tuple[T.AnyDo, ...]:
    return ability.do if isinstance(ability, T.Automatic | T.Use) else ()


def _check_names(card: T.Card, known_cards: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """Check that each ability has a unique name, or none if it bears the card's name."""
    names: set[str | None] = set()
    for path, ability in _list_abilities(card):
        yield from unprintable(**{f"{path}.en": ability.en or "", f"{path}.ja": ability.ja or ""})
        words = {"name": ability.name, "en": ability.en, "ja": ability.ja}
        missing = [field for field, word in words.items() if word is None]
        if isinstance(ability, T.Event | T.Foreshadow | T.Field):
            extra = (field for field in words if field not in missing)
            yield from ((f"{path}.{field}", Text("card.why.card_named"), NOTHING) for field in extra)
        elif missing and (len(missing) < len(words) or isinstance(ability, T.Activated)):
            yield f"{path}.{missing[0]}", Text("card.why.name_missing"), Text("card.allowed.text")
        if (ability.name or isinstance(ability, T.Automatic)) and ability.name in names:
            yield f"{path}.name", Text("card.why.name_twice"), Text("card.allowed.own_name")
        names.add(ability.name if ability.name or isinstance(ability, T.Automatic) else "")
        for other in _namesakes(ability, card, known_cards):
            if (other.en, other.ja) != (ability.en, ability.ja):
                yield f"{path}.name", Text("card.why.name_known", {"name": ability.name}), Texts((other.en, other.ja))


def _namesakes(ability: T.Ability, card: T.Card, known_cards: Mapping[str, T.Card]) -> Iterator[T.Ability]:
    if ability.name:
        for other in known_cards.values():
            if other.id != card.id:
                yield from (namesake for _, namesake in _list_abilities(other) if namesake.name == ability.name)


# -- abilities --------------------------------------------------------------------------------------------------------


def _ability(ability: T.AnyAbility, path: str, scope: Scope) -> Iterator[Misfit]:
    match ability:
        case T.Static(on=on, mods=mods, only_while=conditions):
            yield from _conditions(conditions, f"{path}.while", scope)
            yield from _concerned(on, f"{path}.on", scope)
            for place, mod in enumerate(mods):
                yield from _modifier(mod, on, f"{path}.mods[{place}]", scope)
        case T.Automatic(cause=cause, do=do, only_if=conditions):
            yield from _cause(ability, path, scope)
            yield from _conditions(conditions, f"{path}.if", scope)
            yield from _instructions(do, path, Scope(scope.type, battle=_has_battle_condition(conditions)))
            if cause == "self_damaged":
                damage_places = (place for place, instruction in enumerate(do) if isinstance(instruction, T.Damage))
                yield from (
                    (f"{path}.do[{n}].do", Text("card.why.endless"), other_words(T.AnyDo, "damage"))
                    for n in damage_places
                )
        case T.Activated() | T.Event() | T.Foreshadow():
            yield from _use(ability, path, scope)
        case T.Field(abilities=abilities, only_if=conditions):
            yield from _conditions(conditions, f"{path}.if", scope)
            for place, inner in enumerate(abilities):
                yield from _ability(inner, f"{path}.abilities[{place}]", scope)


def _cause(ability: T.Automatic, path: str, scope: Scope) -> Iterator[Misfit]:
    fits = {"self_damaged": scope.is_person, "wearer_attacked": scope.type == "equipment"}
    if not fits.get(ability.cause, True):
        wrong = (cause for cause, holds in fits.items() if not holds)
        yield f"{path}.cause", out_of_place(ability.cause, scope.type), other_words(T.Cause, *wrong)


def _use(use: T.AnyUse, path: str, scope: Scope) -> Iterator[Misfit]:
    yield from _conditions(use.only_if, f"{path}.if", scope)
    battle = not isinstance(use, T.Foreshadow) and (use.timing == "battle" or _has_battle_condition(use.only_if))
    if isinstance(use, T.Activated) and bool(use.pages) == bool(use.life):
        field, other = ("life", NOTHING) if use.life else ("pages", POSITIVE)
        yield f"{path}.{field}", Text("card.why.one_cost"), other
    inside = Scope(scope.type, use.choices, battle)
    yield from _choices(use, path, inside)
    yield from _instructions(use.do, path, inside)


def _has_battle_condition(conditions: tuple[M.AnyCondition, ...]) -> bool:
    return any(isinstance(condition, _BATTLE_CONDITIONS) for condition in conditions)


def _conditions(conditions: tuple[M.AnyCondition, ...], path: str, scope: Scope) -> Iterator[Misfit]:
    wrong: tuple[type[M.AnyCondition], ...] = () if scope.is_person else (M.SelfIsAttacker, M.InHome)
    wrong += () if scope.type == "foreshadow" else (M.OthersOpened,)
    for place, condition in enumerate(conditions):
        if isinstance(condition, wrong):
            yield f"{path}[{place}].is", out_of_place(tag(condition), scope.type), other_words(M.AnyCondition, *wrong)


def _characters(of: M.CharacterFilter, path: str, scope: Scope) -> Iterator[Misfit]:
    if of.whose == "other_own" and not (scope.is_person or scope.type == "equipment"):
        yield f"{path}.whose", out_of_place("other_own", scope.type), "own, enemy, any"
    if of.adjacent is not None and not scope.can_refer_to(of.adjacent):
        valid = [word for word in ("self", "wearer") if scope.can_refer_to(word)]
        yield f"{path}.adjacent", out_of_place(of.adjacent, scope.type), Texts(tuple(valid)) if valid else NOTHING


def _concerned(on: T.StaticSubject, path: str, scope: Scope) -> Iterator[Misfit]:
    if isinstance(on, M.CharacterFilter):
        yield from _characters(on, path, scope)
    elif on in ("self", "wearer") and not scope.can_refer_to(on):
        wrong = (word for word in ("self", "wearer") if not scope.can_refer_to(word))
        yield path, out_of_place(on, scope.type), other_words(get_args(T.StaticSubject)[0], *wrong)


def _modifier(mod: T.AnyModifier, on: T.StaticSubject, path: str, scope: Scope) -> Iterator[Misfit]:
    writer = on in ("you", "opponent", "each")
    fits = isinstance(mod, T.Costs | T.Cannot) if writer else not isinstance(mod, T.Cannot)
    if not fits:
        allowed = "cost, forbid" if writer else other_words(T.AnyModifier, "forbid")
        yield f"{path}.mod", Text("card.why.mod_writer" if writer else "card.why.mod_char"), allowed
    if isinstance(mod, T.Costs) and mod.least and mod.n >= 0:
        yield f"{path}.least", Text("card.why.least"), NOTHING
    if isinstance(mod, T.Has) and mod.name == "unsealable" and scope.is_person and on != "self":
        yield f"{path}.name", Text("card.why.unsealable"), other_words(M.KeywordName, "unsealable")


# -- choices ----------------------------------------------------------------------------------------------------------


def _choices(use: T.AnyUse, path: str, scope: Scope) -> Iterator[Misfit]:
    used = _used_choices(use, scope)
    for place, choice in enumerate(use.choices):
        choice_path = f"{path}.choices[{place}]"
        is_limited_to_one = not isinstance(choice, T.ChooseChar)
        if is_limited_to_one and any(type(choice) is type(before) for before in use.choices[:place]):
            yield f"{choice_path}.choose", Text("card.why.asked_twice"), NOTHING
        elif not any(choice is other for other in used):
            yield f"{choice_path}.choose", Text("card.why.unused_choice"), NOTHING
        match choice:
            case T.ChooseChar(of=of, swaps=swaps):
                yield from _characters(of, f"{choice_path}.of", scope)
                if swaps and not any(isinstance(instruction, T.Swap) for instruction in use.do):
                    yield f"{choice_path}.swaps", Text("card.why.unused_choice"), "false"
            case T.ChooseEmptyCell():
                yield from _cell(choice, choice_path, Scope(scope.type, use.choices[:place]))
            case _:
                pass


def _used_choices(use: T.AnyUse, scope: Scope) -> list[T.AnyChoice]:
    kinds = {needed for instruction in use.do if (needed := _CHOICE_NEEDED.get(type(instruction)))}
    refs = {getattr(instruction, "on", "") for instruction in use.do}
    if any(isinstance(instruction, T.Swap) for instruction in use.do):
        refs |= _TARGET_INDEX.keys()
    if any(isinstance(choice, T.ChooseEmptyCell) and choice.near == "chosen" for choice in use.choices):
        refs.add("chosen")
    if any(getattr(instruction, "who", "") == "writer" for instruction in use.do):
        kinds.add(T.ChooseWriter)
    if any(getattr(instruction, "towards", "") == "direction" for instruction in use.do):
        kinds.add(T.ChooseDirection)
    targets = [
        choice for ref, place in _TARGET_INDEX.items() if ref in refs for choice in scope.targets[place : place + 1]
    ]
    return targets + [choice for choice in use.choices if type(choice) in kinds]


def _cell(choice: T.ChooseEmptyCell, path: str, before: Scope) -> Iterator[Misfit]:
    if not choice.within and choice.area is None:
        yield f"{path}.within", Text("card.why.where"), POSITIVE
    elif choice.area is not None and (choice.within or choice.near != "self"):
        yield f"{path}.area", Text("card.why.where"), NOTHING
    if choice.near == "chosen" and before.chosen("chosen") is None:
        yield f"{path}.near", Text("card.why.not_asked", {"choice": "char"}), "self"
    if choice.within and choice.near == "self" and not before.is_person:
        yield f"{path}.near", out_of_place("self", before.type), "chosen"


# -- instructions -----------------------------------------------------------------------------------------------------


def _instructions(do: tuple[T.AnyDo, ...], path: str, scope: Scope) -> Iterator[Misfit]:
    chosen_types = {type(choice) for choice in scope.choices}
    for place, instruction in enumerate(do):
        instruction_path, on = f"{path}.do[{place}]", getattr(instruction, "on", None)
        yield from _conditions(instruction.only_if, f"{instruction_path}.if", scope)
        if on is not None and not scope.can_refer_to(on):
            allowed = Texts(tuple(word for word in words_of(M.CharacterRef) if scope.can_refer_to(word)))  # type: ignore[arg-type]
            why = (
                Text("card.why.not_asked", {"choice": "char"}) if on in _TARGET_INDEX else out_of_place(on, scope.type)
            )
            yield f"{instruction_path}.on", why, allowed
        needed = _CHOICE_NEEDED.get(type(instruction))
        if needed is not None and needed not in chosen_types:
            yield f"{instruction_path}.do", _not_asked(needed), _do_without(needed)
        if getattr(instruction, "who", "") == "writer" and T.ChooseWriter not in chosen_types:
            yield f"{instruction_path}.who", _not_asked(T.ChooseWriter), other_words(M.WriterRef, "writer")
        if getattr(instruction, "until", "") == "battle" and not _in_battle(instruction, on, scope):
            yield f"{instruction_path}.until", Text("card.why.no_battle"), "turn"
        yield from _special_needs(instruction, instruction_path, scope)


def _special_needs(instruction: T.AnyDo, path: str, scope: Scope) -> Iterator[Misfit]:
    match instruction:
        case T.Push(towards="direction"):
            if T.ChooseDirection not in map(type, scope.choices):
                yield f"{path}.towards", _not_asked(T.ChooseDirection), "away"
        case T.Push(on=on):
            if not scope.is_person or on == "self":
                yield f"{path}.towards", Text("card.why.away"), "direction"
        case T.Swap():
            both = (scope.chosen("chosen"), scope.chosen("second"))
            if not all(choice is not None and choice.swaps for choice in both):
                yield f"{path}.do", Text("card.why.swap"), other_words(T.AnyDo, "swap")
        case T.RemoveToken():
            if scope.type != "token":
                yield f"{path}.do", out_of_place("remove_token", scope.type), other_words(T.AnyDo, "remove_token")
        case _:
            pass


def _in_battle(instruction: T.AnyDo, on: M.CharacterRef | None, scope: Scope) -> bool:
    """True if an effect that lasts for a battle is certain to start in one."""
    choice = scope.chosen(on) if on is not None else None
    fighting = on == "attacker" or (choice is not None and choice.of.in_battle)
    return scope.battle or fighting or _has_battle_condition(instruction.only_if)


def _not_asked(choice: type[T.AnyChoice]) -> Text:
    return Text("card.why.not_asked", {"choice": tag(choice)})


def _do_without(choice: type[T.AnyChoice]) -> Texts:
    return other_words(T.AnyDo, *(do for do, needed in _CHOICE_NEEDED.items() if needed is choice))
