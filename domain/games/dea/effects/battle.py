"""Resolution of an attack: blocker, damage, knockback and return."""

from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects import durations
from domain.games.dea.effects.moves import lose_life, move_character, remove
from domain.games.dea.effects.queueing import queue_attacked, queue_damaged
from domain.games.dea.rules import Rules
from domain.games.dea.state_check import check_state
from domain.games.dea.values import ModifierCache, has_keyword, stat, weigh_stat
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.places import obj
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import CardId, Frame, Place

KNOCKBACK: Final = "knockback"
END: Final = "end"


@implements(C.BATTLE_DAMAGE, C.ATTACKER_AND_BLOCKER)
def strike(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Compare attack and defence. A cancelled or avoided battle deals no damage."""
    attacker, target = R.resolve_character(t, R.attacker_of(battle)), R.battlefield(battle)
    if attacker is None or R.cell_of(t, attacker) != target:
        _finish(t, battle, C.BATTLE_CANCELLED)
        return
    if R.is_cancelled(battle) or R.is_negated(battle):
        _return_attacker(t, battle, attacker, C.NEGATED if R.is_negated(battle) else C.BATTLE_CANCELLED)
        return
    blocker = _blocker(rules, t, battle)
    if blocker is None:
        _resolve_unblocked(rules, t, battle, attacker)
        return
    modifier_cache = ModifierCache(rules, t)
    weigh_stat(rules, t, modifier_cache, attacker, "atk")
    weigh_stat(rules, t, modifier_cache, blocker, "def")
    attack, defence = stat(rules, t, modifier_cache, attacker, "atk"), stat(rules, t, modifier_cache, blocker, "def")
    note(t, C.BATTLE_DAMAGE, attacker, Count(attack), blocker, Count(defence))
    damage = attack - defence
    queue_attacked(rules, t, blocker)
    if damage <= 0:
        _return_attacker(t, battle, attacker, C.ATTACK_REPELLED)
        return
    t.emit(C.BLOCKER_STRUCK, F.Altered(battle.id, step=KNOCKBACK))
    lose_life(t, R.owner(t, blocker), damage, C.BLOCKER_STRUCK)
    queue_damaged(rules, t, blocker)
    check_state(rules, t, "instruction")


def _blocker(rules: Rules, t: LiveTable, battle: Frame) -> CardId | None:
    """Return the attacked character if still in its cell, else another enemy there if the rules allow one."""
    blocker, target = R.resolve_character(t, R.blocker_of(battle)), R.battlefield(battle)
    if blocker is not None and R.cell_of(t, blocker) == target:
        return blocker
    if rules.blocker_left != "occupant_blocks":
        return None
    for other in R.characters_in(t, target):
        if R.owner(t, other) != battle.by:
            t.emit(C.BLOCKER_LEFT, F.Altered(battle.id, columns=R.with_targets(battle, (obj(t, other),))))
            return other
    return None


def _resolve_unblocked(rules: Rules, t: LiveTable, battle: Frame, attacker: CardId) -> None:
    if len(R.characters_in(t, R.battlefield(battle))) > 1 or rules.blocker_left == "attacker_returns":
        _return_attacker(t, battle, attacker, C.BLOCKER_LEFT)
    else:
        _finish(t, battle, C.BLOCKER_LEFT)


@implements(C.KNOCKBACK_NO_NORMAL_MOVE)
def knock_back(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """Push the blocker one cell further. If that is impossible, return the attacker."""
    attacker, blocker = R.resolve_character(t, R.attacker_of(battle)), R.resolve_character(t, R.blocker_of(battle))
    if attacker is None or blocker is None:
        _finish(t, battle, C.BATTLE_CANCELLED)
        return
    cell = _knockback_cell(battle)
    is_immovable = has_keyword(rules, t, ModifierCache(rules, t), blocker, "immovable")
    if not is_immovable and rules.knockback_edge == "removed" and cell not in R.cells(rules.size):
        remove(t, blocker, C.KNOCKBACK_BLOCKED)
    elif is_immovable or cell not in R.cells(rules.size) or not R.is_empty(t, cell):
        _return_attacker(t, battle, attacker, C.KNOCKBACK_BLOCKED)
        return
    else:
        move_character(t, blocker, cell, C.KNOCKBACK)
    if rules.attacker_after_knockback == "return":
        _return_attacker(t, battle, attacker, C.ATTACKER_ADVANCES)
    else:
        _finish(t, battle, C.ATTACKER_ADVANCES)


def _knockback_cell(battle: Frame) -> Place:
    target = R.square_at(R.battlefield(battle))
    assert target is not None
    columns, rows = R.step_of(battle)
    return R.cell_at(Square(target.column + columns, target.row + rows))


def _return_attacker(t: LiveTable, battle: Frame, attacker: CardId, clause: Clause) -> None:
    move_character(t, attacker, R.origin_of(battle), clause)
    _finish(t, battle, clause)


def _finish(t: LiveTable, battle: Frame, clause: Clause) -> None:
    t.emit(clause, F.Altered(battle.id, step=END))


@implements(C.DURATIONS)
def end(rules: Rules, t: LiveTable, battle: Frame) -> None:
    """End the battle and its effects. An attacker who kept the cell has arrived."""
    attacker = R.resolve_character(t, R.attacker_of(battle))
    arrived = attacker if attacker is not None and R.cell_of(t, attacker) == R.battlefield(battle) else None
    t.emit(C.LAST_DECLARED_FIRST, F.Popped(battle.id, "resolved"))
    durations.end_all(t, S.BATTLE, C.DURATIONS)
    check_state(rules, t, "item", arrived)
