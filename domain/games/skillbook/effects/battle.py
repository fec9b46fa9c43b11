"""A battle of one attacker, from beginning to end."""

from typing import Final

from domain.games.skillbook import clauses as C, schema as S, table_queries as R
from domain.games.skillbook.effects.damage import deal
from domain.games.skillbook.effects.queueing import TriggerEvent, queue, queue_everywhere
from domain.games.skillbook.effects.windows import open_window
from domain.games.skillbook.fighting import is_paired, may_counter, targets_of
from domain.games.skillbook.layers import weigh_stat
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import EffectsInForce, find_prohibitions, pierced_damage, stat
from domain.law.clause import Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CardId, Frame, Table

START: Final = "begin"
TARGET: Final = "target"
COUNTER: Final = "counter"
DECIDE: Final = "decide"
DAMAGE: Final = "damage"
END: Final = "end"
OVER: Final = "over"


def _advance(t: LiveTable, battle: Frame, step: str) -> None:
    t.emit(C.BATTLE_END_EFFECTS, F.Altered(battle.id, step=step))


@implements(C.BATTLE_START_EFFECTS)
def start(rules: Rules, t: LiveTable, battle: Frame) -> None:
    _advance(t, battle, TARGET)
    queue_everywhere(rules, t, "battle_start")


@implements(C.BATTLE_WITHOUT_TARGET)
def choose_target(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Ask for the unit to attack. Without any target the battle ends."""
    attacker, effects = R.resolve_unit(t, R.attacker_of(battle)), EffectsInForce(rules, t)
    if (
        attacker is None
        or find_prohibitions(rules, t, effects, "attack", attacker)
        or not targets_of(rules, t, effects, attacker)
    ):
        note(t, C.BATTLE_WITHOUT_TARGET, battle.by)
        _advance(t, battle, END)
        return
    _advance(t, battle, COUNTER)
    t.emit(C.MELEE_REACH, clock_at(t, S.BATTLE, TARGET))
    ask(t, C.MELEE_REACH, "choose_attack_target", battle.by, battle.id)


def counter(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Check the pairing after the window, then ask the target's player whether to counter."""
    effects = EffectsInForce(rules, t)
    if not is_paired(rules, t, effects, battle):
        note(t, C.PAIRING_BROKEN, battle.by)
        _advance(t, battle, END)
        return
    _advance(t, battle, DECIDE)
    t.emit(C.COUNTER, clock_at(t, S.BATTLE, COUNTER))
    if may_counter(rules, t, effects, battle):
        ask(t, C.COUNTER, "counter", R.owner(t, R.target_of(battle).card), battle.id)
    else:
        open_window(t, "counter_decided", R.opponent(battle.by))


@implements(C.DAMAGE_IS_AT, C.COUNTER_IGNORES_FLYING)
def decide(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Fix the damage of both sides, if they are still paired."""
    effects = EffectsInForce(rules, t)
    if not is_paired(rules, t, effects, battle):
        note(t, C.PAIRING_BROKEN, battle.by)
        _advance(t, battle, END)
        return
    attacker, target = R.attacker_of(battle).card, R.target_of(battle).card
    weigh_stat(rules, t, effects, attacker, "at")
    if R.countered(battle):
        weigh_stat(rules, t, effects, target, "at")
    damage = stat(rules, t, effects, attacker, "at")
    counter_damage = stat(rules, t, effects, target, "at") if R.countered(battle) else 0
    note(t, C.DAMAGE_IS_AT, attacker, Count(damage), target, Count(counter_damage))
    columns = R.battle_with_damage(battle, damage, counter_damage)
    t.emit(C.DAMAGE_IS_AT, F.Altered(battle.id, step=DAMAGE, columns=columns))


@implements(C.ATTACKER_DAMAGED, C.DAMAGE_AT_ONCE, C.PIERCING)
def strike(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Deal the damage of attack, counter and piercing together."""
    _advance(t, battle, END)
    attacker, target = R.attacker_of(battle).card, R.target_of(battle).card
    amounts = {target: R.damage_fixed(battle)}
    amounts.update(dict.fromkeys(_pierced(t, battle), pierced_damage(rules, t, EffectsInForce(rules, t), attacker)))
    if R.countered(battle):
        note(t, C.ATTACKER_DAMAGED, attacker, Count(R.counter_damage(battle)))
        amounts[attacker] = R.counter_damage(battle)
    dealt = deal(rules, t, amounts, C.DAMAGE_AT_ONCE)
    for unit in dealt:
        by = target if unit == attacker else attacker
        hit = R.owner(t, unit) if R.is_hero(rules, t, unit) else None
        for source in {by, unit}:
            queue(rules, t, source, TriggerEvent("battle_damage", by, hit=hit))


def _pierced(t: Table, battle: Frame) -> tuple[CardId, ...]:
    """Return the units an attack pierces. There are none if attacker or target has moved."""
    attacker, target = R.resolve_unit(t, R.attacker_of(battle)), R.resolve_unit(t, R.target_of(battle))
    path = R.battle_path(battle)
    if attacker is None or target is None or not path:
        return ()
    if (R.square(t, attacker), R.square(t, target)) != R.battle_squares(battle):
        return ()
    pierced = tuple(unit for square in path[:-1] if (unit := R.unit_at(t, square)) is not None)
    if pierced:
        note(t, C.PIERCING, *pierced)
    return pierced


def end(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Mark the attacker as having fought, and trigger abilities of the battle's end."""
    t.emit(C.BATTLE_END_EFFECTS, F.Altered(battle.id, step=OVER))
    attacker = R.resolve_unit(t, R.attacker_of(battle))
    if attacker is not None:
        t.emit(C.FIGHTS_PER_TURN, F.Marked((attacker,), S.FOUGHT, t.clock.turn))
    queue_everywhere(rules, t, "battle_end")


def close(rules: Rules, t: LiveTable, battle: Frame) -> None:
    t.emit(C.BATTLE_END_EFFECTS, F.Popped(battle.id, "done"))
    ending = tuple(effect.id for effect in t.effects if effect.until == S.BATTLE)
    if ending:
        t.emit(C.BATTLE_END_EFFECTS, F.Ended(ending))


STEPS: Final[dict[str, Step[Rules]]] = {
    START: start,
    TARGET: choose_target,
    COUNTER: counter,
    DECIDE: decide,
    DAMAGE: strike,
    END: end,
    OVER: close,
}
