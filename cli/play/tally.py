"""Keystroke statistics of a session."""

from collections import Counter
from collections.abc import Iterator

from domain.words import Lang, say

KEYS_GOAL = 3
"""Goal for the keys of an action."""


class KeystrokeCounts:
    """Keys per action. Passes are counted apart, because most actions are passes."""

    def __init__(self) -> None:
        self._acted: list[int] = []
        self._passed: list[int] = []

    def add(self, keys: int, *, passing: bool) -> None:
        (self._passed if passing else self._acted).append(keys)

    def lines(self, lang: Lang) -> Iterator[str]:
        counts = [*self._acted, *self._passed]
        share = _ratio(100 * sum(keys <= KEYS_GOAL for keys in counts), len(counts), 100.0)
        mean = _ratio(sum(counts), len(counts))
        yield say("play.count", lang, actions=len(counts), keys=sum(counts), mean=f"{mean:.2f}", share=f"{share:.1f}")
        acted, acted_keys = len(self._acted), sum(self._acted)
        alone, whole = f"{_ratio(acted_keys, acted):.2f}", f"{_ratio(sum(counts), acted):.2f}"
        yield say("play.count_acted", lang, passes=len(self._passed), acted=acted, alone=alone, whole=whole)
        for keys, n in sorted(Counter(counts).items()):
            yield say("play.count_row", lang, keys=keys, n=n)


def _ratio(total: float, count: int, default: float = 0.0) -> float:
    return total / count if count else default
