"""Ordering and handling of queued triggers."""

from typing import Final

from domain.games.skillbook import clauses as C, schema as S, table_queries as R
from domain.games.skillbook.answering import aim_of_trigger
from domain.games.skillbook.effects.program import perform_next
from domain.games.skillbook.effects.queueing import LINED, UNLINED
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import is_aimable
from domain.law.clause import FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import Frame, Seat, Table, is_same_object

CHOOSE: Final = "choose"
PERFORM: Final = "perform"


@implements(C.GAME_START_EFFECTS, C.TURN_START_EFFECTS, C.TURN_END_EFFECTS)
def line_up(t: LiveTable) -> bool:
    """Append new triggers to the queue, or ask a player for their order. Return False if there are none."""
    new_triggers = [trigger for trigger in t.waiting if trigger.step == UNLINED]
    if not new_triggers:
        return False
    for seat in _order(t):
        own_triggers = [trigger for trigger in new_triggers if trigger.by == seat]
        if len(own_triggers) > 1 and not _is_fixed(own_triggers):
            ask(t, C.OWN_EFFECTS_ORDERED, "order_triggers", seat, *(trigger.id for trigger in own_triggers))
            return True
        if own_triggers:
            append_to_queue(t, own_triggers)
    return True


def _is_fixed(triggers: list[Frame]) -> bool:
    """True if the order is fixed: cards milled together keep the order of milling."""
    return all(R.event_of(trigger) == "milled" for trigger in triggers)


def _order(t: Table) -> tuple[Seat, ...]:
    """Return the players in order. The first player leads at the start of the game or a turn, else the turn player."""
    starting = t.clock.phase == S.SET_UP or (t.clock.phase, t.clock.step) == (S.TURN_START, S.TRIGGERS)
    return R.from_first_player(t) if starting else R.seats_in_turn_order(t)


def append_to_queue(t: LiveTable, triggers: list[Frame]) -> None:
    last = max((R.place_in_line(trigger) for trigger in t.waiting if trigger.step == LINED), default=0)
    for place, trigger in enumerate(triggers, start=last + 1):
        t.emit(C.OWN_EFFECTS_ORDERED, F.Altered(trigger.id, step=LINED, columns=R.with_number(trigger, 0, place)))


def begin_next(t: LiveTable) -> bool:
    """Begin the first ordered trigger. Return False if there is none."""
    lined = [trigger for trigger in t.waiting if trigger.step == LINED]
    if not lined:
        return False
    first = min(lined, key=R.place_in_line)
    t.emit(C.TRIGGERS_AT_ONCE, F.Altered(first.id, lane="running", step=CHOOSE))
    return True


@implements(C.TRIGGER_OUTLIVES_SOURCE)
def choose(rules: Rules, t: LiveTable, trigger: Frame) -> None:
    """Ask for the targets of a trigger. Without a legal one it does nothing."""
    if not is_same_object(t, R.source_of(trigger)):
        note(t, C.TRIGGER_OUTLIVES_SOURCE, FrameRef(trigger.id))
    ability = R.triggered_ability(rules, trigger)
    if ability is None:
        t.emit(C.TRIGGERS_AT_ONCE, F.Popped(trigger.id, "nothing"))
        return
    t.emit(C.TRIGGERS_AT_ONCE, F.Altered(trigger.id, step=PERFORM))
    if not ability.targets and not ability.may:
        return
    if is_aimable(rules, t, aim_of_trigger(t, trigger), ability.targets):
        ask(t, C.SUITABLE_TARGET, "choose_targets", trigger.by, trigger.id)
    else:
        note(t, C.TARGETS_RECHECKED, FrameRef(trigger.id))
        t.emit(C.TRIGGERS_AT_ONCE, F.Popped(trigger.id, "nothing"))


def perform(rules: Rules, t: LiveTable, trigger: Frame) -> None:
    if not perform_next(rules, t, trigger):
        t.emit(C.TRIGGERS_AT_ONCE, F.Popped(trigger.id, "done"))


STEPS: Final[dict[str, Step[Rules]]] = {CHOOSE: choose, PERFORM: perform}
