"""The shuffles of many matches held against chance: where cards came to, and what stayed together.

What a single match's seed shows, nothing here doubts. But whoever chooses among seeds, or shuffles by hand, leaves
every single draw in order, and only many of them show it.
"""

from domain.judging.shuffles.counts import Counts, Group
from domain.judging.shuffles.testing import RATE, Case, Reach, Shuffles, Trial, judge_shuffles
from domain.judging.shuffles.told import LATER, OPENING, Shuffle, Told, shuffles

__all__ = (
    "LATER", "OPENING", "RATE", "Case", "Counts", "Group", "Reach", "Shuffle", "Shuffles", "Trial", "Told",
    "judge_shuffles", "shuffles",
)  # fmt: skip
