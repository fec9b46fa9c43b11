"""Summaries of rejudged matches. They have no tables, so a run over a million matches stays small."""

from typing import Literal

from msgspec import Struct

from domain.judging.rejudging.causes import Cause, CauseKind
from domain.judging.rejudging.target import RulesTarget
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words import Message

Kind = Literal["identical", "path", "illegal", "winner", "undecided", "base", "bad"]
"""The classes of a verdict; `base`: it differs under the rules it is compared with; `bad`: it cannot be judged."""
KINDS: tuple[Kind, ...] = ("identical", "path", "illegal", "winner", "undecided", "base", "bad")
DIFFERENCES: tuple[Kind, ...] = ("path", "illegal", "winner", "undecided", "base")
"""Classes that need approval for a run to pass."""

NO_CLAUSE = "-"


class Task(Struct, frozen=True):
    """The task of a run: the new rules, and the base rules that each match must be identical under. Without a base,
    differing matches are checked under their own rules. `whole` decides every match, ignoring indexes."""

    target: RulesTarget
    base: RulesTarget | None = None
    whole: bool = False

    def __hash__(self) -> int:
        """Hash the labels, because option values are not hashable."""
        return hash((self.target.label, self.base is not None and self.base.label, self.whole))


class Flip(Struct, frozen=True):
    """The winners before and after; None if the match has no end."""

    recorded: tuple[Seat, ...] | None
    rejudged: tuple[Seat, ...] | None


class Value(Struct, frozen=True):
    """The values of a field on both sides as JSON. The field changes, or a changed clause names it."""

    key: str
    kind: CauseKind
    recorded: str
    rejudged: str


class FactKind(Struct, frozen=True, omit_defaults=True):
    """The kind of a fact: its clause, its tag, and the mark, area, frame or roll it is about. It never names a card, a
    seat or an amount."""

    clause: Clause
    tag: str
    about: str = ""
    sentence: Message | None = None
    """The clause's text on that side."""


class First(Struct, frozen=True, omit_defaults=True):
    """The first difference of a match: the first fact that only the record or only the new rules give there."""

    entry: int
    recorded: FactKind | None = None
    rejudged: FactKind | None = None


class Summary(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of one match, with its position in the corpus from 0."""

    at: int
    name: str
    kind: Kind
    file: str = ""
    game: str = ""
    entries: int = 0
    entry: int = 0
    """The deciding entry: what is refused or missing there, else the first difference."""
    clause: Clause = Clause("")
    why: str = ""
    under: VerdictKind | None = None
    """The class under the base, for a match that differs there."""
    causes: tuple[Cause, ...] = ()
    flip: Flip | None = None
    sentence: Message | None = None
    """The clause's text under the rules that differ."""
    was: Message | None = None
    """The former text of the clause, if different."""
    first: First | None = None
    verb: str = ""
    """The verb of the action at that entry, if any."""
    problem: Message | None = None
    told: tuple[Clause, ...] = ()
    """Changed clauses that the match cites."""
    untold: tuple[Clause, ...] = ()
    """Changed clauses that it does not cite."""
    passed: bool = False
    """True if it was skipped because the index shows that the change cannot affect it."""
    version: str = ""
    digest: str = ""
    """The SHA-256 of its entries as in a corpus, independent of its place."""
    values: tuple[Value, ...] = ()

    @property
    def key(self) -> tuple[Kind, str]:
        """The class and clause for counting and approval."""
        return self.kind, self.clause or NO_CLAUSE
