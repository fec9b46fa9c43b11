"""A thread-safe cache with least-recently-used eviction."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by key. The least recently used are evicted when the total weight exceeds `most`."""

    def __init__(self, most: int, weigh: Callable[[V], int] = lambda value: 1) -> None:
        self.weight_max, self.weight = most, 0
        self._weigh = weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: V, instead: Callable[[V], bool] = lambda before: False) -> V:
        """Store a value unless the key has one, and return the value in the cache. `instead` decides whether the new
        value replaces the one before."""
        with self._lock:
            before = self._values.get(key)
            if before is not None:
                if not instead(before):
                    return before
                self.weight -= self._weigh(before)
            self._values[key] = value
            self._values.move_to_end(key)
            self.weight += self._weigh(value)
            while self.weight > self.weight_max:
                _, evicted = self._values.popitem(last=False)
                self.weight -= self._weigh(evicted)
            return value

    def take(self, key: K) -> V | None:
        """Remove a value from the cache and return it, so that no other caller uses it."""
        with self._lock:
            value = self._values.pop(key, None)
            if value is not None:
                self.weight -= self._weigh(value)
            return value

    def make(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, creating it if missing. Concurrent callers may both create it."""
        value = self.get(key)
        return self.put(key, make()) if value is None else value
