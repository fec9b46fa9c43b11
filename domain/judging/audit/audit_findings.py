"""What an audit finds: divergences between record and law, each at one entry."""

from typing import Literal

from msgspec import Struct

from domain.law.clause import Clause, Consulted, Told
from domain.table.table import Seat, Table, blank
from domain.words import Text

FindingKind = Literal["not_allowed", "flag", "consequences", "chance", "impossible", "unreadable", "schema", "unfair"]
"""an action that the rules do not allow · one they allow, though it is flagged as played · facts that do not follow
from it · an outcome that cannot happen · facts that cannot happen on a table · an entry that is no action of this
game · a schema that its rules never had · a draw, a seed or a reveal
that cannot have been."""


Certainty = Literal["certain", "possible", "excluded"]
"""whatever the cards are that nobody saw · as far as some of what they can be goes · in no way, by what was told later,
though it looked wrong then or is flagged as played."""


class AuditFinding(Struct, frozen=True, kw_only=True):
    """One divergence between record and law, at one entry, with the clause that says so.

    `missing` are facts the law tells and the record does not hold, `extra` the other way round. `broken` are all
    clauses that did not hold. `flagged` says that the record itself calls it as played. `before` is the recorded table
    on which the entry was entered: what a viewer knows is read from that one, wherever the law would have come to.
    """

    entry: int
    kind: FindingKind
    clause: Clause
    broken: tuple[Consulted, ...] = ()
    missing: Told = ()
    extra: Told = ()
    detail: Text | None = None
    flagged: bool = False
    certainty: Certainty = "certain"
    before: Table = blank(())


Proof = Literal["holds", "broken", "sealed", "none"]
"""The seed fits its commitment · it does not · nobody has shown it yet · the record has no croupier."""
Part = Literal["revealed", "missing", "awaited"]
"""A seat that pledged has shown its secret · has not, so that its pledge stands for it · may do so still."""


class Fairness(Struct, frozen=True, kw_only=True):
    """What can be said of a record's chance.

    `drawn` are the draws that are the seed's: the ids of the cards and outcomes, one each; `differs` the entries whose
    draw is another one. Nothing can be said of outcomes that somebody entered `by_hand`, that are `inherited` from the
    match a branch begins in, or are `unproved` because there is no seed to hold them against. `published`: the record
    holds its seed itself. `parts` are those that seats had in the shuffles, `misfits` the entries that say something of
    one that cannot be. `real`: the cards lie on a real table, and nobody dealt them here.
    """

    proof: Proof
    published: bool = False
    drawn: int = 0
    differs: tuple[int, ...] = ()
    by_hand: tuple[int, ...] = ()
    inherited: int = 0
    unproved: int = 0
    parts: dict[Seat, Part] = {}
    misfits: tuple[int, ...] = ()
    real: bool = False

    @property
    def unfair(self) -> bool:
        """Does it not fit together?"""
        return self.proof == "broken" or bool(self.differs or self.misfits)


class Audit(Struct, frozen=True):
    """The findings of one record, and how many entries, actions and facts were judged."""

    findings: tuple[AuditFinding, ...]
    entries: int
    actions: int
    facts: int


def same_finding(one: AuditFinding, other: AuditFinding) -> bool:
    """Do two audits say the same of one entry?"""
    return (one.entry, one.kind, one.clause) == (other.entry, other.kind, other.clause)


def changed(before: Audit, after: Audit) -> tuple[tuple[AuditFinding, ...], tuple[AuditFinding, ...]]:
    """The findings that appear, and those that vanish, from one audit to another."""
    appear = tuple(f for f in after.findings if not any(same_finding(f, g) for g in before.findings))
    vanish = tuple(f for f in before.findings if not any(same_finding(f, g) for g in after.findings))
    return appear, vanish
