"""Current values of units, skills and terrains: printed numbers, continuous abilities and lasting effects."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, assert_never

from domain.games.skillbook import (
    board as B,
    clauses as C,
    meaning as M,
    progress as P,
    schema as S,
    table_queries as R,
    text as T,
)
from domain.games.skillbook.cards import POOLS, work_out
from domain.games.skillbook.notions import ContinuousEffect
from domain.games.skillbook.ranges import WITHIN, range_position
from domain.games.skillbook.rules import Rules
from domain.law.clause import EffectRef, Subject, implements
from domain.law.game import CardReading
from domain.law.pools import PoolId
from domain.parts.grid import taxicab_distance
from domain.parts.squares import Square
from domain.table.table import CardId, Effect, Seat, Table

Working = tuple[tuple[ContinuousEffect, Any], ...]
"""Modifiers of one kind in force, each with its ability."""


def _by_kind(card: T.Card) -> Mapping[type[T.Modifier], tuple[tuple[T.Continuous, Any], ...]]:
    kinds: dict[type[T.Modifier], tuple[tuple[T.Continuous, Any], ...]] = {}
    for ability in card.abilities:
        if isinstance(ability, T.Continuous):
            for mod in ability.mods:
                kinds[type(mod)] = (*kinds.get(type(mod), ()), (ability, mod))
    return kinds


CONTINUOUS: Final = work_out(_by_kind)
"""Printed continuous modifiers, by face and kind."""


@cache
def _carriers(pool: PoolId, kind: type[T.Modifier]) -> frozenset[str]:
    """Return the types of card in a pool that have such a modifier, so that others need no search."""
    return frozenset(card.type for face, card in POOLS.cards_by_pool[pool].items() if kind in CONTINUOUS[pool][face])


class EffectsInForce:
    """Continuous modifiers in force on an unchanging table, gathered by kind on first use."""

    __slots__ = ("_modifiers", "_rules", "_t", "units")

    def __init__(self, rules: Rules, t: Table) -> None:
        self._rules, self._t = rules, t
        self._modifiers: dict[type[T.Modifier], Working] = {}
        self.units: tuple[CardId, ...] | None = None

    def of(self, kind: type[T.Modifier]) -> Working:
        """Return the modifiers of a kind on units, the terrains under them, tables and binds."""
        gathered = self._modifiers.get(kind)
        if gathered is None:
            gathered = self._modifiers[kind] = tuple(_gather(self, self._rules, self._t, kind))
        return gathered

    def list_units(self) -> tuple[CardId, ...]:
        if self.units is None:
            self.units = R.units(self._rules, self._t)
        return self.units


@implements(C.CONTINUOUS, C.FACE_DOWN_IDLE, C.BIND_ON_FACE_DOWN)
def _gather(
    effects: EffectsInForce, rules: Rules, t: Table, kind: type[T.Modifier]
) -> Iterator[tuple[ContinuousEffect, Any]]:
    carriers = _carriers(rules.cards, kind)
    if not carriers:
        return
    mods_by_face, pieces = CONTINUOUS[rules.cards], t.pieces
    if carriers & {"hero", "monster", "token"}:
        for unit in effects.list_units():
            for ability, mod in mods_by_face[pieces[unit].face].get(kind, ()):
                yield ContinuousEffect(unit, pieces[unit].owner, ability), mod
    if carriers & {"special", "basic"}:
        for unit in effects.list_units():
            terrain = R.terrain_under(t, unit)
            if terrain is not None and pieces[terrain].up:
                for ability, mod in mods_by_face[pieces[terrain].face].get(kind, ()):
                    yield ContinuousEffect(terrain, pieces[terrain].owner, ability), mod
    if carriers & {"aura", "curse"}:
        for seat in R.SEATS:
            for card in R.table(t, seat):
                if R.is_in_force(t, card):
                    for ability, mod in mods_by_face[pieces[card].face].get(kind, ()):
                        yield ContinuousEffect(card, pieces[card].owner, ability), mod
    if "bind" in carriers:
        for card in R.binds(t):
            host = pieces[card].host
            if host and not (R.is_terrain(t, host) and not pieces[host].up):
                for ability, mod in mods_by_face[pieces[card].face].get(kind, ()):
                    yield ContinuousEffect(card, pieces[card].owner, ability), mod


def applies_to(rules: Rules, t: Table, effect: ContinuousEffect, unit: CardId) -> bool:
    on = effect.said.on
    match on:
        case "this":
            applies = unit == effect.source
        case "host":
            applies = unit == t.pieces[effect.source].host
        case "occupant":
            applies = (
                R.is_unit(t, unit) and R.terrain_under(t, unit) == effect.source and not R.mark(t, unit, S.IGNORES)
            )
        case M.Units():
            applies = fits(rules, t, on, unit, effect.by, None)
        case "you" | "opponent" | "cursed":
            applies = False
        case _:
            assert_never(on)
    return applies and (effect.said.only_if is None or holds_now(rules, t, effect.said.only_if, effect.source))


def applies_to_player(rules: Rules, t: Table, effect: ContinuousEffect, seat: Seat) -> bool:
    match effect.said.on:
        case "you":
            applies = seat == effect.by
        case "opponent" | "cursed":
            applies = seat != effect.by
        case _:
            return False
    return applies and (effect.said.only_if is None or holds_now(rules, t, effect.said.only_if, effect.source))


# -- conditions and descriptions --------------------------------------------------------------------------------------


def holds_now(rules: Rules, t: Table, condition: M.Condition, source: CardId) -> bool:
    battle = P.process(t, "battle")
    match condition:
        case "is_countering":
            return battle is not None and R.target_of(battle).card == source and bool(R.countered(battle))
        case "attacking_exhausted":
            target = None if battle is None else R.resolve_unit(t, R.target_of(battle))
            attacks = battle is not None and R.attacker_of(battle).card == source
            return attacks and target is not None and R.stance(t, target) == S.EXHAUSTED
        case "adjacent_to_hero":
            hero = R.hero(rules, t, R.owner(t, source))
            return (
                hero is not None
                and R.is_unit(t, source)
                and taxicab_distance(R.square(t, hero), R.square(t, source)) == 1
            )
        case _:
            return False


def fits(rules: Rules, t: Table, units: M.Units, unit: CardId, you: Seat, origin: Square | None) -> bool:
    """True if a unit fits the description, seen from this player. Its range counts if there is an origin."""
    if not fits_apart_from_range(rules, t, units, unit, you, origin):
        return False
    return origin is None or range_position(rules, t, units.range, origin, R.square(t, unit)) == WITHIN


def fits_apart_from_range(
    rules: Rules, t: Table, units: M.Units, unit: CardId, you: Seat, origin: Square | None
) -> bool:
    """True if a unit fits the description apart from `range` and `different`."""
    if not R.is_unit(t, unit):
        return False
    is_own = R.owner(t, unit) == you
    if (units.whose == "own" and not is_own) or (units.whose == "enemy" and is_own):
        return False
    if units.hero is not None and R.is_hero(rules, t, unit) != units.hero:
        return False
    if units.exhausted and R.stance(t, unit) != S.EXHAUSTED:
        return False
    if units.moving and P.mover(t) != unit:
        return False
    if units.other and origin is not None and R.square(t, unit) == origin:
        return False
    return not (units.non_flying and flies(rules, t, EffectsInForce(rules, t), unit))


# -- numbers and keywords ---------------------------------------------------------------------------------------------


def stat(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, which: M.Stat) -> int:
    """Return the current AT, DF or SP of a unit, at least 0."""
    return max(0, sum(n for n, _ in stat_layers(rules, t, effects, unit, which)))


def stat_layers(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, which: M.Stat
) -> Iterator[tuple[int, Subject]]:
    """Yield the layers of a stat, each with its source. The printed value comes first."""
    printed = R.printed(rules, t, unit)
    yield printed.at if which == "at" else printed.df if which == "df" else printed.sp, unit
    for continuous, mod in effects.of(T.Plus):
        if mod.to == which and applies_to(rules, t, continuous, unit):
            yield mod.n, continuous.source
    for effect in lasting_on(t, S.MOD, unit):
        if R.word_of(effect) == which:
            yield R.amount_of(effect), EffectRef(effect.id)


def lasting_on(t: Table, kind: str, unit: CardId) -> Iterator[Effect]:
    """Yield the lasting effects of a kind on a unit, oldest first."""
    if t.effects:
        thing = t.pieces[unit].thing
        for effect in t.effects:
            if effect.kind == kind and any(on.card == unit and on.thing == thing for on in effect.on):
                yield effect


def has_keyword(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, name: M.KeywordName) -> bool:
    if any(printed.name == name for printed in R.printed(rules, t, unit).keywords):
        return True
    return any(mod.name == name and applies_to(rules, t, effect, unit) for effect, mod in effects.of(T.Has))


@implements(C.FLYING)
def flies(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> bool:
    return has_keyword(rules, t, effects, unit, "flying")


@implements(C.RANGED_REACH)
def ranged(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> int:
    """Return the reach of a unit's ranged attack, or 0 if it has none. The largest applies."""
    reach = [printed.n for printed in R.printed(rules, t, unit).keywords if printed.name == "ranged"]
    reach += [mod.n for effect, mod in effects.of(T.Has) if mod.name == "ranged" and applies_to(rules, t, effect, unit)]
    return max(reach, default=0)


