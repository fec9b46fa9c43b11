"""Background thread that keeps the search index up to date."""

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from recorder.finding.index_follower import SearchIndex
from recorder.store import StoreError

LOG: Final = logging.getLogger(__name__)
THREAD_NAME: Final = "following"
POLL_S: Final = 5.0
"""Seconds between polls of the store, which other programs may change."""
IDLE_POLL_S: Final = 60.0
"""The same if the database notifies us of other writers."""
BATCH_S: Final = 0.05
"""Seconds in which wakes are handled together."""


class IndexFollower:
    """A thread that indexes new matches, one at a time, whenever it is woken."""

    def __init__(self, search_index: SearchIndex, has_notifications: Callable[[], bool]) -> None:
        self._search_index, self._has_notifications = search_index, has_notifications
        self._woken, self._stopped = Event(), Event()
        self._thread = Thread(target=self._follow, name=THREAD_NAME, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self, match: str = "") -> None:
        self._woken.set()

    def stop(self) -> None:
        """Stop after the current match."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                if self._search_index.catch_up(most=1):
                    self._woken.wait(IDLE_POLL_S if self._has_notifications() else POLL_S)
                    self._stopped.wait(BATCH_S)
                    self._woken.clear()
            except StoreError as error:
                LOG.error("%s", error.text)
                self._stopped.wait(POLL_S)
            except Exception:  # log it: a background thread has no caller
                LOG.exception("the search index cannot be updated")
                self._stopped.wait(POLL_S)
