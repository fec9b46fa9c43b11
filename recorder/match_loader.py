"""A match from the store: its entries, the table they lead to, and the law by which it is played."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from domain.evidence import chain
from domain.law.entries import (
    Closed,
    Entry,
    Opened,
    Undealt,
    apply_told,
    entry_facts,
    fold_entries,
    opened_of,
    predecessor,
    tables_between,
)
from domain.law.game import Game
from domain.law.law import Law
from domain.law.record import Record
from domain.table.draft import Draft
from domain.table.table import Table, blank
from domain.words import Text
from recorder.answers import Unavailable
from recorder.imports import damage
from recorder.laws import Games, bare_law_of, law_of
from recorder.lru_cache import LruCache
from recorder.match_list import Damaged, damage_in
from recorder.sealing import match_ids, require_filed
from recorder.store import Store
from recorder.troubles import UNREAD, StoreError

__all__ = ["Games", "LoadedMatch", "Record", "cut", "extend", "law_of", "load_match"]

ENTRIES, OPENING = 64_000, 16
"""The matches kept of each store have so many entries at most, each opening counted as so many: one weighs 3 KB."""
TABLES, STRIDE = 4_096, 32
"""So many tables are kept of each store, those among them that stand after every so many entries of a match; one
weighs 5 KB at most, for tables share what did not change between them."""


class Folded(LruCache[tuple[str, int], Table]):
    """Tables by their match and the entry they stand after. A record only grows, and an entry of it is never changed:
    so is no table that it has led to. What is kept makes no match another one."""

    def __init__(self, most: int = TABLES) -> None:
        super().__init__(most)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Folded)

    def __hash__(self) -> int:
        return hash(Folded)


class LoadedMatch(Record, frozen=True):
    """A loaded match, all of it in memory. `table` is the one after the last of `entries`, by recorded facts."""

    id: str
    entries: tuple[Entry, ...]
    table: Table
    folded: Folded = field(default_factory=Folded)

    def after(self, number: int) -> Table:
        """The table after an entry, from the nearest on its way that is kept."""
        way: list[int] = []
        table, at = self.folded.get((self.id, number)), number
        while table is None and at > 0:
            way.append(at)
            at = predecessor(self.entries, at)
            table = self.folded.get((self.id, at))
        if table is not None and not way:
            return table
        draft = Draft(blank(self.opening.seats) if table is None else table)
        for at in reversed(way):
            apply_told(draft, entry_facts(self.entries[at - 1]))
            if at == number or at % STRIDE == 0:
                self.folded.keep((self.id, at), draft.freeze())
        return draft.freeze()

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


class _MatchCache:
    """The matches of a store that were used last, as they stood at a version, and tables of theirs."""

    def __init__(self) -> None:
        self.matches: LruCache[str, LoadedMatch] = LruCache(ENTRIES, lambda match: OPENING + match.version)
        self.bare: LruCache[str, LoadedMatch] = LruCache(ENTRIES, lambda match: OPENING + match.version)
        """Matches whose law is not known here: nobody who records may find them."""
        self.folded = Folded()

    def keep(self, match: LoadedMatch) -> LoadedMatch:
        return self.matches.keep(match.id, match, lambda before: before.version < match.version)


_MEMORIES: WeakKeyDictionary[Store, _MatchCache] = WeakKeyDictionary()


def _memory(store: Store) -> _MatchCache:
    return _MEMORIES.setdefault(store, _MatchCache())


def forget_matches(store: Store) -> None:
    """Drop the matches of a store from memory."""
    _MEMORIES.pop(store, None)
    store.forget_heads()


def _read_news(store: Store, known: LoadedMatch) -> tuple[Entry, ...] | None:
    """Return the entries after those in memory; None where another program took the match out of the store, or put
    another one in its place."""
    last, *news = store.read(known.id, after=known.version - 1) or (None,)
    return tuple(news) if last == known.entries[-1] else None


def load_match(store: Store, match: str, games: Games | None = None) -> LoadedMatch | Unavailable:
    """The match as it stands now, and the game and rules it is played by.

    It is held against physics as an import is, for a file can be damaged: what is no record is named by match and
    entry before anybody folds it. Raises StoreError.
    """
    known = _memory(store).matches.get(match)
    if known is not None:
        if (news := _read_news(store, known)) is not None:
            if news:
                _require_sound(store, match, (*known.entries, *news), known.game)
            return extend(store, known, news)
        forget_matches(store)
    read = _read(store, match, games)
    if read is None:
        return Unavailable(match, Text("match.none", {"match": repr(match), "store": store.name}))
    entries = read.require_sound()
    if isinstance(read.law, Text):
        return Unavailable(match, read.law)
    folded = _memory(store).folded
    return _memory(store).keep(
        LoadedMatch(id=match, entries=entries, table=fold_entries(entries), law=read.law, folded=folded)
    )


def load_sound(store: Store, match: str, games: Games | None = None) -> tuple[LoadedMatch | Unavailable, int]:
    """A match as far as it can be read, to be shown; and the entry from which on it cannot (0: it can to its end).

    Raises StoreError where nothing of it can.
    """
    try:
        return load_match(store, match, games), 0
    except StoreError as error:
        if error.trouble != "corrupt":
            raise
        read = _read(store, match, games)
        if read is None or not read.entries:
            raise
        if isinstance(read.law, Text):
            return Unavailable(match, read.law), error.entry
        # It is not remembered: whoever records finds the match as it is.
        return LoadedMatch(id=match, entries=read.entries, table=fold_entries(read.entries), law=read.law), error.entry


def read_sound(store: Store, match: str, games: Games | None = None) -> tuple[Entry, ...]:
    """Return the entries of a match before the first damaged one. Raises StoreError for a broken store."""
    try:
        read = _read(store, match, games)
    except StoreError as error:
        damage_in(match, error)
        return ()
    return () if read is None else read.entries


def damage_of(store: Store, match: str, games: Games | None = None) -> Damaged | None:
    """Return where the record of a match breaks; None for one that is whole, and for one that the store has not.

    Nothing in memory is asked. Raises StoreError for a broken store.
    """
    try:
        read = _read(store, match, games)
        if read is None:
            if match not in match_ids(store):
                return None
            raise store.gap(match, 1)
        read.require_sound()
        require_filed(store, match)
    except StoreError as error:
        return damage_in(match, error)
    return None


def load_bare(store: Store, match: str, games: Games | None = None) -> tuple[LoadedMatch, int]:
    """A match whose law is not known here, to be looked at and no more; and from which entry on it cannot be (0: none).

    Who sees what in it stands in its schema, which the program that recorded it took from the law that it knows. Raises
    StoreError where nothing of it can be read.
    """
    memory = _memory(store).bare
    known = memory.get(match)
    if known is not None and _read_news(store, known) == ():
        return known, 0
    read = _read(store, match, games)
    if read is None:
        raise store.gap(match, 1)
    error, entries = read.error, read.entries
    if error is not None and error.trouble != "corrupt":
        raise error
    law = bare_law_of(opened_of(entries), games)
    loaded = LoadedMatch(id=match, entries=entries, table=fold_entries(entries), law=law)
    return (memory.keep(match, loaded, lambda before: True), 0) if error is None else (loaded, error.entry)


def read_listed(store: Store, match: str, upto: int | None = None) -> tuple[tuple[Entry, ...], bytes]:
    """Return the entries of a match, for a list, and the head of their chain. Raises StoreError for a damaged match.

    Costs a third of a look at every entry: links cover all entries but the last. Physics is asked about all of them
    only where a link is missing or does not fit.
    """
    try:
        entries, states = store.read_with_bytes(match, upto)
    except StoreError as error:
        damage_in(match, error)
        if (read := _read(store, match, None)) is not None:
            read.require_sound()
        raise
    if not entries:
        return (), chain.START
    head, law = chain.follow_links(states), law_of(entries[0])
    since = 1 if head is None else len(entries)
    _require_sound(store, match, entries, None if isinstance(law, Text) else law.game, since)
    return entries, chain.fold(states) if head is None else head


class _Read(Struct, frozen=True):
    """The entries of a match before the first damaged one, its law or why there is none here, and what is damaged."""

    entries: tuple[Entry, ...]
    law: Law | Text
    error: StoreError | None = None

    def require_sound(self) -> tuple[Entry, ...]:
        """Return the entries. Raises the error of a damaged record."""
        if self.error is not None:
            raise self.error
        return self.entries


def _read(store: Store, match: str, games: Games | None) -> _Read | None:
    """Read a match and look for its first damaged entry; None if there is no such match.

    The only place that reads a record from its beginning for somebody who folds it: an entry that can be decoded is
    held against physics even if a later one cannot be. Raises StoreError where its first entry is damaged.
    """
    error = None
    try:
        entries = store.read(match)
    except StoreError as unread:
        if unread.trouble not in UNREAD or unread.entry < 2:
            raise
        error, entries = unread, store.read(match, upto=unread.entry - 1)
    if not entries:
        return None
    law = law_of(entries[0], games)
    headed = isinstance(entries[0], Opened)
    bad = damage(entries, None if isinstance(law, Text) else law.game) if headed else None
    if bad is None:
        return _Read(entries, law, error)
    error = store.damaged(match, bad.entry, bad.what)
    if bad.entry == 1:
        raise error
    return _Read(entries[: bad.entry - 1], law, error)


def _require_sound(store: Store, match: str, entries: Sequence[Entry], game: Game | None, since: int = 1) -> None:
    bad = damage(entries, game, since)
    if bad is not None:
        raise store.damaged(match, bad.entry, bad.what)


def cut(match: LoadedMatch, upto: int) -> LoadedMatch:
    """A match as it stood after an entry."""
    return replace(match, entries=match.entries[:upto], table=match.after(upto))


def extend(store: Store, match: LoadedMatch, news: Sequence[Entry], table: Table | None = None) -> LoadedMatch:
    """The match with entries that have just come behind it; `table` if it is known already."""
    if not news:
        return match
    entries = (*match.entries, *news)
    if table is None:
        *_, (_, _, _, table) = tables_between(entries, match.version + 1, len(entries), match.table)
    return _memory(store).keep(replace(match, entries=entries, table=table))
