"""Which part of this program reads a corpus that lies elsewhere; each is loaded when it is needed."""

import os
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from corpus import troubles
from corpus.ranges import Ranges
from corpus.troubles import AddressError
from recorder.extras import MissingExtra, load_extra

WEB: Final = ("http", "https")
OPEN_MAX: Final = 4
"""Of how many corpora bytes are kept."""
_ALONE = Lock()


def reach(name: str) -> Ranges:
    """The bytes of a corpus by its name; what was read of the same before is kept. Raises AddressError."""
    if name.endswith("/"):
        raise troubles.away("folder", name)
    with _ALONE:
        ranges = _reached(name, os.getpid())
        if ranges.fresh:
            ranges.fresh = False
        elif not ranges.is_same():
            _reached.cache_clear()
            ranges = _reached(name, os.getpid())
        return ranges


@lru_cache(OPEN_MAX)
def _reached(name: str, process: int) -> Ranges:
    web = name.partition("://")[0].lower() in WEB
    origin = load("corpus.web:Web" if web else "corpus.filesystems:Filesystem")(name)
    return Ranges(name, origin)


def database(ranges: Ranges, longest: int) -> Any:
    """A database of these bytes, in which no value is longer. Raises AddressError."""
    return load("corpus.vfs:Database")(ranges, longest)


def load(where: str) -> Any:
    """What needs the extra `remote`. Raises AddressError where it is not installed: nothing is reached then."""
    try:
        return load_extra(where, "remote")
    except MissingExtra as error:
        raise AddressError(error.text) from None
