"""Audit a record: decide each recorded action again on the table of recorded facts.

One error yields one finding. Where record and law differ, the audit keeps both tables and checks each later entry on
both. The tables that fit best stay. If the law's table stays, only that one entry was recorded wrongly.
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
from domain.judging.audit.auditing import AuditRun, audit, fairness
from domain.judging.audit.comparing import compared, differences
from domain.judging.audit.croupier import dealt
from domain.judging.audit.entry_decider import hide_set_up

__all__ = (
    "Audit", "AuditRun", "Certainty", "Fairness", "AuditFinding", "FindingKind", "audit",
    "changed", "compared", "dealt", "differences",
    "fairness", "hide_set_up", "same_finding",
)  # fmt: skip
