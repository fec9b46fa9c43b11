"""Ruling form: the proposal of the findings and the policy, and the remedies a judge may choose."""

from typing import Literal

from msgspec import Struct

from domain.judging.proposals import VERDICT_OF, explain_rewind_excess
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import line
from domain.law.policy import Policy, policy_of
from projections.disputes import SeenDispute
from service.access import may
from service.context import MatchView
from service.disputes.finding_pages import list_findings
from service.pages import translate
from service.requests import Request


class Proposal(Struct, frozen=True):
    verdict: D.Verdict | Literal[""]
    clauses: tuple[Clause, ...]
    mend: D.RepairKind
    says: str


def list_mendings(request: Request, view: MatchView) -> tuple[D.RepairKind, ...]:
    goes_back: D.RepairKind = "rewind" if may(request.session, "approve_rewind", view.match.id) else "ask"
    return ("leave", goes_back, "by_hand")


def ruling_rewound(view: MatchView, dispute: int) -> tuple[int, int]:
    """Return the last ruling on a dispute and the entry of its rewind; zeros if it made none."""
    rulings = [
        (number, entry.repair)
        for number, entry in enumerate(view.match.entries, start=1)
        if isinstance(entry, D.Ruled) and entry.dispute == dispute
    ]
    number, repair = rulings[-1] if rulings else (0, D.LEAVE)
    return (number, repair.to) if repair.kind == "rewind" else (0, 0)


def propose_ruling(request: Request, view: MatchView, dispute: SeenDispute, *, judges: bool) -> Proposal:
    """Propose a ruling from the findings on the disputed entry and from the match's policy."""
    match, matter = view.match, dispute.matter
    number = matter.entry if judges else 0
    found = [each.finding for each in (list_findings(request, view) if number else ()) if each.finding.entry == number]
    none: D.Verdict | Literal[""] = ""
    verdict = next((VERDICT_OF[finding.kind] for finding in found if finding.kind in VERDICT_OF), none)
    clauses = tuple(dict.fromkeys(clause for clause in (matter.clause, *(each.clause for each in found)) if clause))
    policy = policy_of(match.opening.policy)
    if not found or number < 2 or number not in line(match.entries) or not isinstance(policy, Policy):
        return Proposal(verdict, clauses, "leave", "")
    far = explain_rewind_excess(policy, match, number - 1)
    if far is not None:
        return Proposal(
            verdict, clauses, "leave", translate(request, "disputes.propose_leave", why=far.say(request.lang))
        )
    return Proposal(
        verdict, clauses, list_mendings(request, view)[1], translate(request, "disputes.propose_rewind", n=number - 1)
    )
