"""Rejudging: a recorded match under other rules."""

from projections.rejudging.rejudge import Unreadable, rejudge
from projections.rejudging.verdict import KINDS, Aligned, Difference, Verdict, VerdictKind

__all__ = ("KINDS", "Aligned", "Difference", "Unreadable", "Verdict", "VerdictKind", "rejudge")
