"""Audit findings: divergences between record and law, each at one entry."""

from typing import Literal

from msgspec import Struct

from domain.law.clause import CitedFacts, Clause, ClauseCheck
from domain.table.table import Seat, Table, blank
from domain.words import Text

FindingKind = Literal["not_allowed", "flag", "consequences", "chance", "impossible", "unreadable", "schema", "unfair"]
"""`not_allowed`: the rules forbid the action. `flag`: the action is allowed, but flagged as played. `consequences`: the
facts do not follow from the action. `chance`: the outcome is not one that chance allows. `impossible`: the facts
cannot happen on the table. `unreadable`: the entry does not belong to the game. `schema`: the rules never had this
schema. `unfair`: a draw, seed or reveal contradicts the commitment."""


Certainty = Literal["certain", "possible", "excluded"]
"""`certain`: true for all values of the unseen cards. `possible`: true for some of them. `excluded`: ruled out by a
later entry, although it looked wrong at the time or is flagged as played."""


class AuditFinding(Struct, frozen=True, kw_only=True):
    """A divergence between record and law at one entry, with the clause that applies.

    `missing` are facts of the law that the record lacks; `extra` are recorded facts that the law does not produce.
    `broken` are all failed clauses. `flagged` is True if the record marks the entry as played. `before` is the recorded
    table before the entry; a viewer's knowledge is read from it.
    """

    entry: int
    kind: FindingKind
    clause: Clause
    broken: tuple[ClauseCheck, ...] = ()
    missing: CitedFacts = ()
    extra: CitedFacts = ()
    detail: Text | None = None
    flagged: bool = False
    certainty: Certainty = "certain"
    before: Table = blank(())


Proof = Literal["holds", "broken", "sealed", "none"]
"""`holds`: the seed matches its commitment. `broken`: it does not match. `sealed`: the seed is not published yet.
`none`: the record has no croupier."""
Part = Literal["revealed", "missing", "awaited"]
"""`revealed`: the seat has shown its secret. `missing`: it has not, and its commitment counts. `awaited`: it still
may."""


class Fairness(Struct, frozen=True, kw_only=True):
    """The result of checking a record's chance against the croupier's seed.

    `drawn` counts outcomes that follow from the seed. `differs` are entries whose outcome does not. Three kinds of
    outcome cannot be checked: entered `by_hand`, `inherited` from a branch's parent, and `unproved` for lack of a seed.
    `published` is True if the record contains its seed. `parts` are the seats' contributions to the shuffles. `misfits`
    are entries with an impossible reveal. `real` is True for real cards, which the program did not deal.
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
        """True if an outcome, a seed or a reveal contradicts the record."""
        return self.proof == "broken" or bool(self.differs or self.misfits)


class Audit(Struct, frozen=True):
    """The findings of one record, with the number of entries, actions and facts judged."""

    findings: tuple[AuditFinding, ...]
    entries: int
    actions: int
    facts: int


def same_finding(one: AuditFinding, other: AuditFinding) -> bool:
    return (one.entry, one.kind, one.clause) == (other.entry, other.kind, other.clause)


def changed(before: Audit, after: Audit) -> tuple[tuple[AuditFinding, ...], tuple[AuditFinding, ...]]:
    """Return the findings that appear and those that disappear from one audit to another."""
    appear = tuple(f for f in after.findings if not any(same_finding(f, g) for g in before.findings))
    vanish = tuple(f for f in before.findings if not any(same_finding(f, g) for g in after.findings))
    return appear, vanish
