"""What rejudging says of one match: one of five classes, where it first differs, and how both sides came there."""

from typing import Literal

from msgspec import Struct

from domain.law.clause import Clause, Consulted, Told
from domain.law.slots import Action
from domain.table.table import Result, Seat, Table

VerdictKind = Literal["identical", "path", "illegal", "winner", "undecided"]
"""the same facts · the same result by another path · a recorded action is not allowed · another winner (or none) · the
record does not hold what decides."""
KINDS: tuple[VerdictKind, ...] = ("identical", "path", "illegal", "winner", "undecided")

AlignedHow = Literal["dropped", "defaulted", "any_answer", "passed", "unused_chance", "as_played"]
"""a recorded choice or pass that nobody asks for any more · a choice that decides nothing, answered by the game's
default · a choice whose every answer comes to the same · a pass that the record did not need · an outcome of chance
that nobody asks for · an action that the record itself flags, carried out as it was."""

Missing = Literal["", "choice", "chance", "by_hand", "no_end", "unseen"]
"""What a record does not hold, where that leaves a match undecided; `unseen`: the face of a card that matters."""


class Aligned(Struct, frozen=True, kw_only=True):
    """Where record and rejudged line were brought together again: behind entry `entry` of the record."""

    entry: int
    how: AlignedHow
    actor: Seat
    action: Action


class EntryDifference(Struct, frozen=True, kw_only=True):
    """An entry at which the two sides differ: what each tells, and the tables behind it.

    `recorded` and `rejudged` are the facts that only that side has, each with its clause; `told` are all that the other
    rules tell there. `before` and `rejudged_before` are the tables on which each side tells them.
    """

    entry: int
    recorded: Told = ()
    rejudged: Told = ()
    told: Told = ()
    before: Table
    rejudged_before: Table
    recorded_table: Table
    rejudged_table: Table


class Verdict(Struct, frozen=True, kw_only=True):
    """A rejudged match.

    `entry` and `clause` say where and why an action is illegal or the match undecided. `why` names what is
    missing. `trail` is what the refusal looked at.
    """

    kind: VerdictKind
    entry: int = 0
    clause: Clause = Clause("")
    trail: tuple[Consulted, ...] = ()
    why: Missing = ""
    first: EntryDifference | None = None
    differing: tuple[EntryDifference, ...] = ()
    """The entries that differ, where it was asked for them."""
    aligned: tuple[Aligned, ...] = ()
    recorded_result: Result | None = None
    rejudged_result: Result | None = None
    rejudged_at: int = 0
    """The recorded entry behind which the rejudged line stands at its end."""
    table: Table
    """The rejudged table where the line ends."""

    @property
    def outcome_changes(self) -> bool:
        """Has the match other winners, or an end where it had none?"""
        return winners(self.recorded_result) != winners(self.rejudged_result)

    @property
    def meaning(self) -> tuple[object, ...]:
        """What two ways of answering a choice must share for the choice not to matter."""
        return self.kind, self.entry, self.clause, winners(self.rejudged_result)


def winners(result: Result | None) -> tuple[Seat, ...] | None:
    """Who has won; None while nobody has."""
    return None if result is None else tuple(sorted(result.winners))
