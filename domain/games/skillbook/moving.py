"""Checks of moves, exploring and battles."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.games.skillbook import actions as A, clauses as C, progress as P, schema as S, table_queries as R
from domain.games.skillbook.checking import Checks, check_idle, check_squares, squares_of
from domain.games.skillbook.fighting import (
    find_flying_violation,
    find_reach_violation,
    find_step_violation,
    next_steps,
    step_limit,
    targets_of,
)
from domain.games.skillbook.layers import note_obstructed
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import find_path_violation
from domain.games.skillbook.values import EffectsInForce, find_prohibitions, flies, has_keyword, ranged, stat
from domain.law.clause import Clause, Count, Word, implements, subject_or_missing
from domain.law.noting import note_permission
from domain.law.slots import Action
from domain.parts.asking import open_question
from domain.table.table import Frame, Seat, Table


def _declare_move(rules: Rules, t: Table, actor: Seat, action: A.DeclareMove) -> Checks:
    yield from check_idle(t, actor)
    unit = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, unit), subject_or_missing(unit, "unit")
    if not R.is_unit(t, unit):
        return
    effects = EffectsInForce(rules, t)
    yield C.MOVES_PER_TURN, not R.did_this_turn(t, unit, S.MOVED), unit
    yield C.NO_MOVE_AFTER_BATTLE, not R.did_this_turn(t, unit, S.FOUGHT), unit
    yield C.ACTIVE_TO_BEGIN, R.stance(t, unit) == S.ACTIVE, unit
    banning = find_prohibitions(rules, t, effects, "move", unit)
    yield C.CANNOT_WINS, not banning, *banning
    steps = stat(rules, t, effects, unit, "sp")
    yield C.SQUARES_PER_SP, steps >= 1, unit, Count(steps)
    yield C.AT_LEAST_ONE_STEP, bool(next_steps(rules, t, effects, unit, steps)), unit


def _open_move(t: Table, actor: Seat) -> tuple[Frame | None, Clause]:
    """Return the player's open move, or None and the clause that fails without one."""
    move = P.process(t, "move")
    if move is not None and P.top(t) == move and t.clock.step == S.STEP and actor in t.clock.awaited:
        return move, C.SQUARES_PER_SP
    return None, C.OWN_MAIN_PHASE if P.mover(t) is not None else C.SQUARES_PER_SP


def _move_step(rules: Rules, t: Table, actor: Seat, action: A.MoveStep) -> Checks:
    move, because = _open_move(t, actor)
    yield because, move is not None, actor
    if move is not None:
        unit, effects = R.unit_of(move).card, EffectsInForce(rules, t)
        steps_left = step_limit(rules, t, effects, move) - R.spent(move)
        violation = find_step_violation(rules, t, effects, unit, squares_of(action.path), steps_left)
        yield violation or C.STEP_TO_NEIGHBOUR, violation is None, *(Word(place) for place in action.path)
    yield from check_squares(rules, *action.path)


def _stop_move(rules: Rules, t: Table, actor: Seat, action: A.StopMove) -> Checks:
    move, because = _open_move(t, actor)
    yield because, move is not None, actor
    if move is None:
        return
    unit, effects = R.unit_of(move).card, EffectsInForce(rules, t)
    steps_left = step_limit(rules, t, effects, move) - R.spent(move)
    yield C.AT_LEAST_ONE_STEP, R.spent(move) > 0 or not next_steps(rules, t, effects, unit, steps_left), unit


def _explore_in_place(rules: Rules, t: Table, actor: Seat, action: A.ExploreInPlace) -> Checks:
    yield from check_idle(t, actor)
    unit = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, unit), subject_or_missing(unit, "unit")
    if not R.is_unit(t, unit):
        return
    yield C.NO_MOVE_AFTER_BATTLE, not R.did_this_turn(t, unit, S.FOUGHT), unit
    yield C.ACTIVE_TO_BEGIN, R.stance(t, unit) == S.ACTIVE, unit
    terrain = R.terrain_under(t, unit)
    yield C.EXPLORE_IN_PLACE, terrain is not None and not t.pieces[terrain].up, unit


