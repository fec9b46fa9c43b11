"""Current values of objects: their abilities and numbers.

Abilities gained and lost apply first, then changes of numbers, each by timestamp. A timestamp is a triple that orders
objects and effects together: the number of things minted, whether it is an effect, the effect's number.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Final

from domain.games.grimoire import clauses as C, table_queries as R, text as T
from domain.games.grimoire.cards import card, standing_at, work_out
from domain.games.grimoire.meaning import Of, Selector
from domain.games.grimoire.notions import ContinuousEffect, EffectsInForce, ObjectAbility, Stamp
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED, PLAYED, SPENDED
from domain.law.clause import EffectRef, Subject, implements
from domain.law.game import CardReading
from domain.law.pools import PoolId
from domain.parts.places import obj, place_in
from domain.table.table import CardId, Effect, Obj, Seat, Table, is_same_object, seat_of, zone

STATUS_NAMES: Final = {EXTENDED: "extended", SPENDED: "spended", PLAYED: "played"}
NO_EFFECTS: Final = EffectsInForce()


@implements(C.CONTINUOUS, C.CONTINUOUS_WORKS)
def effects_in_force(rules: Rules, t: Table) -> EffectsInForce:
    """Return the continuous abilities and buffs in force."""
    buffs = tuple(_buffs(rules, t)) if t.effects else ()
    changed = {on for effect, buff in buffs if _changes_abilities(buff.mods) for on in effect.on} if buffs else ()
    effects: list[ContinuousEffect] = []
    pieces, continuous = t.pieces, _CONTINUOUS[rules.cards]
    for card_id in R.objects(t):
        if changed and obj(t, card_id) in changed:
            by = pieces[card_id].controller
            effects += (
                ContinuousEffect(card_id, by, object_ability.ability, object_ability.since)
                for object_ability in abilities(rules, t, card_id, buffs)
                if isinstance(object_ability.ability, T.Continuous)
            )
        else:
            for ability in continuous[pieces[card_id].face]:
                piece = pieces[card_id]
                effects.append(ContinuousEffect(card_id, piece.controller, ability, (piece.thing, 0, 0)))
    if not effects and not buffs:
        return NO_EFFECTS
    changing = [_numbers(each.ability.mods) for each in effects] + [_numbers(buff.mods) for _, buff in buffs]
    return EffectsInForce(tuple(effects), buffs, frozenset().union(*changing))


@cache
def _numbers(mods: tuple[T.AnyModifier, ...]) -> frozenset[str]:
    added = {mod.to for mod in mods if isinstance(mod, T.Plus)}
    return frozenset(added | {"power" for mod in mods if isinstance(mod, T.PowerIs)})


@cache
def _changes_abilities(mods: tuple[T.AnyModifier, ...]) -> bool:
    return any(isinstance(mod, T.LoseAbilities | T.Gain) for mod in mods)


def _continuous(printed: T.Card) -> tuple[T.Continuous, ...]:
    """Return the printed continuous abilities of a card."""
    return tuple(ability for ability in printed.abilities if isinstance(ability, T.Continuous))


def _fixed_toughness(printed: T.Card) -> int | None:
    """Return the printed toughness, or None if the card has a continuous ability that changes toughness."""
    changing = any("toughness" in _numbers(ability.mods) for ability in _continuous(printed))
    return None if changing else printed.toughness


_CONTINUOUS: Final = work_out(_continuous)
FIXED_TOUGHNESS: Final = work_out(_fixed_toughness)


def _buffs(rules: Rules, t: Table) -> Iterator[tuple[Effect, T.Buff]]:
    for effect in t.effects:
        if effect.kind == "buff" and (buff := _printed_buff(rules.cards, effect.face, effect.path)) is not None:
            yield effect, buff


@cache
def _printed_buff(pool: PoolId, face: str, path: tuple[int, ...]) -> T.Buff | None:
    """Return the printed buff, or None if a fact entered by hand names text that no card has."""
    instruction = standing_at(pool, face, path)
    return instruction if isinstance(instruction, T.Buff) else None


@implements(C.ABILITIES_THEN_NUMBERS, C.ABILITIES_LOST, C.TIMESTAMPS)
def abilities(
    rules: Rules, t: Table, card_id: CardId, buffs: Sequence[tuple[Effect, T.Buff]] | None = None
) -> tuple[ObjectAbility, ...]:
    """Return an object's current abilities, or for a card not in play its printed ones."""
    piece = t.pieces[card_id]
    since = (piece.thing, 0, 0)
    object_abilities = [
        ObjectAbility(ability, face, path, since, number)
        for ability, face, path, number in _printed(rules.cards, piece.face)
    ]
    if not t.effects:
        return tuple(object_abilities)
    numbered = len(card(rules.cards, piece.face).abilities)
    obj_now = Obj(card_id, piece.thing)
    for effect, buff in _buffs(rules, t) if buffs is None else buffs:
        if obj_now not in effect.on:
            continue
        for place, mod in enumerate(buff.mods):
            if isinstance(mod, T.LoseAbilities):
                object_abilities = []
            elif isinstance(mod, T.Gain):
                number = -1 if isinstance(mod.ability, T.Keyword) else numbered
                numbered += number >= 0
                gained = (effect.since, 1, effect.id)
                object_abilities.append(ObjectAbility(mod.ability, effect.face, (*effect.path, place), gained, number))
    return tuple(object_abilities)