def find_prohibitions(rules: Rules, t: Table, effects: EffectsInForce, act: M.Act, unit: CardId) -> tuple[Subject, ...]:
    banning: list[Subject] = [
        continuous.source
        for continuous, mod in effects.of(T.Cannot)
        if mod.act == act and applies_to(rules, t, continuous, unit)
    ]
    banning += [EffectRef(effect.id) for effect in lasting_on(t, S.BAN, unit) if R.word_of(effect) == act]
    return tuple(banning)


def find_player_prohibitions(
    rules: Rules, t: Table, effects: EffectsInForce, act: M.Act, seat: Seat
) -> tuple[Subject, ...]:
    return tuple(
        effect.source
        for effect, mod in effects.of(T.Cannot)
        if mod.act == act and applies_to_player(rules, t, effect, seat)
    )


def reduction(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> int:
    return sum(mod.n for effect, mod in effects.of(T.ReduceDamage) if applies_to(rules, t, effect, unit))


def pierced_damage(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> int:
    """Return the damage to each unit on the pierced squares of an attack."""
    return sum(mod.n for effect, mod in effects.of(T.PiercedDamage) if applies_to(rules, t, effect, unit))


@implements(C.SQUARES_PER_SP)
def step_cost(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> int:
    return sum(mod.n for effect, mod in effects.of(T.StepCost) if applies_to(rules, t, effect, unit))


# -- boons and costs --------------------------------------------------------------------------------------------------


@implements(C.BOON_OF_ANY_TERRAIN, C.FACE_DOWN_IDLE)
def boons(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat) -> frozenset[M.Element]:
    hero = R.hero(rules, t, seat)
    terrain = None if hero is None else R.terrain_under(t, hero)
    return frozenset() if terrain is None else elements(rules, t, effects, terrain)


@implements(C.TERRAIN_ELEMENTS)
def elements(rules: Rules, t: Table, effects: EffectsInForce, terrain: CardId) -> frozenset[M.Element]:
    """Return the elements of a terrain. A face-down terrain has none."""
    if not t.pieces[terrain].up:
        return frozenset()
    added = [mod.element for effect, mod in effects.of(T.AddElement) if t.pieces[effect.source].host == terrain]
    return frozenset((*R.printed(rules, t, terrain).elements, *added))


@implements(C.BOON_NEEDED, C.DOUBLE_BOON)
def is_usable(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, element: M.Element | None) -> bool:
    if element is None:
        return True
    hero = R.hero(rules, t, seat)
    own_element = hero is not None and R.printed(rules, t, hero).element == element
    return (own_element and rules.own_element_anywhere == "yes") or element in boons(rules, t, effects, seat)


def cost(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, printed: T.Card) -> int:
    """Return the current cost of a skill: printed, less a double boon, changed by cards, at least 0."""
    base: int = printed.cost - discount(rules, t, effects, seat, printed)
    return max(0, base + sum(n for n, _ in surcharges(rules, t, effects, seat)))


@implements(C.DOUBLE_BOON, C.DISCOUNT, C.PRINTED_DISCOUNT)
def discount(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, printed: T.Card) -> int:
    hero = R.hero(rules, t, seat)
    own_element = None if hero is None else R.printed(rules, t, hero).element
    if printed.element is None or printed.element != own_element or own_element not in boons(rules, t, effects, seat):
        return 0
    less: int = min(printed.cost, rules.double_boon_discount)
    return less if printed.double_cost is None else printed.cost - printed.double_cost


def surcharges(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat) -> Iterator[tuple[int, CardId]]:
    """Yield the changes of skill costs by cards, each with its source."""
    for effect, mod in effects.of(T.CostPlus):
        if applies_to_player(rules, t, effect, seat):
            yield mod.n, effect.source


@implements(C.CURSE_DISPELLED)
def dispel_cost(printed: T.Card) -> int:
    return printed.cost if printed.dispel_cost is None else printed.dispel_cost


# -- display ----------------------------------------------------------------------------------------------------------


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    """Yield the numbers of units and the elements of terrains, for display."""
    effects = EffectsInForce(rules, t)
    for square in B.board(rules.size):
        terrain = R.terrain_at(t, square)
        if terrain is not None and t.pieces[terrain].face is not None and elements(rules, t, effects, terrain):
            yield CardReading(terrain, "elements", " ".join(sorted(elements(rules, t, effects, terrain))))
    for unit in R.units(rules, t):
        if t.pieces[unit].face is None:
            continue
        yield CardReading(unit, "at", stat(rules, t, effects, unit, "at"))
        if R.is_hero(rules, t, unit):
            yield CardReading(unit, "hp", R.hp(rules, t, unit))
        else:
            yield CardReading(unit, "df", stat(rules, t, effects, unit, "df"))
        yield CardReading(unit, "sp", stat(rules, t, effects, unit, "sp"))
