"""Passes in sequence: the next seat to pass, and whether that pass is known to be harmless."""

from domain.law.actions import Pass
from domain.law.driver import accepts, decide
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table.redact import View
from domain.table.table import Seat, Table


def next_passer(law: Law, table: Table, before: Table | None = None) -> Seat | None:
    """Return the seat that must pass now; with `before`, only if nothing but passes happened since that table. None if
    a question is open, the match is over, or no seat must pass."""
    awaited = law.awaited(table)
    if Pass not in law.game.action_types or table.asked or table.result is not None or not awaited:
        return None
    if before is not None and not only_passed(before, table):
        return None
    return awaited[0] if awaited[0] in table.seats and accepts(law, table, awaited[0], Pass()) else None


def only_passed(before: Table | View, table: Table | View) -> bool:
    """True if nothing but passes happened between two tables."""
    return _lasting_state(before) == _lasting_state(table) and len(before.clock.passed) < len(table.clock.passed)


def _lasting_state(table: Table | View) -> object:
    """Return the state that passes do not change."""
    clock = table.clock
    return [frame.id for frame in table.stack], clock.turn, clock.active, clock.phase, clock.step, len(table.effects)


def is_waiting(table: Table | View) -> bool:
    """True if something resolves only after all seats pass."""
    return bool(table.stack or table.clock.passed)


def is_harmless_pass(law: Law, table: Table, seat: Seat) -> bool:
    """True if a pass cannot end the match, for all values of the unknown cards."""
    try:
        outcome = decide(law, table, seat, Pass(), asking=True)
    except Exception:  # asking for a face, or a law that fails without faces, means unknown
        return False
    return isinstance(outcome, Accepted) and outcome.table.result is None
