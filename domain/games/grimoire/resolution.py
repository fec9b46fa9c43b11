"""What happens by itself until somebody is asked. Steps are named in the clock and in frames, never remembered."""

from collections.abc import Iterator

from domain.games.grimoire import clauses as C
from domain.games.grimoire.checkpoint import check
from domain.games.grimoire.effects.program import perform
from domain.games.grimoire.reading import (
    is_out,
    question,
)
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    ACTIONS,
    FINALIZE,
    HELD,
    SET_UP,
)
from domain.games.grimoire.setup import SET_UP_STEPS
from domain.games.grimoire.turn import FLOW, cut_short
from domain.law.clause import Telling
from domain.law.driver import Endless
from domain.table.facts import Marked
from domain.table.table import Frame, Seat, Table

STEPS_MAX = 2_000
"""Bound on the automatic steps of one entry; a match's longest run stays under a tenth of it."""


def settle(rules: Rules, t: Table) -> Iterator[Telling]:
    """Everything automatic, until somebody is asked or holds priority, the match is held, or it is over."""
    for _ in range(STEPS_MAX):
        if t.result is not None or t.marks.get(HELD):
            return
        if t.asked:
            break
        going = advance(rules, t, t.running[-1]) if t.running else flow(rules, t)
        if going is None:
            break
        yield from going
    else:
        raise Endless(f"not quiet after {STEPS_MAX} steps")
    if t.marks.get(ACTIONS, 0) > rules.most_actions:
        yield C.LOOP_GUARD, Marked(None, HELD, 1)


def advance(rules: Rules, t: Table, process: Frame) -> Iterator[Telling]:
    """The process on top takes its next step."""
    match process.kind:
        case "effect":
            return perform(rules, t, process)
        case "check":
            return check(rules, t, process)
        case "set_up":
            return SET_UP_STEPS[process.step](rules, t, process)
        case kind:
            raise AssertionError(f"{kind!r} does not go on by itself")


def flow(rules: Rules, t: Table) -> Iterator[Telling] | None:
    """With nothing under way: how the turn goes on; None where it needs somebody's decision."""
    clock = t.clock
    active = clock.active
    if active is None:
        return None
    if clock.phase not in (SET_UP, FINALIZE) and is_out(t, active):
        return cut_short(rules, t, active)
    step = FLOW.get((clock.phase, clock.step))
    return None if step is None else step(rules, t, active)


def awaited(t: Table) -> tuple[Seat, ...]:
    """Who must act now: whoever is asked, else who chooses or holds priority; nobody while the match is held."""
    if t.result is not None or t.marks.get(HELD):
        return ()
    asked = question(t)
    return (asked.by,) if asked is not None else t.clock.awaited