# -- battles ----------------------------------------------------------------------------------------------------------


@implements(C.FIGHT_AFTER_MOVE, C.FIGHT_WITHOUT_MOVE)
def _start_battle(rules: Rules, t: Table, actor: Seat, action: A.StartBattle) -> Checks:
    yield from check_idle(t, actor)
    unit = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, unit), subject_or_missing(unit, "unit")
    if not R.is_unit(t, unit):
        return
    effects = EffectsInForce(rules, t)
    yield C.FIGHTS_PER_TURN, not R.did_this_turn(t, unit, S.FOUGHT), unit
    banning = find_prohibitions(rules, t, effects, "attack", unit)
    yield C.CANNOT_WINS, not banning, *banning
    moved = R.did_this_turn(t, unit, S.MOVED) or (
        rules.explore_then_fight == "yes" and R.did_this_turn(t, unit, S.EXPLORED)
    )
    stance = R.stance(t, unit)
    yield C.RESTING, moved or stance != S.RESTING, unit
    yield C.FIGHT_AFTER_MOVE, moved or stance != S.EXHAUSTED, unit
    yield C.SUITABLE_TARGET, bool(targets_of(rules, t, effects, unit)), unit


def _choose_attack_target(rules: Rules, t: Table, actor: Seat, action: A.ChooseAttackTarget) -> Checks:
    asked, battle = open_question(t), P.process(t, "battle")
    is_asked = asked is not None and asked.kind == "choose_attack_target" and battle is not None
    yield C.MELEE_REACH, is_asked, actor
    attacker = None if battle is None or not is_asked else R.resolve_unit(t, R.attacker_of(battle))
    if attacker is None:
        return
    effects, target = EffectsInForce(rules, t), action.target
    yield C.EXISTING_AND_USABLE, R.is_unit(t, target), subject_or_missing(target, "target")
    if not R.is_unit(t, target):
        return
    yield C.ENEMIES_ATTACKED, R.owner(t, target) != actor, subject_or_missing(target, "target")
    banning = find_prohibitions(rules, t, effects, "attack", attacker)
    yield C.CANNOT_WINS, not banning, *banning
    violation = find_reach_violation(rules, t, effects, attacker, target) or find_flying_violation(
        rules, t, effects, attacker, target
    )
    note_obstructed(rules, t, violation, R.square(t, attacker), (target,), R.NO_PLACE)
    if flies(rules, t, effects, target) and not flies(rules, t, effects, attacker):
        note_permission(t, C.RANGED_HITS_FLYING, attacker)
    yield violation or C.MELEE_REACH, violation is None, target
    yield from check_squares(rules, *action.path)
    path = squares_of(action.path)
    if not has_keyword(rules, t, effects, attacker, "attacks_pierce"):
        yield C.DECLARED_PATH, not action.path, *(Word(place) for place in action.path)
        return
    reach = max(ranged(rules, t, effects, attacker), rules.melee_line)
    path_violation = find_path_violation(rules, R.square(t, attacker), path, R.square(t, target), reach)
    path_violation = C.RANGED_REACH if path_violation == C.LINE else path_violation
    yield path_violation or C.DECLARED_PATH, path_violation is None, *(Word(place) for place in action.path)


def _counter_choice(rules: Rules, t: Table, actor: Seat, action: A.Counter | A.DeclineCounter) -> Checks:
    asked = open_question(t)
    yield C.COUNTER, asked is not None and asked.kind == "counter" and asked.by == actor, actor


MOVES: Final[Mapping[type[Action], Callable[[Rules, Table, Seat, Any], Checks]]] = {
    A.DeclareMove: _declare_move,
    A.MoveStep: _move_step,
    A.StopMove: _stop_move,
    A.ExploreInPlace: _explore_in_place,
    A.StartBattle: _start_battle,
    A.ChooseAttackTarget: _choose_attack_target,
    A.Counter: _counter_choice,
    A.DeclineCounter: _counter_choice,
}
"""Checks of moves and of decisions in a battle, by type of action."""
