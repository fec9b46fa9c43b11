"""Recorded facts held against those the law tells: which of them are compared, and what is only on one side.

Of the clock not the way it took in an entry is compared, but how it stands behind it: that is what people go by.
"""

from collections.abc import Iterable
from difflib import SequenceMatcher

import msgspec
from msgspec.structs import replace

from domain.law.clause import Clause, Told
from domain.table import facts as F
from domain.table.table import Clock, Table, ValueColumns
from domain.words import Text


def differences(table: Table, law: Told, record: Told) -> tuple[Told, Told]:
    """What the law tells and the record does not hold, and the other way round."""
    wanted, held = tuple(compared(table, law)), tuple(compared(table, record))
    ours, theirs = [_key(telling) for telling in wanted], [_key(telling) for telling in held]
    missing: list[tuple[Clause, F.AnyFact]] = []
    extra: list[tuple[Clause, F.AnyFact]] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            missing += wanted[a:b]
            extra += held[c:d]
    return tuple(missing), tuple(extra)


def _key(telling: tuple[Clause, F.AnyFact]) -> bytes:
    return msgspec.msgpack.encode(telling)


def compared(table: Table, told: Told) -> Iterable[tuple[Clause, F.AnyFact]]:
    """The facts an audit compares.

    All table facts; of flow facts those that put something on the stack, take it off, or name its next step, and those
    that say who takes part in something that goes on (attackers, blockers).
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
                continue  # how the clock stands at the end says `clocked`
            case _:
                yield clause, fact


def _names_things(columns: ValueColumns) -> bool:
    return bool(columns.objs or columns.pairs)


def clocked(law: Table, told: Told, record: Table, held: Told) -> tuple[Told, Told]:
    """The last reading of the clock on either side, if law and record have it stand otherwise behind an entry."""
    return (
        ((), ()) if hands(law.clock) == hands(record.clock) else (_last_clock_reading(told), _last_clock_reading(held))
    )


def hands(clock: Clock) -> Clock:
    """What a clock says to people. Which step the law is at is its own bookkeeping: it may be cut otherwise."""
    return replace(clock, step="")


def beginning(law: Table, record: Table) -> Text | None:
    """Who begins by law and by the record, if that is not the same: no clock that is shown says it."""
    if law.clock.first == record.clock.first:
        return None
    return Text("audit.first", {"law": law.clock.first or "-", "recorded": record.clock.first or "-"})


def _last_clock_reading(told: Told) -> Told:
    return next(((telling,) for telling in reversed(told) if isinstance(telling[1], F.Clocked)), ())
