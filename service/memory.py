"""What was drawn, kept as bytes: those used last, up to a size. Used by many threads."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock


class Memory:
    """Bytes by their key; beyond `most` bytes in all, those not used for longest are let go."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> bytes | None:
        """The bytes of a key, if they are still there."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def keep(self, key: Hashable, drawn: bytes) -> bytes:
        """Keep bytes; those that were kept for the key first stay, and are given back."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                return kept
            self._kept[key] = drawn
            self.size += len(drawn)
            while self.size > self.most:
                _, gone = self._kept.popitem(last=False)
                self.size -= len(gone)
            return drawn
