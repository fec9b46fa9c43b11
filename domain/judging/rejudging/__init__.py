"""Rejudging: a recorded match under other rules."""

from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.verdict import KINDS, Aligned, Difference, Verdict, VerdictKind

__all__ = ("KINDS", "Aligned", "Difference", "Unreadable", "Verdict", "VerdictKind", "rejudge")
