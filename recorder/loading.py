"""A match from the store: its entries, the table they lead to, and the law by which it is played."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from domain.law.entries import Closed, Entry, Rewound, Undealt, fold_entries, follow
from domain.law.game import Game
from domain.law.record import Record
from domain.table.table import Table
from domain.words import Text
from recorder.answers import Unavailable
from recorder.imports import damage
from recorder.laws import Games, law_of
from recorder.store import Store

__all__ = ["Games", "Match", "Record", "cut", "extend", "law_of", "load_match"]

REMEMBERED = 64
"""How many folded matches are kept for each store."""


class Match(Record, frozen=True):
    """A loaded match, all of it in memory. `table` is the one after the last of `entries`, by recorded facts."""

    id: str
    entries: tuple[Entry, ...]
    table: Table

    @property
    def undealt(self) -> bool:
        """Is it played with real cards, that no croupier deals?"""
        return isinstance(self.entries[0], Undealt)

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def closed(self) -> bool:
        """Is the record complete?"""
        return isinstance(self.entries[-1], Closed)


class _Memory:
    """The matches used last, as they stood at a version; tables are immutable, so they may be shared."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Match] = OrderedDict()
        self._lock = Lock()

    def get(self, match: str) -> Match | None:
        with self._lock:
            if match in self._kept:
                self._kept.move_to_end(match)
            return self._kept.get(match)

    def keep(self, match: Match) -> None:
        with self._lock:
            before = self._kept.get(match.id)
            if before is None or before.version <= match.version:
                self._kept[match.id] = match
            self._kept.move_to_end(match.id)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


_MEMORIES: WeakKeyDictionary[Store, _Memory] = WeakKeyDictionary()


def _memory(store: Store) -> _Memory:
    return _MEMORIES.setdefault(store, _Memory())


def load_match(store: Store, match: str, games: Games | None = None) -> Match | Unavailable:
    """The match as it stands now, and the game and rules it is played by.

    It is held against physics as an import is, for a file can be damaged: what is no record is named by match and
    entry before anybody folds it. Raises StoreError.
    """
    known = _memory(store).get(match)
    if known is not None:
        if news := store.read(match, after=known.version):
            _sound(store, match, (*known.entries, *news), known.game)
        return extend(store, known, news)
    entries = store.read(match)
    if not entries:
        return Unavailable(match, Text("match.none", {"match": repr(match), "store": store.name}))
    law = law_of(entries[0], games)
    if isinstance(law, Text):
        return Unavailable(match, law)
    _sound(store, match, entries, law.game)
    loaded = Match(id=match, entries=entries, table=fold_entries(entries), law=law)
    _memory(store).keep(loaded)
    return loaded


def _sound(store: Store, match: str, entries: Sequence[Entry], game: Game) -> None:
    bad = damage(entries, game)
    if bad is not None:
        raise store.damaged(match, bad.entry, bad.what)


def cut(match: Match, upto: int) -> Match:
    """A match as it stood after an entry."""
    return replace(match, entries=match.entries[:upto], table=fold_entries(match.entries, upto))


def extend(store: Store, match: Match, news: Sequence[Entry], table: Table | None = None) -> Match:
    """The match with entries that have just come behind it; `table` if it is known already."""
    if not news:
        return match
    entries = (*match.entries, *news)
    if table is None:
        table = match.table
        for number, entry in enumerate(news, start=match.version + 1):
            # A rewind tells nothing: it leads to a table before it.
            table = fold_entries(entries[:number]) if isinstance(entry, Rewound) else follow(table, entry)
    grown = replace(match, entries=entries, table=table)
    _memory(store).keep(grown)
    return grown
