"""Holds a record against the law: per entry the recorded action is decided again on the table of recorded facts.

One error is one finding. Where record and law part, both tables are kept, and whatever follows is judged on each: the
tables that it fits best go on. If that is the law's table, the record was wrong at that one entry, and nothing more is
found.
"""

from domain.judging.audit.audit_findings import (
    Audit,
    AuditFinding,
    Certainty,
    Fairness,
    FindingKind,
    changed,
    same_finding,
)
from domain.judging.audit.auditing import audit, fairness
from domain.judging.audit.comparing import compared, differences
from domain.judging.audit.croupier import dealt
from domain.judging.audit.entry_decider import hide_set_up

__all__ = (
    "Audit", "Certainty", "Fairness", "AuditFinding", "FindingKind", "audit",
    "changed", "compared", "dealt", "differences",
    "fairness", "hide_set_up", "same_finding",
)  # fmt: skip
