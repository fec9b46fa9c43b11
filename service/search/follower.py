"""Who follows the store in the background, so that whoever asks the finder finds it there already."""

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from recorder.finding.index_follower import SearchIndex
from recorder.store import StoreError

LOG: Final = logging.getLogger(__name__)
NAME: Final = "following"
"""Of its thread."""
PAUSE: Final = 5.0
"""Seconds after which the store is looked at again: other programs record in it too."""
CALM: Final = 60.0
"""The same where it is told that they do."""
NEAR: Final = 0.05
"""Whatever wakes it within so many seconds is looked at at once."""


class Following:
    """A thread that brings a finder up to its store, a match at a time, whenever it is woken."""

    def __init__(self, finder: SearchIndex, hears: Callable[[], bool]) -> None:
        self._finder, self._hears = finder, hears
        self._woken, self._stopped = Event(), Event()
        self._thread = Thread(target=self._follow, name=NAME, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self, match: str = "") -> None:
        """Something was recorded."""
        self._woken.set()

    def stop(self) -> None:
        """End, behind the match that is looked at just now."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                if self._finder.catch_up(most=1):
                    self._woken.wait(CALM if self._hears() else PAUSE)
                    self._stopped.wait(NEAR)
                    self._woken.clear()
            except StoreError as error:
                LOG.error("%s", error.text)
                self._stopped.wait(PAUSE)
            except Exception:  # what follows in the background has nobody to tell
                LOG.exception("the store cannot be followed")
                self._stopped.wait(PAUSE)
