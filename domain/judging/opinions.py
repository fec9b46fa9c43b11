"""The law's opinion on one entry, in the form that a ruling records."""

from collections.abc import Sequence

from domain.judging.audit import AuditFinding, audit
from domain.judging.rejudging.skipping import code_digest
from domain.law.disputes import Opinion
from domain.law.record import Record


def audit_entry(record: Record, number: int) -> tuple[AuditFinding, ...]:
    """Return the audit findings of one entry under the record's own rules."""
    findings = audit(record.game, record.entries[:number]).findings
    return tuple(finding for finding in findings if finding.entry == number)


def form_opinion(record: Record, findings: Sequence[AuditFinding]) -> Opinion:
    """Return this program's opinion on an entry, from its first certain finding."""
    law = code_digest(record.game.key)
    finding = next((finding for finding in findings if finding.certainty == "certain"), None)
    if finding is None:
        return Opinion(law)
    clauses = dict.fromkeys((finding.clause, *(consulted.clause for consulted in finding.broken)))
    return Opinion(law, finding.kind, tuple(clauses))
