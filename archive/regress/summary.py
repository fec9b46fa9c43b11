"""What is kept of one rejudged match: never its tables, so that a run over a million matches stays small."""

from typing import Literal

from msgspec import Struct

from domain.judging.rejudging.causes import Cause, CauseKind
from domain.judging.rejudging.target import RulesTarget
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words import Message

Kind = Literal["identical", "path", "illegal", "winner", "undecided", "base", "bad"]
"""The classes of a verdict; `base`: not identical under the rules it is compared with; `bad`: cannot be judged."""
KINDS: tuple[Kind, ...] = ("identical", "path", "illegal", "winner", "undecided", "base", "bad")
DIFFERENCES: tuple[Kind, ...] = ("path", "illegal", "winner", "undecided", "base")
"""What has to be approved, or the run says no."""

NO_CLAUSE = "-"
"""Written where no clause speaks."""


class Task(Struct, frozen=True):
    """What a run asks of each match: the other rules, and the rules it has to be identical under before it is counted.

    Without a base that is looked at under the record's own rules, and only where something differs. `whole` decides
    every match, whatever an index says.
    """

    target: RulesTarget
    base: RulesTarget | None = None
    whole: bool = False

    def __hash__(self) -> int:
        """By its labels, because values of options are hashed nowhere else."""
        return hash((self.target.label, self.base is not None and self.base.label, self.whole))


class Flip(Struct, frozen=True):
    """Who has won by the record, and who by the other rules; None where the match has no end."""

    recorded: tuple[Seat, ...] | None
    rejudged: tuple[Seat, ...] | None


class Value(Struct, frozen=True):
    """What a field of the rules stands at on both sides, as JSON: one that changes, or that a changed clause names."""

    key: str
    kind: CauseKind
    recorded: str
    rejudged: str


class FactKind(Struct, frozen=True, omit_defaults=True):
    """Of which sort a fact is: by which clause it was told, its tag, and the word for the mark, the area, the frame or
    the roll that it is about. Never which card, whose, or how much."""

    clause: Clause
    tag: str
    about: str = ""
    sentence: Message | None = None
    """What that clause says on that side."""


class First(Struct, frozen=True, omit_defaults=True):
    """Where a match first differs: the first fact told there by the record alone, and by the other rules alone."""

    entry: int
    recorded: FactKind | None = None
    rejudged: FactKind | None = None


class Summary(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One match of a corpus, its place counted from 0."""

    at: int
    name: str
    kind: Kind
    file: str = ""
    game: str = ""
    entries: int = 0
    entry: int = 0
    """Where that is decided: what is refused or missing there, else the first that differs."""
    clause: Clause = Clause("")
    why: str = ""
    under: VerdictKind | None = None
    """The class under the base, for a match that differs there."""
    causes: tuple[Cause, ...] = ()
    flip: Flip | None = None
    sentence: Message | None = None
    """What that clause says under the rules by which it differs."""
    was: Message | None = None
    """What it said before, if it said something else."""
    first: First | None = None
    verb: str = ""
    """The action at that entry, if somebody took one."""
    problem: Message | None = None
    told: tuple[Clause, ...] = ()
    """Of the clauses that read otherwise under the other rules, those told in this match ..."""
    untold: tuple[Clause, ...] = ()
    """... and those that are not."""
    passed: bool = False
    """Not decided again: by the index the change cannot touch it."""
    version: str = ""
    """The version of the rules that it was recorded under."""
    digest: str = ""
    """The SHA-256 of its entries, as a corpus lists it: of the same match wherever it lies."""
    values: tuple[Value, ...] = ()

    @property
    def key(self) -> tuple[Kind, str]:
        """What it is counted and approved by."""
        return self.kind, self.clause or NO_CLAUSE
