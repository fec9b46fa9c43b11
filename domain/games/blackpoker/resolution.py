"""Core flow: the automatic steps up to the next decision. Frames store the current step."""

from typing import Final

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.effects import combat as combat_steps, requests
from domain.games.blackpoker.effects.moves import bury, check_win, push_triggered_request
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import IMMEDIATE, LEAVE
from domain.games.blackpoker.setup import SET_UP_STEPS
from domain.games.blackpoker.table_queries import STAGE_PLACE, combat, in_play, opponent, request_kind_of, turn_player
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.parts.asking import ask, push
from domain.parts.steps import Steps, advance, first_step, repeat_until_done
from domain.table.facts import Altered, Clocked, Popped
from domain.table.table import Clock, Frame, Seat, Table

STEPS_MAX: Final = 200
"""Bound on the automatic steps of one entry, more than ten times the longest run observed."""

EFFECTS: Final[Steps[Rules]] = {
    "end": {"discard": requests.discard_to_limit, "clear": requests.clear_fog, "turn": requests.pass_turn},
    "charge": {"charge": requests.charge_all},
    "draw": {"draw": requests.draw_first, "second": requests.draw_second},
    "attack": {"designate": combat_steps.designate_attackers},
    "block": {"designate": combat_steps.designate_blockers},
    "damage_judge": {
        "begin": combat_steps.drop_absent_units,
        "soldiers": combat_steps.judge_soldiers,
        "bulwarks": combat_steps.judge_bulwarks,
        "damage": combat_steps.deal_damage,
    },
    "next_generation": {"run": requests.next_generation},
    "set_bulwark": {"place": requests.ask_bulwark_card},
    "summon_soldier": {"enter": requests.enter(C.SOLDIER_ENTERS)},
    "summon_hero": {"enter": requests.enter(C.SUMMON_HERO)},
    "summon_ace": {"enter": requests.enter(C.SUMMON_ACE)},
    "equip": {"equip": requests.equip},
    "up": {"fog": requests.up},
    "down": {"fog": requests.down},
    "twist": {"choose": requests.twist},
    "counter": {"nullify": requests.counter},
    "search": {"find": requests.ask_search_card, "shuffle": requests.shuffle},
    "destroy_bulwark": {"destroy": requests.destroy},
    "throwing": {"damage": requests.deal_throwing_damage},
}


@implements(C.TRIGGER_CHECK)
def settle(rules: Rules, t: LiveTable) -> None:
    """Run the automatic steps until a player must decide or the match ends."""
    repeat_until_done(_run_next_step, rules, t, STEPS_MAX)


def _run_next_step(rules: Rules, t: LiveTable) -> bool:
    """Run one automatic step. Return True if there was one."""
    if t.result is not None or t.asked:
        return False
    process = resolving_frame(t) if t.running or t.stack else None
    if process is not None:
        advance(rules, t, process, STEPS, C.STAYS_ON_STAGE)
    elif t.waiting:
        check_triggers(rules, t)
    elif in_play(t) and not t.clock.awaited:
        t.emit(C.CHANCE_TO_TURN_PLAYER, clock_for(t, turn_player(t)))
    else:
        return False
    return True


def resolving_frame(t: Table) -> Frame | None:
    for process in reversed(t.running):
        if process.step:
            return process
    return t.stack[-1] if t.stack and t.stack[-1].step else None


def clock_for(t: Table, *seats: Seat, passed: tuple[Seat, ...] | None = None) -> Clocked:
    """Return the fact that makes these seats awaited. Without `passed`, the record of passes stays."""
    clock = t.clock
    passed_seats = clock.passed if passed is None else passed
    return Clocked(Clock(clock.turn, clock.active, clock.first, clock.phase, clock.step, seats, passed_seats))


def leave(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Finish a request: remove it from the stage, bury its keys, then run the checks."""
    fight = combat(t) if request.kind == "damage_judge" else None
    if fight is not None:
        t.emit(C.ROLES_END, Popped(fight.id, "over"))
    t.emit(C.RESOLVED, Popped(request.id, "resolved"))
    keys = [(card, C.KEYS_TO_GRAVE) for card in request.cards if t.pieces[card].place == STAGE_PLACE]
    if keys:
        bury(rules, t, keys)
    if t.asked:
        push(t, C.WIN_CHECK, "running", "aftermath", request.by, step="check", words=(request.kind,))
    else:
        check_after(rules, t, request.kind)


def check_after(rules: Rules, t: LiveTable, kind: str) -> None:
    """Run the win check after a resolution, then push the request that the resolution triggers."""
    check_win(rules, t)
    if t.result is not None:
        return
    match kind:
        case "end":
            push_triggered_request(t, C.CHARGE, "charge")
        case "charge":
            push_triggered_request(t, C.DRAW, "draw")
        case "attack" if rules.attack_empty_chain or combat(t) is not None:
            push_triggered_request(t, C.BLOCK, "block", rules.block_controller == "defender")
        case "block":
            push_triggered_request(t, C.DAMAGE_JUDGE, "damage_judge")
        case _:
            pass


def finish_aftermath(rules: Rules, t: LiveTable, process: Frame) -> None:
    t.emit(C.WIN_CHECK, Popped(process.id, "done"))
    check_after(rules, t, request_kind_of(process))


@implements(C.TRIGGERS_JOIN)
def check_triggers(rules: Rules, t: LiveTable) -> None:
    """Take the next triggered request, or ask for the order if several kinds have the same precedence."""
    first_class = min(_precedence(t, request) for request in t.waiting)
    candidates = [request for request in t.waiting if _precedence(t, request) == first_class]
    if len({frame.kind for frame in candidates}) > 1:
        ask(t, C.ORDER_CHOSEN, "order_triggers", candidates[0].by, *(frame.id for frame in candidates))
    else:
        take_trigger(rules, t, candidates[0])


def _precedence(t: Table, request: Frame) -> tuple[bool, bool, bool]:
    """Return the sort key of a triggered request: immediate ones first, then the turn player's, then main timing."""
    return request.kind not in IMMEDIATE, request.by != turn_player(t), request.kind not in MAIN


def take_trigger(rules: Rules, t: LiveTable, request: Frame) -> None:
    if request.kind in IMMEDIATE:
        t.emit(C.TRIGGER_ORDER, Altered(request.id, step=first_step(STEPS, request.kind), lane="running"))
    elif request.kind in MAIN and t.stack:
        t.emit(C.TRIGGER_STAGED, Popped(request.id, "discarded"))
    else:
        t.emit(C.TRIGGER_STAGED, Altered(request.id, lane="stack"))
        if rules.chance_after_trigger == "opponent_of_controller":
            t.emit(C.CHANCE_TO_TURN_PLAYER, clock_for(t, opponent(request.by)))


MAIN: Final = frozenset(("charge", "draw", "block", "damage_judge"))
"""Triggered requests of main timing."""

STEPS: Final[Steps[Rules]] = {kind: {**steps, LEAVE: leave} for kind, steps in EFFECTS.items()} | {
    "set_up": SET_UP_STEPS,
    "aftermath": {"check": finish_aftermath},
}
