"""Layers of an object's numbers, for explanations: the printed value, each change to it, and the damage."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Final, Literal

from domain.games.grimoire import clauses as C, table_queries as R, text as T
from domain.games.grimoire.notions import EffectsInForce
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.values import cost_additions, is_lethal, number_changes, power, toughness
from domain.law.clause import Clause, Count, EffectRef, implements
from domain.law.noting import ExplainedLiveTable, ValueLayer, note, note_layers, sum_layers
from domain.table.table import CardId, Seat, Table

Value = Literal["power", "toughness"]
PRINTED: Final[dict[Value, Clause]] = implements(C.POWER, C.TOUGHNESS)({"power": C.POWER, "toughness": C.TOUGHNESS})


@implements(C.BUFFS_IN_ORDER, C.CONTINUOUS_WORKS, C.TIMESTAMPS)
def layers(rules: Rules, t: Table, effects: EffectsInForce, card: CardId, what: Value) -> Iterator[ValueLayer]:
    """Yield the layers of power or toughness: the printed value, then each change by timestamp."""
    printed = R.printed(rules, t, card)
    yield ValueLayer(PRINTED[what], printed.power if what == "power" else printed.toughness, card)
    changed = [
        ValueLayer(
            C.BUFF if isinstance(source, EffectRef) else C.CONTINUOUS_WORKS, n, source, isinstance(mod, T.PowerIs)
        )
        for _, mod, n, source in sorted(number_changes(rules, t, effects, card), key=itemgetter(0))
        if (what == "power" if isinstance(mod, T.PowerIs) else mod.to == what)
    ]
    if len(changed) > 1:
        note(t, C.BUFFS_IN_ORDER, card)
        if any(layer.sets for layer in changed):
            note(t, C.TIMESTAMPS, card)
    yield from changed


def _floor_layer(value: int, card: CardId) -> Iterator[ValueLayer]:
    if value < 0:
        yield ValueLayer(C.NUMBERS_BELOW_ZERO, 0, card, sets=True)


@implements(C.DAMAGE_MITIGATED, C.NUMBERS_BELOW_ZERO)
def dealt_layers(rules: Rules, t: Table, effects: EffectsInForce, card: CardId) -> Iterator[ValueLayer]:
    """Yield the layers of the damage that an object deals: its power less its own damage, at least 0."""
    current_power, damage = power(rules, t, effects, card), R.damage(t, card)
    yield ValueLayer(C.ABILITIES_THEN_NUMBERS if "power" in effects.numbers else C.POWER, current_power, card)
    if damage:
        yield ValueLayer(C.DAMAGE_MITIGATED, -damage, card)
    yield from _floor_layer(current_power - damage, card)


@implements(C.CONTINUOUS_WORKS)
def cost_layers(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, card: CardId) -> Iterator[ValueLayer]:
    """Yield the layers of the mana cost of a cast: the printed cost, then each addition, at least 0."""
    costs = [ValueLayer(C.COST, R.printed(rules, t, card).cost, card)]
    costs += [ValueLayer(C.CONTINUOUS_WORKS, n, source) for source, n in cost_additions(rules, t, effects, seat, card)]
    yield from costs
    yield from _floor_layer(sum_layers(costs), card)


@implements(C.ABILITIES_THEN_NUMBERS)
def weigh_dealt(rules: Rules, t: Table, effects: EffectsInForce, card: CardId) -> None:
    note_layers(t, C.ABILITIES_THEN_NUMBERS, layers(rules, t, effects, card, "power"), card)
    note_layers(t, C.DAMAGE_MITIGATED, dealt_layers(rules, t, effects, card), card)


@implements(C.LETHAL_DAMAGE, C.DAMAGE_LEAVES_VALUES)
def note_lethal(rules: Rules, t: ExplainedLiveTable, effects: EffectsInForce) -> None:
    """Record which damage is lethal, and which is not because a change of toughness prevents it."""
    for card in R.objects(t):
        damage = R.damage(t, card)
        is_changed = "toughness" in effects.numbers
        if not (damage or is_changed) or (
            not (is_deadly := is_lethal(rules, t, effects, card)) and not (damage and is_changed)
        ):
            continue
        note_layers(t, C.ABILITIES_THEN_NUMBERS, layers(rules, t, effects, card, "toughness"), card)
        if is_deadly:
            tough = toughness(rules, t, effects, card)
            note(t, C.NUMBERS_BELOW_ZERO if tough <= 0 else C.LETHAL_DAMAGE, card, Count(damage), Count(tough))
