"""Damage, healing and destruction of units."""

from collections.abc import Iterable, Mapping
from functools import cache

from domain.games.skillbook import clauses as C, progress as P, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import POOLS
from domain.games.skillbook.effects.queueing import TriggerEvent, queue
from domain.games.skillbook.effects.zones import ask_order, end_effects_on, put_in_graveyards
from domain.games.skillbook.layers import weigh_damage
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import CONTINUOUS, EffectsInForce, lasting_on, reduction, stat
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.pools import PoolId
from domain.table import facts as F
from domain.table.table import CardId, Table


def deal(rules: Rules, t: LiveTable, amounts: Mapping[CardId, int], because: Clause) -> dict[CardId, int]:
    """Deal damage to units together. Return the amounts dealt, without zeros."""
    effects = EffectsInForce(rules, t)
    dealt: dict[CardId, int] = {}
    for unit, amount in amounts.items():
        if not R.is_unit(t, unit):
            continue
        weigh_damage(rules, t, effects, unit, amount, because)
        remaining = _absorb(t, unit, max(0, amount - reduction(rules, t, effects, unit)))
        if remaining:
            dealt[unit] = remaining
            t.emit(because, F.Marked((unit,), S.DAMAGE, R.mark(t, unit, S.DAMAGE) + remaining))
    return dealt


def _absorb(t: LiveTable, unit: CardId, amount: int) -> int:
    """Let shields absorb damage, the oldest first, and return the rest."""
    for shield in list(lasting_on(t, S.SHIELD, unit)):
        if not amount:
            break
        absorbed = min(amount, R.amount_of(shield))
        amount -= absorbed
        rest = R.amount_of(shield) - absorbed
        t.emit(C.CANNOT_WINS, F.Adjusted(shield.id, (rest,)) if rest else F.Ended((shield.id,)))
    return amount


def heal(rules: Rules, t: LiveTable, hero: CardId, n: int, because: Clause) -> None:
    """Heal HP lost to damage first, then other losses."""
    damage, lost = R.mark(t, hero, S.DAMAGE), R.mark(t, hero, S.HP_LOST)
    healed = min(n, damage)
    if healed:
        t.emit(because, F.Marked((hero,), S.DAMAGE, damage - healed))
    regained = min(n - healed, lost)
    if regained:
        t.emit(because, F.Marked((hero,), S.HP_LOST, lost - regained))


@implements(C.CHARGE_LOSS)
def lose_hp(t: LiveTable, hero: CardId, n: int, because: Clause) -> None:
    """Take HP without damage."""
    if n:
        t.emit(because, F.Marked((hero,), S.HP_LOST, R.mark(t, hero, S.HP_LOST) + n))


def destroy(rules: Rules, t: LiveTable, units: Iterable[CardId], because: Clause) -> None:
    """Destroy units together. Heroes stay."""
    ask_order(t, destroy_unordered(rules, t, units, because))


@implements(C.DESTROYED_TO_GRAVEYARD)
def destroy_unordered(rules: Rules, t: LiveTable, units: Iterable[CardId], because: Clause) -> list[CardId]:
    """Destroy units and return the cards buried, without asking for the order of graveyards. Tokens leave the match."""
    fallen = [unit for unit in units if R.is_unit(t, unit) and not R.is_hero(rules, t, unit)]
    if not fallen:
        return []
    for unit in fallen:
        queue(rules, t, unit, TriggerEvent("destroyed", unit, R.square(t, unit)))
    _mark_fallen(t, fallen)
    end_effects_on(t, fallen, because)
    tokens = tuple(unit for unit in fallen if R.is_token(rules, t, unit))
    if tokens:
        t.emit(C.TOKENS_REMOVED, F.Removed(tokens))
    cards = [unit for unit in fallen if unit not in tokens]
    put_in_graveyards(t, cards, because)
    return cards


def _mark_fallen(t: LiveTable, fallen: list[CardId]) -> None:
    battle = P.process(t, "battle")
    if battle is not None and battle.step == "end" and R.target_of(battle).card in fallen:
        t.emit(C.DESTROYED_AT_DF, F.Altered(battle.id, columns=R.with_number(battle, 4, 1)))


def vulnerable_units(rules: Rules, t: Table, units: tuple[CardId, ...]) -> list[CardId]:
    """Return the monsters and tokens that may be destroyed: damaged ones, or all while something may lower a DF."""
    pieces = t.pieces
    hurt = units if _may_lower_df(rules, t) else [unit for unit in units if S.DAMAGE in pieces[unit].marks]
    return [unit for unit in hurt if not R.is_hero(rules, t, unit)]


def fatally_hurt(rules: Rules, t: Table, units: list[CardId]) -> list[CardId]:
    """Return the units whose damage reaches their DF."""
    effects = EffectsInForce(rules, t)
    return [unit for unit in units if is_fatal(rules, t, effects, unit)]


def _may_lower_df(rules: Rules, t: Table) -> bool:
    return bool(t.effects) or lowers_df(rules.cards)


@cache
def lowers_df(pool: PoolId) -> bool:
    return any(
        mod.to == "df" and mod.n < 0
        for face in POOLS.cards_by_pool[pool]
        for _, mod in CONTINUOUS[pool][face].get(T.Plus, ())
    )


@implements(C.DESTROYED_AT_DF)
def is_fatal(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> bool:
    return R.mark(t, unit, S.DAMAGE) >= stat(rules, t, effects, unit, "df")
