"""The verdict of rejudging one match: its class, the first difference, and the alignments."""

from typing import Literal

from msgspec import Struct

from domain.law.clause import CitedFacts, Clause, ClauseCheck
from domain.law.slots import Action
from domain.table.table import Result, Seat, Table

VerdictKind = Literal["identical", "path", "illegal", "winner", "undecided"]
"""`identical`: the same facts. `path`: the same result by another path. `illegal`: a recorded action is not allowed.
`winner`: another winner, or none. `undecided`: the record lacks what decides."""
KINDS: tuple[VerdictKind, ...] = ("identical", "path", "illegal", "winner", "undecided")

AlignedHow = Literal["dropped", "defaulted", "any_answer", "passed", "unused_chance", "as_played"]
"""`dropped`: a recorded choice or pass that is no longer asked. `defaulted`: a choice without effect, answered by the
game's default. `any_answer`: a choice whose answers all lead to the same verdict. `passed`: a pass that the record
did not need. `unused_chance`: an outcome of chance that is no longer asked. `as_played` stays in the
published schema, but no alignment has this value."""

Missing = Literal["", "choice", "chance", "by_hand", "no_end", "unseen"]
"""Missing information in an undecided record. `unseen` is the face of a card that matters."""


class Aligned(Struct, frozen=True, kw_only=True):
    """A point where record and rejudged line were aligned, after entry `entry` of the record."""

    entry: int
    how: AlignedHow
    actor: Seat
    action: Action


class EntryDifference(Struct, frozen=True, kw_only=True):
    """An entry at which the two sides differ.

    `recorded` and `rejudged` are the facts of one side only, with their clauses. `told` are all facts under the other
    rules. `before` and `rejudged_before` are the tables before the entry.
    """

    entry: int
    recorded: CitedFacts = ()
    rejudged: CitedFacts = ()
    told: CitedFacts = ()
    before: Table
    rejudged_before: Table
    recorded_table: Table
    rejudged_table: Table


class Verdict(Struct, frozen=True, kw_only=True):
    """A rejudged match. `entry` and `clause` locate an illegal action or the point of doubt. `why` names what is
    missing. `trail` lists the clauses that the refusal consulted."""

    kind: VerdictKind
    entry: int = 0
    clause: Clause = Clause("")
    trail: tuple[ClauseCheck, ...] = ()
    why: Missing = ""
    first: EntryDifference | None = None
    differing: tuple[EntryDifference, ...] = ()
    """Differing entries, for the numbers requested."""
    aligned: tuple[Aligned, ...] = ()
    recorded_result: Result | None = None
    rejudged_result: Result | None = None
    rejudged_at: int = 0
    """The recorded entry at which the rejudged line ends."""
    table: Table
    """The rejudged table at the end of the line."""

    @property
    def outcome_changes(self) -> bool:
        """True if the winners differ, or only one side has a result."""
        return winners(self.recorded_result) != winners(self.rejudged_result)

    @property
    def meaning(self) -> tuple[object, ...]:
        """Values that must agree between two answers for a choice to be irrelevant."""
        return self.kind, self.entry, self.clause, winners(self.rejudged_result)


def winners(result: Result | None) -> tuple[Seat, ...] | None:
    """Return the winners in order; None while there is no result."""
    return None if result is None else tuple(sorted(result.winners))