@cache
def _printed(pool: PoolId, face: str | None) -> tuple[tuple[T.AnyAbility, str, tuple[int, ...], int], ...]:
    printed = card(pool, face)
    keywords = tuple((T.Keyword(name), printed.id, (), -1) for name in printed.keywords)
    return keywords + tuple(
        (ability, printed.id, (number,), number) for number, ability in enumerate(printed.abilities)
    )


def has_keyword(rules: Rules, t: Table, card_id: CardId, name: str) -> bool:
    if not t.effects:
        return name in R.printed(rules, t, card_id).keywords
    return any(isinstance(h.ability, T.Keyword) and h.ability.name == name for h in abilities(rules, t, card_id))


# -- descriptions -----------------------------------------------------------------------------------------------------


@implements(C.YOURS)
def fits(
    rules: Rules, t: Table, sel: Selector, candidate: CardId, you: Seat, source: CardId, chosen: tuple[Seat, ...]
) -> bool:
    """True if a card fits the description, seen from this player and source."""
    piece = t.pieces[candidate]
    if sel.kind != "card":
        if R.kind(t, candidate) != sel.kind or (sel.status and STATUS_NAMES[piece.stance] != sel.status):
            return False
        holder = piece.controller
    else:
        zone_owner = seat_of(piece.place)
        if zone_owner is None or zone(piece.place) != sel.zone:
            return False
        holder = zone_owner
    return (
        _is_whose(rules, sel, you, holder, chosen)
        and not (sel.other and candidate == source)
        and fits_printed_values(rules, t, sel, candidate, you)
    )


def fits_printed_values(rules: Rules, t: Table, sel: Selector, candidate: CardId, you: Seat) -> bool:
    """True if the printed colour, user, name and cost fit the description."""
    printed = R.printed(rules, t, candidate)
    if sel.colour is not None and (
        bool(printed.colours) if sel.colour == "none" else sel.colour not in printed.colours
    ):
        return False
    if sel.user:
        character = R.character(t, you)
        user = sel.user if sel.user != "yours" else R.printed(rules, t, character).user if character is not None else ""
        if printed.user != user:
            return False
    return (not sel.name or printed.id == sel.name) and (sel.cost_most is None or printed.cost <= sel.cost_most)


def _is_whose(rules: Rules, sel: Selector, you: Seat, owner: Seat, chosen: tuple[Seat, ...]) -> bool:
    match sel.whose:
        case "any":
            return True
        case "you":
            return owner == you
        case "opponent":
            return R.are_opponents(rules, you, owner)
        case "friend":
            return R.are_friends(rules, you, owner)
        case "chosen":
            return owner in chosen


def select(
    rules: Rules, t: Table, sel: Selector, you: Seat, source: CardId, chosen: tuple[Seat, ...] = ()
) -> tuple[CardId, ...]:
    if sel.kind == "card":
        assert sel.zone is not None
        cards = tuple(card for seat in t.seats for card in t.places.get(place_in(seat, sel.zone), ()))
    else:
        cards = R.objects(t)
    return tuple(card for card in cards if fits(rules, t, sel, card, you, source, chosen))


# -- numbers ----------------------------------------------------------------------------------------------------------


@implements(C.DAMAGE_LEAVES_VALUES)
def power(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId) -> int:
    return _number(rules, t, effects, card_id, "power", R.printed(rules, t, card_id).power)


@implements(C.DAMAGE_LEAVES_VALUES)
def toughness(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId) -> int:
    return _number(rules, t, effects, card_id, "toughness", R.printed(rules, t, card_id).toughness)


