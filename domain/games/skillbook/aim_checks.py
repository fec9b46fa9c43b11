"""Checks of the targets and instructions of card text."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.games.skillbook import meaning as M, text as T
from domain.parts.cardfile import NOTHING, POSITIVE, Misfit, other_words, words_of
from domain.words import Text, Texts

UNITS: Final[tuple[T.CardType, ...]] = ("hero", "monster", "token")
OFF_BOARD_EVENTS: Final[tuple[T.Event, ...]] = ("milled", "removed")
"""Events at which the card is no longer a unit."""
_BATTLE_EVENTS: Final[tuple[T.Event, ...]] = ("battle_start", "battle_damage", "battle_end")
_TARGET_INDEX: Final[Mapping[str, int]] = {"target": 0, "second": 1}
"""Index of the target that each word refers to."""
Acting = T.Use | T.Activated | T.Triggered


class Scope(Struct, frozen=True):
    """Context of a card text: its card, event and targets. `named` are the cards it may name, `meant` the words it uses
    to refer to things."""

    card: T.Card
    named: Mapping[str, T.Card]
    targets: tuple[M.AnyTarget, ...] = ()
    event: T.Event | None = None
    used: bool = False
    response: bool = False
    path: bool = False
    meant: frozenset[str] = frozenset()
    conditions: tuple[M.Condition, ...] = ()

    @classmethod
    def of(cls, card: T.Card, named: Mapping[str, T.Card], ability: T.AnyAbility) -> "Scope":
        match ability:
            case T.Continuous():
                return cls(card, named)
            case T.Use(targets=targets, path=path):
                words = _ref_words(ability)
                return cls(card, named, targets, used=True, response=card.response, path=path, meant=words)
            case T.Activated(targets=targets, response=response):
                return cls(card, named, targets, used=True, response=response, meant=_ref_words(ability))
            case T.Triggered(targets=targets, event=event, only_if=only_if):
                return cls(card, named, targets, event, conditions=only_if, meant=_ref_words(ability))

    @property
    def has_origin(self) -> bool:
        """True if ranges have an origin: the hero, or the unit with the ability."""
        if self.event is None:
            return self.used and self.card.type != "aura"
        return self.card.type in UNITS and self.event not in OFF_BOARD_EVENTS

    def means(self, thing: str) -> bool:
        """True if the word `thing` refers to something in this text."""
        match thing:
            case "this":
                return self.card.type in UNITS and self.event not in (*OFF_BOARD_EVENTS, "destroyed")
            case "target" | "second":
                return self.target_of(thing, M.UnitTarget) is not None
            case "pierced":
                return self.path
            case "attacker":
                return self.response or self.event in _BATTLE_EVENTS
            case "occupant":
                return self.card.type == "special"
            case "host":
                return self.card.type == "bind" and not hosts_terrain(self.card)
            case _:
                return True

    def target_of(self, word: str, *kinds: type[M.AnyTarget]) -> M.AnyTarget | None:
        """Return the target that a word refers to, if it is of one of these kinds."""
        place = _TARGET_INDEX[word]
        target = self.targets[place] if place < len(self.targets) else None
        return target if isinstance(target, kinds) else None


def _ref_words(ability: Acting) -> frozenset[str]:
    words = {ref for instruction in ability.do for ref in refs(instruction) if isinstance(ref, str)}
    return frozenset(words | {str(each.to) for each in ability.do if isinstance(each, T.Teleport)})


def refs(instruction: T.AnyDo) -> tuple[M.Ref, ...]:
    on = getattr(instruction, "on", ())
    return on if isinstance(on, tuple) else (on,)


def hosts_terrain(card: T.Card) -> bool:
    """True if a bind is attached to a terrain."""
    uses = (ability.targets for ability in card.abilities if isinstance(ability, T.Use))
    return any(isinstance(target, M.TerrainTarget) for targets in uses for target in targets[:1])


# -- targets ----------------------------------------------------------------------------------------------------------


def find_wrong_aims(ability: Acting, at: str, scope: Scope) -> Iterator[Misfit]:
    used = _used_targets(ability, scope)
    for place, target in enumerate(ability.targets):
        path, before = f"{at}.targets[{place}]", ability.targets[:place]
        yield from _order(target, before, path, scope)
        if place not in used:
            yield f"{path}.target", Text("card.why.unused_choice"), NOTHING
        match target:
            case M.UnitTarget(of=units):
                yield from find_wrong_units(units, f"{path}.of", scope, before=before)
            case M.SquareTarget(range=range):
                yield from _range(range, f"{path}.range", scope, before)
            case M.TerrainTarget(range=range, name=name):
                yield from _range(range, f"{path}.range", scope, before)
                terrains = tuple(face for face, card in scope.named.items() if card.type in T.TERRAINS)
                if name and name not in terrains:
                    yield f"{path}.name", Text("card.why.no_terrain", {"name": repr(name)}), Texts(terrains)
            case M.ItemTarget():
                if not isinstance(ability, T.Use):
                    yield f"{path}.target", Text("card.why.aims_skill"), other_words(M.AnyTarget, "stack_item")


def _order(target: M.AnyTarget, before: tuple[M.AnyTarget, ...], at: str, scope: Scope) -> Iterator[Misfit]:
    """Yield a mistake if a square or skill is named twice or before another kind of target."""
    is_single = isinstance(target, M.SquareTarget | M.ItemTarget)
    if is_single and any(type(target) is type(other) for other in before):
        yield f"{at}.target", Text("card.why.aimed_twice"), NOTHING
    elif not is_single and any(isinstance(other, M.SquareTarget | M.ItemTarget) for other in before):
        yield f"{at}.target", Text("card.why.aimed_late"), "square, stack_item"


def _used_targets(ability: Acting, scope: Scope) -> set[int]:
    used = {place for word, place in _TARGET_INDEX.items() if word in scope.meant}
    for instruction in ability.do:
        match instruction:
            case T.Swap():
                used |= {0, 1}
            case T.LookAt() | T.Explore() | T.Cover():
                used.add(0)
            case T.MakeToken():
                squares = (place for place, target in enumerate(ability.targets) if isinstance(target, M.SquareTarget))
                used |= set(squares) or {0}
            case T.Negate():
                used |= {place for place, target in enumerate(ability.targets) if isinstance(target, M.ItemTarget)}
            case _:
                pass
    for target in ability.targets:
        range = target.of.range if isinstance(target, M.UnitTarget) else getattr(target, "range", M.ANYWHERE)
        if range.of == "target":
            used.add(0)
    return used | {0} if scope.card.type == "bind" and isinstance(ability, T.Use) else used


def find_wrong_units(
    units: M.Units, at: str, scope: Scope, *, before: tuple[M.AnyTarget, ...] | None = None, lasting: bool = False
) -> Iterator[Misfit]:
    """Yield the mistakes in a description of units. `before` holds the earlier targets if it describes a target."""
    if lasting:
        if units.range != M.ANYWHERE:
            yield f"{at}.range", Text("card.why.lasting_range"), NOTHING
    else:
        yield from _range(units.range, f"{at}.range", scope, before)
    if units.other and (lasting or not scope.has_origin):
        yield f"{at}.other", Text("card.why.no_start"), "false"
    if units.different and not any(isinstance(target, M.UnitTarget) for target in before or ()):
        yield f"{at}.different", Text("card.why.no_other"), "false"


def _range(range: M.Range, at: str, scope: Scope, before: tuple[M.AnyTarget, ...] | None) -> Iterator[Misfit]:
    if (range.reach == "any") != (range.n == 0):
        yield f"{at}.n", Text("card.why.reach"), NOTHING if range.reach == "any" else POSITIVE
    origins = {
        "start": scope.has_origin or range.reach == "any",
        "target": before is not None and any(isinstance(target, M.UnitTarget) for target in before[:1]),
        "last_square": before is not None and scope.event == "destroyed",
    }
    if range.reach == "any" and range.of != "start":
        yield f"{at}.of", Text("card.why.reach"), "start"
    elif not origins["start"] and range.of == "start":
        yield f"{at}.reach", Text("card.why.no_start"), "any"
    elif not origins[range.of]:
        yield f"{at}.of", Text("card.why.no_start"), Texts(tuple(word for word, holds in origins.items() if holds))


# -- instructions -----------------------------------------------------------------------------------------------------


def find_wrong_instructions(ability: Acting, at: str, scope: Scope) -> Iterator[Misfit]:
    for place, instruction in enumerate(ability.do):
        path = f"{at}.do[{place}]"
        yield from _check_refs(instruction, path, scope)
        yield from _check_targets(instruction, path, scope)
        yield from _check_values(instruction, path, scope)


def _check_refs(instruction: T.AnyDo, at: str, scope: Scope) -> Iterator[Misfit]:
    is_list = isinstance(instruction, T.Damage)
    for place, ref in enumerate(refs(instruction)):
        path = f"{at}.on[{place}]" if is_list else f"{at}.on"
        if isinstance(ref, M.Units):
            yield from find_wrong_units(ref, path, scope)
        elif not scope.means(ref):
            allowed = tuple(word for word in _allowed_references(instruction) if scope.means(word))
            yield path, Text("card.why.not_meant", {"word": ref}), Texts(allowed)
        if isinstance(instruction, T.Destroy | T.Recall) and _is_hero(ref, scope):
            field = f"{path}.hero" if isinstance(ref, M.Units) else path
            yield field, Text("card.why.hero_stays"), Text("card.allowed.non_hero")
        if is_list and ref in refs(instruction)[:place]:
            yield path, Text("card.why.listed_twice"), Text("card.allowed.each_once")
    if isinstance(instruction, T.Heal) and instruction.on == "target" and not _heals_hero(scope):
        yield f"{at}.on", Text("card.why.hero_heals"), "own_hero"


def _allowed_references(instruction: T.AnyDo) -> tuple[str, ...]:
    match instruction:
        case T.Heal():
            return tuple(words_of(T.Healed))
        case T.Teleport():
            return tuple(words_of(T.Teleported))
        case _:
            return tuple(words_of(M.Thing))


def _is_hero(ref: M.Ref, scope: Scope) -> bool:
    if isinstance(ref, M.Units):
        return ref.hero is not False
    if ref in _TARGET_INDEX:
        aimed = scope.target_of(ref, M.UnitTarget)
        return isinstance(aimed, M.UnitTarget) and aimed.of.hero is not False
    return ref in ("own_hero", "each_hero") or (ref == "this" and scope.card.type == "hero")


def _heals_hero(scope: Scope) -> bool:
    aimed = scope.target_of("target", M.UnitTarget)
    return aimed is None or (isinstance(aimed, M.UnitTarget) and aimed.of.hero is True)


def _check_targets(instruction: T.AnyDo, at: str, scope: Scope) -> Iterator[Misfit]:
    """Yield a mistake if an instruction lacks the kind of target that it needs."""
    first = scope.targets[0] if scope.targets else None
    match instruction:
        case T.Teleport(to=to):
            if not _is_free(scope.target_of(to, M.SquareTarget, M.TerrainTarget)):
                words = (
                    word for word in _TARGET_INDEX if _is_free(scope.target_of(word, M.SquareTarget, M.TerrainTarget))
                )
                yield f"{at}.to", Text("card.why.no_room"), _or_nothing(tuple(words))
        case T.MakeToken(token=token):
            squares = [target for target in scope.targets if isinstance(target, M.SquareTarget)]
            if not squares and not _is_free(first):
                yield from _missing_target(instruction, at, "card.why.no_room")
            tokens = tuple(sorted(face for face, card in scope.named.items() if card.type == "token"))
            if token not in tokens:
                yield f"{at}.token", Text("card.why.no_token", {"name": repr(token)}), Texts(tokens)
        case T.Swap():
            units = [target.of for target in scope.targets[:2] if isinstance(target, M.UnitTarget)]
            if len(units) < len(_TARGET_INDEX) or not units[1].different:
                yield from _missing_target(instruction, at, "card.why.two_units")
        case T.LookAt() | T.Explore():
            if not (isinstance(first, M.TerrainTarget) and first.face_up is False):
                yield from _missing_target(instruction, at, "card.why.face_down")
        case T.Cover():
            if not (isinstance(first, M.TerrainTarget) and first.face_up and first.unoccupied):
                yield from _missing_target(instruction, at, "card.why.face_up")
        case T.Negate():
            if not any(isinstance(target, M.ItemTarget) for target in scope.targets):
                yield from _missing_target(instruction, at, "card.why.no_item")
        case T.RemoveThis():
            if scope.card.type != "spell" or scope.event is not None:
                yield f"{at}.do", Text("card.why.not_on_stack"), other_words(T.AnyDo, "remove_this")
        case _:
            pass


def _is_free(target: M.AnyTarget | None) -> bool:
    return isinstance(target, M.SquareTarget) or (isinstance(target, M.TerrainTarget) and target.unoccupied)


def _missing_target(instruction: T.AnyDo, at: str, why: str) -> Iterator[Misfit]:
    yield f"{at}.do", Text(why), other_words(T.AnyDo, type(instruction))


def _or_nothing(words: tuple[str, ...]) -> Texts | Text:
    return Texts(words) if words else NOTHING


def _check_values(instruction: T.AnyDo, at: str, scope: Scope) -> Iterator[Misfit]:
    match instruction:
        case T.Mill(who=who) | T.Draw(who=who):
            players = {
                "cursed": scope.card.type == "curse",
                "occupant_player": scope.card.type == "special",
                "hit_player": scope.event == "battle_damage" and "to_hero" in scope.conditions,
            }
            if not players.get(who, True):
                unavailable = (word for word, holds in players.items() if not holds)
                yield f"{at}.who", Text("card.why.not_meant", {"word": who}), other_words(M.Who, *unavailable)
        case T.Mod(n=n, until=until):
            if not n:
                yield f"{at}.n", Text("card.why.zero"), Text("card.allowed.not_zero")
            if until == "battle" and scope.event not in ("battle_start", "battle_damage"):
                yield f"{at}.until", Text("card.why.no_battle"), "eot"
        case T.Ban(act="use_response_skills"):
            yield f"{at}.act", Text("card.why.mod_unit"), other_words(M.Act, "use_response_skills")
        case _:
            pass
