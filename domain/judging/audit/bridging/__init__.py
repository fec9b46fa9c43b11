"""Looks for actions that lead across a gap of a record: from the table before it to what is told of it.

What nobody could tell apart before the gap is one and the same here: unknown cards of a closed hand or pile. What is
told of a gap is what was seen to be different behind it; other things may be different too, and then it is possible
that these actions were played, but the record goes on without what else they led to.
"""

from domain.judging.audit.bridging.across import Bridge, Bridged, Bridging, Unbridged, Unsearched, bridge
from domain.judging.audit.bridging.searching import TABLES_MAX, Ground, Step, Why
from domain.judging.audit.bridging.wanted import start_of

__all__ = (
    "Bridge", "Bridged", "Bridging", "Ground", "Step", "TABLES_MAX", "Unbridged", "Unsearched", "Why", "bridge",
    "start_of",
)  # fmt: skip
