"""Compare recorded facts with those of the law. For the clock, only its state after the entry is compared, not the
steps on the way."""

from collections.abc import Iterable
from difflib import SequenceMatcher

import msgspec
from msgspec.structs import replace

from domain.law.clause import CitedFacts, Clause
from domain.table import facts as F
from domain.table.table import Clock, Table, ValueColumns
from domain.words import Text


def differences(table: Table, law: CitedFacts, record: CitedFacts) -> tuple[CitedFacts, CitedFacts]:
    """Return the facts of the law that the record lacks, and the recorded facts that the law does not produce."""
    wanted, actual = tuple(compared(table, law)), tuple(compared(table, record))
    law_keys, record_keys = [_key(cited) for cited in wanted], [_key(cited) for cited in actual]
    missing: list[tuple[Clause, F.AnyFact]] = []
    extra: list[tuple[Clause, F.AnyFact]] = []
    for tag, a, b, c, d in SequenceMatcher(None, law_keys, record_keys, autojunk=False).get_opcodes():
        if tag != "equal":
            missing += wanted[a:b]
            extra += actual[c:d]
    return tuple(missing), tuple(extra)


def _key(cited: tuple[Clause, F.AnyFact]) -> bytes:
    return msgspec.msgpack.encode(cited)


def compared(table: Table, told: CitedFacts) -> Iterable[tuple[Clause, F.AnyFact]]:
    """Yield the facts that an audit compares.

    These are all table facts and the flow facts that change the stack or name its next step. Flow facts that list the
    cards in a running procedure, such as attackers and blockers, count too.
    """
    staged = {frame.id for frame in table.stack}
    for clause, fact in told:
        match fact:
            case F.Pushed(frame):
                if frame.lane == "stack":
                    staged.add(frame.id)
                if frame.lane == "stack" or (frame.lane == "running" and _names_things(frame)):
                    yield clause, fact
            case F.Altered(wanted, step, lane, columns):
                if lane == "stack":
                    staged.add(wanted)
                named = columns is not None and _names_things(columns)
                if named or lane == "stack" or (step is not None and wanted in staged):
                    yield clause, fact
            case F.Popped(wanted):
                if wanted in staged:
                    yield clause, fact
            case F.Clocked():
                continue  # `clocked` compares the final state of the clock
            case _:
                yield clause, fact


def _names_things(columns: ValueColumns) -> bool:
    return bool(columns.objs or columns.pairs)


def clocked(law: Table, told: CitedFacts, record: Table, held: CitedFacts) -> tuple[CitedFacts, CitedFacts]:
    """Return the last clock fact of each side if their clocks differ after an entry."""
    return ((), ()) if hands(law.clock) == hands(record.clock) else (_last_clock_fact(told), _last_clock_fact(held))


def hands(clock: Clock) -> Clock:
    """Return a clock without its step, which is internal to the law and may be split differently."""
    return replace(clock, step="")


def beginning(law: Table, record: Table) -> Text | None:
    """Describe a difference in the starting seat, which the displayed clock does not show."""
    if law.clock.first == record.clock.first:
        return None
    return Text("audit.first", {"law": law.clock.first or "-", "recorded": record.clock.first or "-"})


def _last_clock_fact(told: CitedFacts) -> CitedFacts:
    return next(((cited,) for cited in reversed(told) if isinstance(cited[1], F.Clocked)), ())
