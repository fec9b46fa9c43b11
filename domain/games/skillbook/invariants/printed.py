"""DF and flying of units, recomputed from the printed text without the law."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from domain.games.skillbook import meaning as M, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import POOLS, card
from domain.games.skillbook.rules import Rules
from domain.law.pools import PoolId
from domain.table.table import CardId, Effect, Place, Seat, Table, is_same_object, square, zone


class PrintedEffect(NamedTuple):
    source: CardId
    by: Seat
    said: T.Continuous


def kind(rules: Rules, t: Table, card_id: CardId) -> T.CardType:
    """Return the type of a card. A card that the log does not know is a spell."""
    return card(rules.cards, t.pieces[card_id].face).type


def is_unit(t: Table, card_id: CardId) -> bool:
    return card_id in t.pieces and zone(t.pieces[card_id].place) == S.UNIT


def units(t: Table) -> tuple[CardId, ...]:
    return tuple(card_id for card_id, piece in t.pieces.items() if zone(piece.place) == S.UNIT)


def monsters(rules: Rules, t: Table) -> tuple[CardId, ...]:
    return tuple(unit for unit in units(t) if kind(rules, t, unit) != "hero")


def terrain_under(t: Table, unit: CardId) -> CardId | None:
    cards = t.places.get(Place(f"{S.GROUND}:{square(t.pieces[unit].place)}"), ())
    return cards[0] if cards else None


def did_this_turn(t: Table, unit: CardId, name: str) -> bool:
    return t.clock.turn > 0 and t.pieces[unit].marks.get(name, 0) == t.clock.turn


@cache
def can_recompute(pool: PoolId) -> bool:
    """True if all DF and flying modifiers in this pool are unconditional and on simple descriptions."""
    for printed in POOLS.cards_by_pool[pool].values():
        for ability in printed.abilities:
            if isinstance(ability, T.Continuous) and any(map(_changes_df_or_flying, ability.mods)):
                on = ability.on
                is_simple = not isinstance(on, M.Units) or on == M.Units(whose=on.whose, hero=on.hero)
                if ability.only_if is not None or not is_simple:
                    return False
    return True


def _changes_df_or_flying(mod: T.AnyModifier) -> bool:
    return (isinstance(mod, T.Plus) and mod.to == "df") or (isinstance(mod, T.Has) and mod.name == "flying")


def in_force(rules: Rules, t: Table) -> Iterator[PrintedEffect]:
    for card_id, piece in t.pieces.items():
        area = zone(piece.place)
        host = t.pieces.get(piece.host)
        active = area == S.UNIT or (area == S.GROUND and piece.up) or (area == S.TABLE and piece.marks.get(S.IN_FORCE))
        if active or (area == S.BOUND and host is not None and (host.up or zone(host.place) == S.UNIT)):
            for ability in card(rules.cards, piece.face).abilities:
                if isinstance(ability, T.Continuous):
                    yield PrintedEffect(card_id, piece.owner, ability)


def concerned(rules: Rules, t: Table, active: PrintedEffect, unit: CardId) -> bool:
    on = active.said.on
    if isinstance(on, M.Units):
        is_own = t.pieces[unit].owner == active.by
        side = {"own": is_own, "enemy": not is_own, "any": True}[on.whose]
        return side and (on.hero is None or on.hero == (kind(rules, t, unit) == "hero"))
    return (
        (on == "this" and unit == active.source)
        or (on == "host" and unit == t.pieces[active.source].host)
        or (on == "occupant" and active.source == terrain_under(t, unit) and not t.pieces[unit].marks.get(S.IGNORES))
    )


def effects_on(t: Table, unit: CardId, effect_kind: str) -> tuple[Effect, ...]:
    return tuple(
        e for e in t.effects if e.kind == effect_kind and any(on.card == unit and is_same_object(t, on) for on in e.on)
    )


def defence(rules: Rules, t: Table, unit: CardId) -> int:
    total = card(rules.cards, t.pieces[unit].face).df
    for active in in_force(rules, t):
        if concerned(rules, t, active, unit):
            total += sum(mod.n for mod in active.said.mods if isinstance(mod, T.Plus) and mod.to == "df")
    total += sum(R.amount_of(effect) for effect in effects_on(t, unit, S.MOD) if R.word_of(effect) == "df")
    return max(0, total)


def is_flying(rules: Rules, t: Table, unit: CardId) -> bool:
    if any(printed.name == "flying" for printed in card(rules.cards, t.pieces[unit].face).keywords):
        return True
    return any(
        isinstance(mod, T.Has) and mod.name == "flying"
        for active in in_force(rules, t)
        if concerned(rules, t, active, unit)
        for mod in active.said.mods
    )