@implements(C.ABILITIES_THEN_NUMBERS, C.BUFFS_IN_ORDER, C.NUMBERS_BELOW_ZERO)
def _number(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId, what: str, value: int) -> int:
    if what not in effects.numbers:
        return value
    for _, mod, n, _ in sorted(number_changes(rules, t, effects, card_id), key=itemgetter(0)):
        if isinstance(mod, T.PowerIs):
            value = mod.n if what == "power" else value
        elif mod.to == what:
            value += n
    return value


Change = tuple[Stamp, T.Plus | T.PowerIs, int, Subject]
"""A change of a number: its timestamp, its text, its current amount, and the effect or card it comes from."""


@implements(C.TIMESTAMPS)
def number_changes(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId) -> Iterator[Change]:
    """Yield the changes to the numbers of an object, unsorted."""
    obj_now = obj(t, card_id)
    for effect, buff in effects.buffs:
        if obj_now in effect.on:
            for place, buff_mod in enumerate(buff.mods):
                if isinstance(buff_mod, T.Plus | T.PowerIs):
                    stored_amount = effect.numbers[place] if place < len(effect.numbers) else buff_mod.n
                    n = stored_amount if isinstance(stored_amount, int) else 0
                    yield (effect.since, 1, effect.id), buff_mod, n, EffectRef(effect.id)
    for active in effects.lasting:
        if applies_to(rules, t, active, card_id):
            for mod in active.ability.mods:
                if isinstance(mod, T.Plus | T.PowerIs):
                    yield active.since, mod, amount(rules, t, mod.n, active.by), active.source


def applies_to(rules: Rules, t: Table, lasting: ContinuousEffect, card_id: CardId) -> bool:
    on = lasting.ability.on
    if on == "self":
        return card_id == lasting.source
    return (
        isinstance(on, Selector) and on.kind != "card" and fits(rules, t, on, card_id, lasting.by, lasting.source, ())
    )


def amount(rules: Rules, t: Table, n: int | Of, you: Seat) -> int:
    """Return the amount of a modifier. A computed amount is read from the player's own character."""
    if isinstance(n, int):
        return n
    character = R.character(t, you)
    if character is None:
        return 0
    return R.damage(t, character) if n.of == "damage" else R.printed(rules, t, character).cost


def cost(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, spell_card: CardId) -> int:
    """Return the mana cost of a cast: the printed cost with all additions, at least 0."""
    value = R.printed(rules, t, spell_card).cost
    if "cost" in effects.numbers:
        value += sum(n for _, n in cost_additions(rules, t, effects, seat, spell_card))
    return max(0, value)


def cost_additions(
    rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, spell_card: CardId
) -> Iterator[tuple[CardId, int]]:
    """Yield the additions to the cost of a cast, each with its source."""
    for active in effects.lasting:
        on = active.ability.on
        if not isinstance(on, Selector) or on.kind != "card" or not _is_whose(rules, on, active.by, seat, ()):
            continue
        if fits_printed_values(rules, t, on, spell_card, active.by):
            mods = [mod for mod in active.ability.mods if isinstance(mod, T.Plus) and mod.to == "cost"]
            if mods:
                yield active.source, sum(amount(rules, t, mod.n, active.by) for mod in mods)


@implements(C.DAMAGE_MITIGATED, C.NUMBERS_BELOW_ZERO)
def dealt_damage(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId) -> int:
    """Return the damage that an object deals in a collision or od explosion: power less own damage, at least 0."""
    return max(0, power(rules, t, effects, card_id) - R.damage(t, card_id))


@implements(C.LETHAL_DAMAGE)
def is_lethal(rules: Rules, t: Table, effects: EffectsInForce, card_id: CardId) -> bool:
    damage = R.damage(t, card_id)
    return (bool(damage) or "toughness" in effects.numbers) and is_lethal_damage(
        rules, damage, toughness(rules, t, effects, card_id)
    )


@implements(C.LETHAL_DAMAGE, C.NUMBERS_BELOW_ZERO)
def is_lethal_damage(rules: Rules, damage: int, toughness: int) -> bool:
    """True if damage destroys an object of this toughness. Toughness of 0 or less needs no damage."""
    return toughness <= 0 or damage > toughness or (damage == toughness and rules.lethal != "exceeding")


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    """Yield power and toughness of everything in play, for display."""
    effects = effects_in_force(rules, t)
    for card_id in R.objects(t):
        if t.pieces[card_id].face is not None:
            yield CardReading(card_id, "power", power(rules, t, effects, card_id))
            yield CardReading(card_id, "toughness", toughness(rules, t, effects, card_id))


def is_same_in_play(t: Table, known: Obj) -> bool:
    """True if the object is still in play as the same object."""
    return is_same_object(t, known) and R.in_play(t, known.card)
