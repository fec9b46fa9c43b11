"""What was made once and may be asked for again: the last of it is remembered, from any thread."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by their keys; where they weigh more than `most` together (each 1 if not told otherwise), those not used
    for longest are let go."""

    def __init__(self, most: int, weigh: Callable[[V], int] = lambda value: 1) -> None:
        self.most, self.size = most, 0
        self._weigh = weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of a key, if it is still there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: K, value: V, instead: Callable[[V], bool] = lambda before: False) -> V:
        """Keep a value; what was kept for the key first stays, unless this is to be kept `instead`. What is kept."""
        with self._lock:
            before = self._values.get(key)
            if before is not None:
                if not instead(before):
                    return before
                self.size -= self._weigh(before)
            self._values[key] = value
            self._values.move_to_end(key)
            self.size += self._weigh(value)
            while self.size > self.most:
                _, gone = self._values.popitem(last=False)
                self.size -= self._weigh(gone)
            return value

    def make(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not there. Two who ask at once may both have made it."""
        kept = self.get(key)
        return self.keep(key, make()) if kept is None else kept
