"""What the law itself says of one entry of a record, in the form in which a ruling keeps it."""

from collections.abc import Sequence

from domain.judging.audit import AuditFinding, audit
from domain.judging.rejudging.skipping import code_digest
from domain.law.disputes import Opinion
from domain.law.record import Record


def find_against(record: Record, number: int) -> tuple[AuditFinding, ...]:
    """What the law finds in an entry, under the record's own rules."""
    findings = audit(record.game, record.entries[:number]).findings
    return tuple(finding for finding in findings if finding.entry == number)


def opine(record: Record, findings: Sequence[AuditFinding]) -> Opinion:
    """The law's opinion on an entry in which this was found, as this program has it: of what is only possible none."""
    law = code_digest(record.game.key)
    finding = next((finding for finding in findings if finding.certainty == "certain"), None)
    if finding is None:
        return Opinion(law)
    clauses = dict.fromkeys((finding.clause, *(consulted.clause for consulted in finding.broken)))
    return Opinion(law, finding.kind, tuple(clauses))
