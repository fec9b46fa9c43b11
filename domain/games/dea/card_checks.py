"""Semantic checks of card files: errors that the types of the text cannot express."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import fields

from domain.games.dea import meaning as M, text as T
from domain.parts.cardfile import NOTHING, POSITIVE, Misfit, others, out_of_place, tag, tags, unprintable, words_of
from domain.words import Text, Texts

_HAS: Final[Mapping[T.CardType, tuple[str, ...]]] = {
    "character": ("rarity", "sex", "cost", "move", "atk", "def", "survival"),
    "event": ("rarity", "pages"),
    "equipment": ("rarity", "pages"),
    "foreshadow": ("rarity",),
    "token": ("sex", "move", "atk", "def"),
}
"""Fields of each card type in addition to name, colour and text."""
_FIELDS: Final = tuple(field for field in fields(T.Card) if field.default in (0, None, "none"))
_NEEDED: Final[Mapping[str, object]] = {"rarity": T.Rarity, "sex": T.Sex}
_MOVING: Final = (T.Static, T.Automatic, T.Activated)
_ABILITIES: Final[Mapping[T.CardType, tuple[type[T.AnyAbility], ...]]] = {
    "character": _MOVING,
    "event": (T.Event,),
    "equipment": (T.Static, T.Automatic),
    "foreshadow": (T.Foreshadow, T.Field),
    "token": _MOVING,
}
_ONE_ABILITY: Final = ("event", "foreshadow")

_BATTLE: Final = (M.BattleRunning, M.SelfIsAttacker, M.OwnAttacks)
_NEEDS: Final[Mapping[type[T.AnyDo], type[T.AnyChoice]]] = {
    T.Shift: T.ChooseEmptyCell,
    T.CreateToken: T.ChooseEmptyCell,
    T.Negate: T.ChooseItem,
    T.Toll: T.ChooseItem,
    T.Retrieve: T.ChooseSleeveCard,
    T.OpenForeshadow: T.ChooseSlot,
}
"""The choice that an instruction requires."""
_PLACES: Final = {"chosen": 0, "second": 1}


class Scope(Struct, frozen=True):
    """Context of a piece of text: the card type, the choices made before it, and whether a battle is certain."""

    type: T.CardType
    choices: tuple[T.AnyChoice, ...] = ()
    battle: bool = False

    @property
    def person(self) -> bool:
        return self.type in T.PERSONS

    @property
    def targets(self) -> tuple[T.AnyChoice, ...]:
        return tuple(choice for choice in self.choices if isinstance(choice, T.OF_CARDS))

    def chosen(self, on: M.Ref) -> T.ChooseChar | None:
        """Return the choice of the character that a reference means, if it is a choice of a character."""
        place = _PLACES.get(on)
        if place is None or place >= len(self.targets):
            return None
        choice = self.targets[place]
        return choice if isinstance(choice, T.ChooseChar) else None

    def means(self, on: M.Ref) -> bool:
        if on in _PLACES:
            return self.chosen(on) is not None
        return {"self": self.person, "wearer": self.type == "equipment"}.get(on, True)


def misfits(card: T.Card, named: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """Yield the errors of a well-formed card. `named` are the cards that it may name."""
    yield from _printed(card)
    yield from _named(card, named)
    for place, ability in enumerate(card.abilities):
        yield from _ability(ability, f"abilities[{place}]", Scope(card.type))
    for at, ability in _list_abilities(card):
        for place, instruction in enumerate(_program(ability)):
            if isinstance(instruction, T.CreateToken):
                tokens = sorted(face for face, token in named.items() if token.type == "token")
                if instruction.token not in tokens:
                    why = Text("card.why.no_token", {"name": repr(instruction.token)})
                    yield f"{at}.do[{place}].token", why, Texts(tuple(tokens))


# -- the card ---------------------------------------------------------------------------------------------------------


def _printed(card: T.Card) -> Iterator[Misfit]:
    values = {"type": card.type}
    for field in _FIELDS:
        name, is_set = field.encode_name, getattr(card, field.name) != field.default
        if name in _NEEDED and name in _HAS[card.type] and not is_set:
            yield name, Text("card.why.type_lacks", values), Texts(get_args(_NEEDED[name]))
        if is_set and name not in _HAS[card.type]:
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
            for inside, inner in enumerate(ability.abilities):
                yield f"abilities[{place}].abilities[{inside}]", inner


def _program(ability: T.AnyAbility) -> tuple[T.AnyDo, ...]:
    return ability.do if isinstance(ability, T.Automatic | T.Use) else ()


def _named(card: T.Card, named: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """Check that each ability has a unique name, or none if it bears the card's name."""
    names: set[str | None] = set()
    for at, ability in _list_abilities(card):
        yield from unprintable(**{f"{at}.en": ability.en or "", f"{at}.ja": ability.ja or ""})
        words = {"name": ability.name, "en": ability.en, "ja": ability.ja}
        missing = [field for field, word in words.items() if word is None]
        if isinstance(ability, T.Event | T.Foreshadow | T.Field):
            extra = (field for field in words if field not in missing)
            yield from ((f"{at}.{field}", Text("card.why.card_named"), NOTHING) for field in extra)
        elif missing and (len(missing) < len(words) or isinstance(ability, T.Activated)):
            yield f"{at}.{missing[0]}", Text("card.why.name_missing"), Text("card.allowed.text")
        if (ability.name or isinstance(ability, T.Automatic)) and ability.name in names:
            yield f"{at}.name", Text("card.why.name_twice"), Text("card.allowed.own_name")
        names.add(ability.name if ability.name or isinstance(ability, T.Automatic) else "")
        for other in _namesakes(ability, card, named):
            if (other.en, other.ja) != (ability.en, ability.ja):
                yield f"{at}.name", Text("card.why.name_known", {"name": ability.name}), Texts((other.en, other.ja))


