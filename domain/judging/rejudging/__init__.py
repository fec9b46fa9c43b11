"""Rejudging: a recorded match under other rules."""

from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.verdict import KINDS, Aligned, EntryDifference, Verdict, VerdictKind

__all__ = ("KINDS", "Aligned", "EntryDifference", "Unreadable", "Verdict", "VerdictKind", "rejudge")
