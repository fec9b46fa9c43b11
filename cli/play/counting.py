"""How many keys each recorded action took."""

from collections import Counter

FEW = 3
"""A scorekeeper should need no more."""


class Counts:
    """Keys per action of this session."""

    def __init__(self) -> None:
        self._keys: list[int] = []

    def add(self, keys: int) -> None:
        """An action was recorded after so many keys."""
        self._keys.append(keys)

    @property
    def actions(self) -> int:
        """How many actions."""
        return len(self._keys)

    def summary(self) -> dict[str, object]:
        """The values of the line that sums it up."""
        total = sum(self._keys)
        mean = total / len(self._keys) if self._keys else 0.0
        few = sum(keys <= FEW for keys in self._keys)
        share = 100 * few / len(self._keys) if self._keys else 100.0
        return {"actions": self.actions, "keys": total, "mean": f"{mean:.2f}", "share": f"{share:.1f}"}

    def rows(self) -> list[tuple[int, int]]:
        """How many actions took how many keys."""
        return sorted(Counter(self._keys).items())