def _namesakes(ability: T.Ability, card: T.Card, named: Mapping[str, T.Card]) -> Iterator[T.Ability]:
    if ability.name:
        for other in named.values():
            if other.id != card.id:
                yield from (namesake for _, namesake in _list_abilities(other) if namesake.name == ability.name)


# -- abilities --------------------------------------------------------------------------------------------------------


def _ability(ability: T.AnyAbility, at: str, scope: Scope) -> Iterator[Misfit]:
    match ability:
        case T.Static(on=on, mods=mods, only_while=conditions):
            yield from _conditions(conditions, f"{at}.while", scope)
            yield from _concerned(on, f"{at}.on", scope)
            for place, mod in enumerate(mods):
                yield from _modifier(mod, on, f"{at}.mods[{place}]", scope)
        case T.Automatic(cause=cause, do=do, only_if=conditions):
            yield from _cause(ability, at, scope)
            yield from _conditions(conditions, f"{at}.if", scope)
            yield from _instructions(do, at, Scope(scope.type, battle=_fights(conditions)))
            if cause == "self_damaged":
                harm = (place for place, instruction in enumerate(do) if isinstance(instruction, T.Damage))
                yield from ((f"{at}.do[{n}].do", Text("card.why.endless"), others(T.AnyDo, "damage")) for n in harm)
        case T.Activated() | T.Event() | T.Foreshadow():
            yield from _use(ability, at, scope)
        case T.Field(abilities=abilities, only_if=conditions):
            yield from _conditions(conditions, f"{at}.if", scope)
            for place, inner in enumerate(abilities):
                yield from _ability(inner, f"{at}.abilities[{place}]", scope)


def _cause(ability: T.Automatic, at: str, scope: Scope) -> Iterator[Misfit]:
    fits = {"self_damaged": scope.person, "wearer_attacked": scope.type == "equipment"}
    if not fits.get(ability.cause, True):
        wrong = (cause for cause, holds in fits.items() if not holds)
        yield f"{at}.cause", out_of_place(ability.cause, scope.type), others(T.Cause, *wrong)


def _use(use: T.AnyUse, at: str, scope: Scope) -> Iterator[Misfit]:
    yield from _conditions(use.only_if, f"{at}.if", scope)
    battle = not isinstance(use, T.Foreshadow) and (use.timing == "battle" or _fights(use.only_if))
    if isinstance(use, T.Activated) and bool(use.pages) == bool(use.life):
        field, other = ("life", NOTHING) if use.life else ("pages", POSITIVE)
        yield f"{at}.{field}", Text("card.why.one_cost"), other
    inside = Scope(scope.type, use.choices, battle)
    yield from _choices(use, at, inside)
    yield from _instructions(use.do, at, inside)


