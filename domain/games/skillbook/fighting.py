"""Steps and attacks: legal moves, targets and counters of units."""

from typing import Final

from domain.games.skillbook import clauses as C, meaning as M, schema as S, table_queries as R
from domain.games.skillbook.ranges import BLOCKED, TOO_FAR, range_position
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import EffectsInForce, find_prohibitions, flies, has_keyword, ranged, stat, step_cost
from domain.law.clause import Clause, Count, implements
from domain.law.noting import collects_notes, note
from domain.parts.grid import edge_neighbours, is_on_grid, taxicab_distance
from domain.parts.squares import Square
from domain.table.table import CardId, Frame, Table

# -- steps ------------------------------------------------------------------------------------------------------------


def find_step_violation(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, path: tuple[Square, ...], steps_left: int
) -> Clause | None:
    """Return the first clause that a step over these squares breaks, or None."""
    start = R.square(t, unit)
    if not path or any(taxicab_distance(a, b) != 1 for a, b in zip((start, *path), path, strict=False)):
        return C.STEP_TO_NEIGHBOUR
    if len({start, *path}) != len(path) + 1 or not all(is_on_grid(rules.size, square) for square in path):
        return C.STEP_TO_NEIGHBOUR
    if R.unit_at(t, path[-1]) is not None:
        return C.ONE_UNIT_PER_SQUARE
    violation = _find_leap_violation(rules, t, effects, unit, path[:-1])
    if violation is not None:
        return violation
    return None if step_price(rules, t, effects, unit, path) <= steps_left else C.SQUARES_PER_SP


@implements(C.FLYING_LEAP, C.STEP_BY_STEP)
def _find_leap_violation(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, crossed: tuple[Square, ...]
) -> Clause | None:
    is_flying = bool(crossed) and flies(rules, t, effects, unit)
    passed = 0
    for square in crossed:
        other = R.unit_at(t, square)
        if other is None:
            return C.STEP_BY_STEP
        passed += 1
        if rules.blocking == "enemy_only" and R.owner(t, other) == R.owner(t, unit):
            continue
        if not is_flying:
            return C.ONE_UNIT_PER_SQUARE
        if flies(rules, t, effects, other):
            return C.FLYING_LEAP
    return C.FLYING_LEAP if is_flying and rules.flying_leap == "single" and passed > 1 else None


def step_price(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, path: tuple[Square, ...]) -> int:
    is_free = rules.flying_leap == "free" and len(path) > 1 and flies(rules, t, effects, unit)
    return (1 if is_free else len(path)) + step_cost(rules, t, effects, unit)


@implements(C.STEPS_FOLLOW_SP)
def step_limit(rules: Rules, t: Table, effects: EffectsInForce, move: Frame) -> int:
    unit, declared = R.unit_of(move).card, R.speed_declared(move)
    if rules.sp_recompute != "yes" and not collects_notes(t):
        return declared
    steps = stat(rules, t, effects, unit, "sp")
    if steps != declared:
        note(t, C.STEPS_FOLLOW_SP, unit, Count(declared), Count(steps))
    return steps if rules.sp_recompute == "yes" else declared


def next_steps(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, steps_left: int
) -> tuple[tuple[Square, ...], ...]:
    """Return the possible steps: to a neighbour, or by a leap. If leaps are free, a square farther away than `LEAP_MAX`
    is reached by one shortest leap."""
    squares_max = max(LEAP_MAX, steps_left) if rules.flying_leap == "free" else steps_left
    steps = _steps_up_to(rules, t, effects, unit, steps_left, squares_max)
    if rules.flying_leap == "free":
        reached = {path[-1] for path in steps}
        steps += [path for path in _shortest_leaps(rules, t, effects, unit, steps_left) if path[-1] not in reached]
    return tuple(steps)


def _steps_up_to(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, steps_left: int, squares_max: int
) -> list[tuple[Square, ...]]:
    steps: list[tuple[Square, ...]] = []
    frontier: list[tuple[Square, ...]] = [()]
    start = R.square(t, unit)
    while frontier:
        longer: list[tuple[Square, ...]] = []
        for path in frontier:
            for square in edge_neighbours(rules.size, path[-1] if path else start):
                if square == start or square in path:
                    continue
                step = (*path, square)
                if R.unit_at(t, square) is None:
                    if find_step_violation(rules, t, effects, unit, step, steps_left) is None:
                        steps.append(step)
                elif _find_leap_violation(rules, t, effects, unit, step) is None and len(step) < squares_max:
                    longer.append(step)
        frontier = longer
    return steps


LEAP_MAX: Final = 5
"""Longest leap, in squares, for which every path is listed. The number of paths grows with each square."""


