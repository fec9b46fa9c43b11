"""Several passes in a row: who is to pass next, and whether that pass is known to be harmless."""

from domain.law.actions import Pass
from domain.law.driver import accepts, decide
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table.redact import View
from domain.table.table import Seat, Table


def next_passer(law: Law, table: Table, before: Table | None = None) -> Seat | None:
    """Return the seat that is to pass now, or next after a table `before`.

    None if nobody is, a question is open, the match is over, or something happened but that a seat passed.
    """
    awaited = law.awaited(table)
    if Pass not in law.game.action_types or table.asked or table.result is not None or not awaited:
        return None
    if before is not None and not only_passed(before, table):
        return None
    return awaited[0] if awaited[0] in table.seats and accepts(law, table, awaited[0], Pass()) else None


def only_passed(before: Table | View, table: Table | View) -> bool:
    """True if nothing happened between two tables but that seats passed."""
    return _news(before) == _news(table) and len(before.clock.passed) < len(table.clock.passed)


def _news(table: Table | View) -> object:
    """What is as it was as long as seats only pass."""
    clock = table.clock
    return [frame.id for frame in table.stack], clock.turn, clock.active, clock.phase, clock.step, len(table.effects)


def is_waiting(table: Table | View) -> bool:
    """True if something waits for all to pass."""
    return bool(table.stack or table.clock.passed)


def is_harmless_pass(law: Law, table: Table, seat: Seat) -> bool:
    """True if a pass is known not to end the match, from this table alone and whatever its unknown cards are."""
    try:
        outcome = decide(law, table, seat, Pass(), asking=True)
    except Exception:  # a face is asked for, or a law stumbles on a table without faces: then it is not known
        return False
    return isinstance(outcome, Accepted) and outcome.table.result is None