def _fights(conditions: tuple[M.AnyCondition, ...]) -> bool:
    return any(isinstance(condition, _BATTLE) for condition in conditions)


def _conditions(conditions: tuple[M.AnyCondition, ...], at: str, scope: Scope) -> Iterator[Misfit]:
    wrong: tuple[type[M.AnyCondition], ...] = () if scope.person else (M.SelfIsAttacker, M.InHome)
    wrong += () if scope.type == "foreshadow" else (M.OthersOpened,)
    for place, condition in enumerate(conditions):
        if isinstance(condition, wrong):
            yield f"{at}[{place}].is", out_of_place(tag(condition), scope.type), others(M.AnyCondition, *wrong)


def _characters(of: M.Chars, at: str, scope: Scope) -> Iterator[Misfit]:
    if of.whose == "other_own" and not (scope.person or scope.type == "equipment"):
        yield f"{at}.whose", out_of_place("other_own", scope.type), "own, enemy, any"
    if of.adjacent is not None and not scope.means(of.adjacent):
        valid = [word for word in ("self", "wearer") if scope.means(word)]
        yield f"{at}.adjacent", out_of_place(of.adjacent, scope.type), Texts(tuple(valid)) if valid else NOTHING


def _concerned(on: T.Concerned, at: str, scope: Scope) -> Iterator[Misfit]:
    if isinstance(on, M.Chars):
        yield from _characters(on, at, scope)
    elif on in ("self", "wearer") and not scope.means(on):
        wrong = (word for word in ("self", "wearer") if not scope.means(word))
        yield at, out_of_place(on, scope.type), others(get_args(T.Concerned)[0], *wrong)


def _modifier(mod: T.AnyModifier, on: T.Concerned, at: str, scope: Scope) -> Iterator[Misfit]:
    writer = on in ("you", "opponent", "each")
    fits = isinstance(mod, T.Costs | T.Cannot) if writer else not isinstance(mod, T.Cannot)
    if not fits:
        allowed = "cost, forbid" if writer else others(T.AnyModifier, "forbid")
        yield f"{at}.mod", Text("card.why.mod_writer" if writer else "card.why.mod_char"), allowed
    if isinstance(mod, T.Costs) and mod.least and mod.n >= 0:
        yield f"{at}.least", Text("card.why.least"), NOTHING
    if isinstance(mod, T.Has) and mod.name == "unsealable" and scope.person and on != "self":
        yield f"{at}.name", Text("card.why.unsealable"), others(M.KeywordName, "unsealable")


# -- choices ----------------------------------------------------------------------------------------------------------


def _choices(use: T.AnyUse, at: str, scope: Scope) -> Iterator[Misfit]:
    used = _used(use, scope)
    for place, choice in enumerate(use.choices):
        here = f"{at}.choices[{place}]"
        single = not isinstance(choice, T.ChooseChar)
        if single and any(type(choice) is type(before) for before in use.choices[:place]):
            yield f"{here}.choose", Text("card.why.asked_twice"), NOTHING
        elif not any(choice is other for other in used):
            yield f"{here}.choose", Text("card.why.unused_choice"), NOTHING
        match choice:
            case T.ChooseChar(of=of, swaps=swaps):
                yield from _characters(of, f"{here}.of", scope)
                if swaps and not any(isinstance(instruction, T.Swap) for instruction in use.do):
                    yield f"{here}.swaps", Text("card.why.unused_choice"), "false"
            case T.ChooseEmptyCell():
                yield from _cell(choice, here, Scope(scope.type, use.choices[:place]))
            case _:
                pass