def _shortest_leaps(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, steps_left: int
) -> list[tuple[Square, ...]]:
    """Return one shortest step to each reachable empty square, nearest first."""
    steps: list[tuple[Square, ...]] = []
    start = R.square(t, unit)
    seen = {start}
    frontier: list[tuple[Square, ...]] = [()]
    while frontier:
        longer: list[tuple[Square, ...]] = []
        for path in frontier:
            for square in edge_neighbours(rules.size, path[-1] if path else start):
                if square in seen:
                    continue
                seen.add(square)
                step = (*path, square)
                if R.unit_at(t, square) is None:
                    if find_step_violation(rules, t, effects, unit, step, steps_left) is None:
                        steps.append(step)
                elif _find_leap_violation(rules, t, effects, unit, step) is None:
                    longer.append(step)
        frontier = longer
    return steps


# -- attacks ----------------------------------------------------------------------------------------------------------


def find_attack_violation(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, target: CardId
) -> Clause | None:
    """Return the first clause that an attack on a unit breaks, or None. Its path is not checked."""
    if not R.is_unit(t, target) or R.owner(t, target) == R.owner(t, unit):
        return C.ENEMIES_ATTACKED
    return find_reach_violation(rules, t, effects, unit, target) or find_flying_violation(
        rules, t, effects, unit, target
    )


@implements(C.RANGED_HITS_FLYING)
def find_flying_violation(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, target: CardId
) -> Clause | None:
    """Return the clause that stops a ground unit from attacking a flying one, or None."""
    if not flies(rules, t, effects, target) or flies(rules, t, effects, unit) or ranged(rules, t, effects, unit):
        return None
    return C.FLYING_OUT_OF_REACH


def find_reach_violation(
    rules: Rules, t: Table, effects: EffectsInForce, unit: CardId, target: CardId
) -> Clause | None:
    """Return the clause by which a target is out of reach, or None."""
    reach = ranged(rules, t, effects, unit)
    pierces = has_keyword(rules, t, effects, unit, "attacks_pierce")
    range = M.Range("pierced" if pierces else "line", max(reach, rules.melee_line))
    position = range_position(rules, t, range, R.square(t, unit), R.square(t, target))
    if position == TOO_FAR:
        return C.RANGED_REACH if reach else C.MELEE_REACH
    return C.OBSTRUCTED if position == BLOCKED else None


def targets_of(rules: Rules, t: Table, effects: EffectsInForce, unit: CardId) -> tuple[CardId, ...]:
    return tuple(
        [other for other in R.units(rules, t) if find_attack_violation(rules, t, effects, unit, other) is None]
    )


@implements(C.COUNTER, C.RESTING)
def may_counter(rules: Rules, t: Table, effects: EffectsInForce, battle: Frame) -> bool:
    attacker, target = R.resolve_unit(t, R.attacker_of(battle)), R.resolve_unit(t, R.target_of(battle))
    if attacker is None or target is None:
        return False
    ready = R.stance(t, target) == S.ACTIVE or (R.stance(t, target) == S.RESTING and rules.resting_may_counter == "yes")
    if not ready:
        return False
    banning = find_prohibitions(rules, t, effects, "counter", target)
    if banning:
        note(t, C.CANNOT_WINS, *banning)
        return False
    if R.is_ranged(battle):
        may_counter_ranged = _may_counter_ranged(rules, t, effects, attacker, target)
        if not may_counter_ranged:
            note(t, C.RANGED_COUNTER, target)
        return may_counter_ranged
    if collects_notes(t) and find_flying_violation(rules, t, effects, target, attacker) is not None:
        note(t, C.COUNTER_IGNORES_FLYING, target)
    return True


@implements(C.RANGED_COUNTER)
def _may_counter_ranged(rules: Rules, t: Table, effects: EffectsInForce, attacker: CardId, target: CardId) -> bool:
    if rules.ranged_counter == "ranged_rank" and ranged(rules, t, effects, target) < max(
        1, ranged(rules, t, effects, attacker)
    ):
        return False
    if find_reach_violation(rules, t, effects, target, attacker) is not None:
        return False
    return rules.ranged_counter != "full_legality" or find_flying_violation(rules, t, effects, target, attacker) is None


@implements(C.PAIRING_BROKEN)
def is_paired(rules: Rules, t: Table, effects: EffectsInForce, battle: Frame) -> bool:
    """True if attacker and target are still on the board and in reach."""
    attacker, target = R.resolve_unit(t, R.attacker_of(battle)), R.resolve_unit(t, R.target_of(battle))
    if attacker is None or target is None:
        return False
    return rules.attack_target_moved == "continue" or find_attack_violation(rules, t, effects, attacker, target) is None
