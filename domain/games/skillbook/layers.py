"""Layers of costs, stats and damage, and the units that obstruct a line, for explanations."""

from collections.abc import Iterator
from typing import Final

from domain.games.skillbook import board as B, clauses as C, meaning as M, table_queries as R, text as T
from domain.games.skillbook.ranges import obstructing_units
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import (
    EffectsInForce,
    applies_to,
    boons,
    discount,
    is_usable,
    stat_layers,
    surcharges,
)
from domain.law.clause import Clause
from domain.law.noting import ValueLayer, collects_notes, note, note_layers, note_permission
from domain.parts.squares import Square
from domain.table.table import CardId, Place, Seat, Table

PRINTED: Final[dict[M.Stat, Clause]] = {"at": C.DAMAGE_IS_AT, "df": C.DESTROYED_AT_DF, "sp": C.SQUARES_PER_SP}


def weigh_stat(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, which: M.Stat) -> None:
    if collects_notes(t):
        printed, *added = stat_layers(rules, t, effects, unit, which)
        layers = [
            ValueLayer(PRINTED[which], *printed),
            *(ValueLayer(_clause_of(source), n, source) for n, source in added),
        ]
        note_layers(t, PRINTED[which], layers, unit)


def _clause_of(source: object) -> Clause:
    return C.CONTINUOUS if isinstance(source, int) else C.CANNOT_WINS


def weigh_damage(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, amount: int, because: Clause) -> None:
    """Record the layers of damage: its amount and the continuous reductions."""
    if collects_notes(t):
        reductions = [
            (mod.n, effect.source) for effect, mod in effects.of(T.ReduceDamage) if applies_to(rules, t, effect, unit)
        ]
        note_layers(
            t,
            because,
            (ValueLayer(because, amount, unit), *(ValueLayer(C.CONTINUOUS, -n, source) for n, source in reductions)),
            unit,
        )


def weigh_cost(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, card: CardId, printed: T.Card) -> None:
    """Record the layers of a skill's cost: the printed cost, the double boon, and changes by cards."""
    if collects_notes(t):
        note_layers(t, C.MILL_COST, _cost_layers(rules, t, effects, seat, card, printed), card)
        if discount(rules, t, effects, seat, printed):
            note(t, C.DOUBLE_BOON, *_under_hero(rules, t, seat))


def _cost_layers(
    rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, card: CardId, printed: T.Card
) -> Iterator[ValueLayer]:
    yield ValueLayer(C.MILL_COST, printed.cost, card)
    reduction = discount(rules, t, effects, seat, printed)
    for terrain in _under_hero(rules, t, seat) if reduction else ():
        if printed.double_cost is None:
            yield ValueLayer(C.DISCOUNT, -reduction, terrain)
        else:
            yield ValueLayer(C.PRINTED_DISCOUNT, printed.double_cost, terrain, sets=True)
    for n, source in surcharges(rules, t, effects, seat):
        yield ValueLayer(C.CONTINUOUS, n, source)


def _under_hero(rules: Rules, t: Table, seat: Seat) -> tuple[CardId, ...]:
    hero = R.hero(rules, t, seat)
    terrain = None if hero is None else R.terrain_under(t, hero)
    return () if terrain is None else (terrain,)


def permit_boon(rules: Rules, t: Table, effects: EffectsInForce, seat: Seat, printed: T.Card) -> None:
    """Permit a skill of the element of the terrain under the hero, even an opponent's terrain."""
    if collects_notes(t) and printed.element in boons(rules, t, effects, seat):
        for terrain in _under_hero(rules, t, seat):
            note_permission(t, C.TERRAIN_ELEMENTS, terrain)
            if R.owner(t, terrain) != seat:
                note_permission(t, C.BOON_OF_ANY_TERRAIN, terrain)


def note_lost_boon(rules: Rules, t: Table, seat: Seat, card: CardId, printed: T.Card) -> None:
    """Note that a skill resolves although its user could no longer use it."""
    if collects_notes(t) and not is_usable(rules, t, EffectsInForce(rules, t), seat, printed.element):
        note(t, C.BOON_AT_DECLARATION, card)


def note_obstructed(
    rules: Rules, t: Table, violation: Clause | None, origin: Square | None, cards: tuple[CardId, ...], place: Place
) -> None:
    """Note the units that obstruct the line to a target."""
    if collects_notes(t) and violation == C.OBSTRUCTED and origin is not None:
        squares = [R.square(t, card) for card in cards if R.is_unit(t, card) or R.is_terrain(t, card)]
        chosen = B.square_at(place)
        for square in squares if chosen is None else (*squares, chosen):
            blocking = obstructing_units(rules, t, origin, square)
            if blocking:
                note(t, C.ONLY_UNITS_OBSTRUCT, *blocking)
