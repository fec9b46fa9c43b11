"""Intermediate results of auditing one entry."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.audit.audit_findings import AuditFinding
from domain.law.clause import ClauseCheck
from domain.law.game import Game
from domain.law.worlds import Worlds
from domain.table.table import CardId, Table
from domain.words import Text, listed

EXACT, CLOSE, APART = 0, 1, 2
"""Degrees to which an entry fits a table: exactly, in all compared facts, not at all."""


class EntryAudit(Struct, frozen=True):
    """The result of auditing one entry: the possible tables after it, recorded first, its finding and its fit."""

    tables: tuple[Table, ...]
    finding: AuditFinding | None = None
    fit: int = EXACT


class AuditPosition(Struct, frozen=True):
    """The state after an entry: the table of recorded facts, and the tables from which the record may continue."""

    record: Table
    tables: tuple[Table, ...]


class Verdicts(Struct, frozen=True):
    """The findings of one entry, one for each world. `known` are the cards with the same face in all worlds."""

    findings: tuple[AuditFinding | None, ...]
    worlds: Worlds
    known: tuple[CardId, ...] = ()

    @property
    def wrong(self) -> tuple[AuditFinding, ...]:
        return tuple(finding for finding in self.findings if finding is not None)

    @property
    def all_wrong(self) -> bool:
        """True if the entry is wrong in every world."""
        return self.worlds.complete and bool(self.findings) and None not in self.findings

    @property
    def cards(self) -> tuple[CardId, ...]:
        """Cards whose faces differ between the worlds."""
        return tuple(card for card in self.worlds.cards if card not in self.known)


def combine(
    game: Game, number: int, now: Verdicts, then: Verdicts | None = None, told_in: tuple[int, ...] = ()
) -> AuditFinding | None:
    """Return one finding for the worlds in `now`, or None if nothing is wrong. `then` are the verdicts without later
    knowledge. `told_in` are later entries that disclose some of the cards."""
    if told_in and now.all_wrong and all(finding.kind == "flag" for finding in now.wrong):
        return replace(_merge_findings(now.wrong), certainty="excluded", detail=_describe_disclosure(told_in))
    if now.wrong:
        finding = _merge_findings(now.wrong)
        if not now.all_wrong:
            return replace(finding, certainty="possible", detail=_describe_worlds(now))
        return replace(finding, detail=_describe_disclosure(told_in)) if told_in else finding
    if not now.worlds.complete:
        return _find_untried(game, number, now)
    if then is not None and then.wrong:
        return replace(_merge_findings(then.wrong), certainty="excluded", detail=_describe_disclosure(told_in))
    return None


def _merge_findings(wrong: Sequence[AuditFinding]) -> AuditFinding:
    """Return the first finding, reduced to the clauses and facts that all findings share."""
    first = wrong[0]
    named = [dict.fromkeys((finding.clause, *(step.clause for step in finding.broken))) for finding in wrong]
    shared = [clause for clause in named[0] if all(clause in clauses for clauses in named)]
    broken = first.broken
    if any(finding.broken != broken for finding in wrong):
        broken = tuple(ClauseCheck(clause, False) for clause in shared or (first.clause,))
    alike = all((finding.missing, finding.extra) == (first.missing, first.extra) for finding in wrong)
    return replace(
        first,
        clause=shared[0] if shared else first.clause,
        broken=broken,
        missing=first.missing if alike else (),
        extra=first.extra if alike else (),
    )


def _find_untried(game: Game, number: int, now: Verdicts) -> AuditFinding:
    """Return a finding that not all worlds could be checked, although the checked ones are sound."""
    detail = Text("audit.untried", {"of": len(now.findings), "cards": listed(f"#{card}" for card in now.cards)})
    return AuditFinding(entry=number, kind="not_allowed", clause=game.by_hand, certainty="possible", detail=detail)


def _describe_worlds(now: Verdicts) -> Text:
    """Describe how many of the worlds are affected; for a single card, how many of its faces."""
    clauses = listed(dict.fromkeys(str(finding.clause) for finding in now.wrong))
    cards = listed(f"#{card}" for card in now.cards)
    values = {"n": len(now.wrong), "of": len(now.findings), "cards": cards, "clauses": clauses}
    if not now.worlds.complete:
        return Text("audit.possible_tried", values)
    return Text("audit.possible_face" if len(now.cards) == 1 else "audit.possible_worlds", values)


def _describe_disclosure(told_in: tuple[int, ...]) -> Text:
    return Text("audit.told_later", {"entries": listed(map(str, told_in))})