def _used(use: T.AnyUse, scope: Scope) -> list[T.AnyChoice]:
    kinds = {needed for instruction in use.do if (needed := _NEEDS.get(type(instruction)))}
    refs = {getattr(instruction, "on", "") for instruction in use.do}
    if any(isinstance(instruction, T.Swap) for instruction in use.do):
        refs |= _PLACES.keys()
    if any(isinstance(choice, T.ChooseEmptyCell) and choice.near == "chosen" for choice in use.choices):
        refs.add("chosen")
    if any(getattr(instruction, "who", "") == "writer" for instruction in use.do):
        kinds.add(T.ChooseWriter)
    if any(getattr(instruction, "towards", "") == "direction" for instruction in use.do):
        kinds.add(T.ChooseDirection)
    targets = [choice for ref, place in _PLACES.items() if ref in refs for choice in scope.targets[place : place + 1]]
    return targets + [choice for choice in use.choices if type(choice) in kinds]


def _cell(choice: T.ChooseEmptyCell, at: str, before: Scope) -> Iterator[Misfit]:
    if not choice.within and choice.area is None:
        yield f"{at}.within", Text("card.why.where"), POSITIVE
    elif choice.area is not None and (choice.within or choice.near != "self"):
        yield f"{at}.area", Text("card.why.where"), NOTHING
    if choice.near == "chosen" and before.chosen("chosen") is None:
        yield f"{at}.near", Text("card.why.not_asked", {"choice": "char"}), "self"
    if choice.within and choice.near == "self" and not before.person:
        yield f"{at}.near", out_of_place("self", before.type), "chosen"


# -- instructions -----------------------------------------------------------------------------------------------------


def _instructions(do: tuple[T.AnyDo, ...], at: str, scope: Scope) -> Iterator[Misfit]:
    chosen_types = {type(choice) for choice in scope.choices}
    for place, instruction in enumerate(do):
        here, on = f"{at}.do[{place}]", getattr(instruction, "on", None)
        yield from _conditions(instruction.only_if, f"{here}.if", scope)
        if on is not None and not scope.means(on):
            allowed = Texts(tuple(word for word in words_of(M.Ref) if scope.means(word)))  # type: ignore[arg-type]
            why = Text("card.why.not_asked", {"choice": "char"}) if on in _PLACES else out_of_place(on, scope.type)
            yield f"{here}.on", why, allowed
        needed = _NEEDS.get(type(instruction))
        if needed is not None and needed not in chosen_types:
            yield f"{here}.do", _not_asked(needed), _needing_no(needed)
        if getattr(instruction, "who", "") == "writer" and T.ChooseWriter not in chosen_types:
            yield f"{here}.who", _not_asked(T.ChooseWriter), others(M.Who, "writer")
        if getattr(instruction, "until", "") == "battle" and not _in_battle(instruction, on, scope):
            yield f"{here}.until", Text("card.why.no_battle"), "turn"
        yield from _own_needs(instruction, here, scope)


def _own_needs(instruction: T.AnyDo, at: str, scope: Scope) -> Iterator[Misfit]:
    match instruction:
        case T.Push(towards="direction"):
            if T.ChooseDirection not in map(type, scope.choices):
                yield f"{at}.towards", _not_asked(T.ChooseDirection), "away"
        case T.Push(on=on):
            if not scope.person or on == "self":
                yield f"{at}.towards", Text("card.why.away"), "direction"
        case T.Swap():
            both = (scope.chosen("chosen"), scope.chosen("second"))
            if not all(choice is not None and choice.swaps for choice in both):
                yield f"{at}.do", Text("card.why.swap"), others(T.AnyDo, "swap")
        case T.RemoveToken():
            if scope.type != "token":
                yield f"{at}.do", out_of_place("remove_token", scope.type), others(T.AnyDo, "remove_token")
        case _:
            pass


def _in_battle(instruction: T.AnyDo, on: M.Ref | None, scope: Scope) -> bool:
    """True if an effect that lasts for a battle is certain to start in one."""
    choice = scope.chosen(on) if on is not None else None
    fighting = on == "attacker" or (choice is not None and choice.of.in_battle)
    return scope.battle or fighting or _fights(instruction.only_if)


def _not_asked(choice: type[T.AnyChoice]) -> Text:
    return Text("card.why.not_asked", {"choice": tag(choice)})


def _needing_no(choice: type[T.AnyChoice]) -> Texts:
    return others(T.AnyDo, *(do for do, needed in _NEEDS.items() if needed is choice))
