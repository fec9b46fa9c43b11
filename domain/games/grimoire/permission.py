"""Permissions and prohibitions of cards. A permission widens the rules; a prohibition beats both."""

from collections.abc import Iterator
from typing import Final

from domain.games.grimoire import clauses as C, text as T
from domain.games.grimoire.notions import ContinuousEffect, EffectsInForce, Stamp
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED
from domain.games.grimoire.table_queries import are_opponents, kind
from domain.games.grimoire.values import NO_EFFECTS, applies_to, has_keyword
from domain.law.clause import EffectRef, Subject, Word, implements
from domain.law.noting import note, note_permission
from domain.parts.places import obj
from domain.table.table import CardId, Seat, Table

LOSS: Final = T.LoseAbilities()
BEFORE_ALL: Final[Stamp] = (-1, 0, 0)
"""Timestamp before all others, for an object that never lost its abilities."""


def find_prohibitions(
    rules: Rules,
    t: Table,
    effects: EffectsInForce,
    verb: str,
    card: CardId,
    *,
    by: Seat | None = None,
    kind_of: str = "",
) -> tuple[Subject, ...]:
    """Return what forbids `verb` to an object. `by` is the acting player, `kind_of` the kind of the target."""
    if effects is NO_EFFECTS:
        return ()
    controller = t.pieces[card].controller
    return tuple(
        source
        for source, mods in _in_force(rules, t, effects, card)
        if any(_forbids(rules, mod, verb, controller, by, kind_of) for mod in mods)
    )


@implements(C.IMPOSSIBLE_IGNORED)
def is_forbidden(rules: Rules, t: Table, effects: EffectsInForce, verb: str, card: CardId) -> bool:
    """True if `verb` is forbidden to an object. The prohibition is noted."""
    banning = find_prohibitions(rules, t, effects, verb, card)
    if banning:
        note(t, C.IMPOSSIBLE_IGNORED, card, *banning)
    return bool(banning)


@implements(C.ABILITIES_LOST)
def _in_force(
    rules: Rules, t: Table, effects: EffectsInForce, card: CardId
) -> Iterator[tuple[Subject, tuple[T.AnyModifier, ...]]]:
    """Yield the modifiers in force on an object, each with its source, since the object last lost its abilities."""
    lost = BEFORE_ALL
    gained: list[tuple[Subject, tuple[T.AnyModifier, ...]]] = []
    target = obj(t, card)
    for effect, buff in effects.buffs:
        if target in effect.on:
            mods = buff.mods
            if LOSS in mods:
                lost = (effect.since, 1, effect.id)
                gained.clear()
                mods = mods[len(mods) - mods[::-1].index(LOSS) :]
            gained.append((EffectRef(effect.id), mods))
    for active in effects.lasting:
        if active.since > lost and applies_to(rules, t, active, card):
            yield active.source, active.ability.mods
    yield from gained


def _forbids(rules: Rules, mod: object, verb: str, controller: Seat, by: Seat | None, kind_of: str) -> bool:
    if not isinstance(mod, T.Cannot) or mod.verb != verb:
        return False
    if mod.kind is not None and mod.kind != kind_of:
        return False
    return mod.by == "any" or (by is not None and are_opponents(rules, controller, by))


def find_player_prohibitions(
    rules: Rules, t: Table, effects: EffectsInForce, verb: str, seat: Seat
) -> tuple[Subject, ...]:
    return tuple(
        active.source
        for active in effects.lasting
        if _concerns(rules, active, seat)
        and any(isinstance(mod, T.Cannot) and mod.verb == verb for mod in active.ability.mods)
    )


def _concerns(rules: Rules, active: ContinuousEffect, seat: Seat) -> bool:
    match active.ability.on:
        case "you":
            return seat == active.by
        case "opponents":
            return are_opponents(rules, active.by, seat)
        case "all_players":
            return True
        case _:
            return False


@implements(C.KEYWORDS)
def may_target(rules: Rules, t: Table, effects: EffectsInForce, spell: CardId, target: CardId) -> bool:
    """True if a card allows this spell a target that the rules do not allow."""
    if (
        has_keyword(rules, t, spell, "surprise")
        and kind(t, target) == "character"
        and t.pieces[target].stance == EXTENDED
    ):
        note_permission(t, C.KEYWORDS, spell, Word("surprise"))
        return True
    allowing = (mod for _, mods in _in_force(rules, t, effects, spell) for mod in mods if isinstance(mod, T.Can))
    return any(mod.kind is None or mod.kind == kind(t, target) for mod in allowing)


def rule_number(rules: Rules, effects: EffectsInForce, seat: Seat, parameter: str) -> int:
    """Return a number of the rules for this player. The newest card that changes it decides."""
    value: int = getattr(rules, parameter)
    for active in sorted(effects.lasting, key=lambda effect: effect.since):
        if active.by == seat:
            for mod in active.ability.mods:
                if isinstance(mod, T.RuleIs) and mod.parameter == parameter:
                    value = mod.value
    return value
