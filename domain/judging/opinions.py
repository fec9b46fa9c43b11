"""What the law itself says of one entry of a record, in the form in which a ruling keeps it."""

from domain.judging.audit import audit
from domain.judging.rejudging.skipping import code_digest
from domain.law.disputes import Opinion
from domain.law.record import Record


def opine(record: Record, number: int) -> Opinion:
    """The law's opinion on an entry, as this program has it, under the record's own rules."""
    findings = audit(record.game, record.entries[:number]).findings
    finding = next((finding for finding in findings if finding.entry == number), None)
    law = code_digest(record.game.key)
    if finding is None:
        return Opinion(law)
    clauses = dict.fromkeys((finding.clause, *(consulted.clause for consulted in finding.broken)))
    return Opinion(law, finding.kind, tuple(clauses))
