"""What is held of an entry while a record is audited."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.audit.audit_findings import AuditFinding
from domain.law.clause import Consulted
from domain.law.game import Game
from domain.law.worlds import Worlds
from domain.table.table import CardId, Table
from domain.words import Text, listed

EXACT, CLOSE, APART = 0, 1, 2
"""How well an entry fits a table: to the letter · in all that is compared · not."""


class EntryAudit(Struct, frozen=True):
    """One entry looked at: the tables it may have led to, the record's own first; how well it fits; what is wrong."""

    tables: tuple[Table, ...]
    finding: AuditFinding | None = None
    fit: int = EXACT


class AuditPosition(Struct, frozen=True):
    """What stands behind an entry: the table of recorded facts, and those from which the record may go on."""

    record: Table
    tables: tuple[Table, ...]


class Verdicts(Struct, frozen=True):
    """What is wrong with one entry in each world, None where nothing is; `known` are cards that are the same in all."""

    findings: tuple[AuditFinding | None, ...]
    worlds: Worlds
    known: tuple[CardId, ...] = ()

    @property
    def wrong(self) -> tuple[AuditFinding, ...]:
        """What is wrong, in the worlds in which something is."""
        return tuple(finding for finding in self.findings if finding is not None)

    @property
    def all_wrong(self) -> bool:
        """Is it wrong whatever the cards are?"""
        return self.worlds.complete and bool(self.findings) and None not in self.findings

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The cards that make the difference."""
        return tuple(card for card in self.worlds.cards if card not in self.known)


def combine(
    game: Game, number: int, now: Verdicts, then: Verdicts | None = None, told_in: tuple[int, ...] = ()
) -> AuditFinding | None:
    """One finding of what is wrong in the worlds that are left, if anything is.

    `then` is what was wrong in those that were left when the entry was entered, `told_in` are the entries that told
    since what some of the cards are.
    """
    if told_in and now.all_wrong and all(finding.kind == "flag" for finding in now.wrong):
        return replace(_shared(now.wrong), certainty="excluded", detail=_told_later(told_in))
    if now.wrong:
        finding = _shared(now.wrong)
        if not now.all_wrong:
            return replace(finding, certainty="possible", detail=_how_many(now))
        return replace(finding, detail=_told_later(told_in)) if told_in else finding
    if not now.worlds.complete:
        return _untried(game, number, now)
    if then is not None and then.wrong:
        return replace(_shared(then.wrong), certainty="excluded", detail=_told_later(told_in))
    return None


def _shared(wrong: Sequence[AuditFinding]) -> AuditFinding:
    """The finding by the clause that all share, else by the first one's; of the rest what is the same in all."""
    first = wrong[0]
    named = [dict.fromkeys((finding.clause, *(step.clause for step in finding.broken))) for finding in wrong]
    shared = [clause for clause in named[0] if all(clause in clauses for clauses in named)]
    broken = first.broken
    if any(finding.broken != broken for finding in wrong):
        broken = tuple(Consulted(clause, False) for clause in shared or (first.clause,))
    alike = all((finding.missing, finding.extra) == (first.missing, first.extra) for finding in wrong)
    return replace(
        first,
        clause=shared[0] if shared else first.clause,
        broken=broken,
        missing=first.missing if alike else (),
        extra=first.extra if alike else (),
    )


def _untried(game: Game, number: int, now: Verdicts) -> AuditFinding:
    """Nothing is wrong in the worlds that were tried, but there are others."""
    detail = Text("audit.untried", {"of": len(now.findings), "cards": listed(f"#{card}" for card in now.cards)})
    return AuditFinding(entry=number, kind="not_allowed", clause=game.by_hand, certainty="possible", detail=detail)


def _how_many(now: Verdicts) -> Text:
    """In how many of the worlds it is wrong: of one card, with how many of the faces it can have."""
    clauses = listed(dict.fromkeys(str(finding.clause) for finding in now.wrong))
    cards = listed(f"#{card}" for card in now.cards)
    values = {"n": len(now.wrong), "of": len(now.findings), "cards": cards, "clauses": clauses}
    if not now.worlds.complete:
        return Text("audit.possible_tried", values)
    return Text("audit.possible_face" if len(now.cards) == 1 else "audit.possible_worlds", values)


def _told_later(told_in: tuple[int, ...]) -> Text:
    return Text("audit.told_later", {"entries": listed(map(str, told_in))})
