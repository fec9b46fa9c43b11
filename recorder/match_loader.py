"""Load matches from the store: the entries, the table they lead to, and the law."""

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
    apply_facts,
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
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat, Table, blank
from domain.words import Text
from recorder.answers import Unavailable
from recorder.imports import find_damage
from recorder.laws import Games, bare_law_of, law_of
from recorder.lru_cache import LruCache
from recorder.match_list import DamagedMatch, damage_in
from recorder.sealing import match_ids, require_filed
from recorder.store import Store
from recorder.troubles import UNREAD, StoreError

__all__ = ["Games", "LoadedMatch", "Record", "truncate", "extend", "law_of", "load_match"]

ENTRIES_MAX, OPENING_WEIGHT = 64_000, 16
"""Limit of the matches cached per store, in entries, and the weight of an opening in entries. An entry weighs 3 KB."""
TABLES, STRIDE = 4_096, 32
"""Tables cached per store, and the distance in entries between those of a match. A table weighs 5 KB at most, because
tables share unchanged parts."""


class TableCache(LruCache[tuple[str, int], Table]):
    """A cache of tables by match and entry number, and of `viewers` by match and seat. All caches compare equal, so
    that they make no two matches differ. Records are append-only, so a cached table never becomes stale."""

    def __init__(self, most: int = TABLES) -> None:
        super().__init__(most)
        self.viewers: LruCache[tuple[str, Seat], TableViewer] = LruCache(most)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableCache)

    def __hash__(self) -> int:
        return hash(TableCache)


class LoadedMatch(Record, frozen=True):
    """A match in memory. `table` is the one after its last entry."""

    id: str
    entries: tuple[Entry, ...]
    table: Table
    folded: TableCache = field(default_factory=TableCache)

    def after(self, number: int) -> Table:
        """Return the table after an entry, folded from the nearest cached one."""
        path: list[int] = []
        table, at = self.folded.get((self.id, number)), number
        while table is None and at > 0:
            path.append(at)
            at = predecessor(self.entries, at)
            table = self.folded.get((self.id, at))
        if table is not None and not path:
            return table
        draft = Draft(blank(self.opening.seats) if table is None else table)
        for at in reversed(path):
            apply_facts(draft, entry_facts(self.entries[at - 1]))
            if at == number or at % STRIDE == 0:
                self.folded.put((self.id, at), draft.freeze())
        return draft.freeze()

    def eyes(self, viewer: Seat = SPECTATOR) -> TableViewer:
        """Return the view of a viewer as `Record.eyes` does. One that does not depend on the entries is cached with its
        last table."""
        if viewer == JUDGE:
            return super().eyes(viewer)
        return self.folded.viewers.make((self.id, viewer), lambda: super(LoadedMatch, self).eyes(viewer))

    @property
    def undealt(self) -> bool:
        """True if the match is played with real cards, which no croupier deals."""
        return isinstance(self.entries[0], Undealt)

    @property
    def version(self) -> int:
        return len(self.entries)

    @property
    def closed(self) -> bool:
        """True if the record is complete."""
        return isinstance(self.entries[-1], Closed)


class _MatchCache:
    """Recently used matches of a store, and tables of them."""

    def __init__(self) -> None:
        self.matches: LruCache[str, LoadedMatch] = LruCache(ENTRIES_MAX, lambda match: OPENING_WEIGHT + match.version)
        self.bare: LruCache[str, LoadedMatch] = LruCache(ENTRIES_MAX, lambda match: OPENING_WEIGHT + match.version)
        """Matches whose law is unknown here; they must never be recorded to."""
        self.folded = TableCache()

    def keep(self, match: LoadedMatch) -> LoadedMatch:
        return self.matches.put(match.id, match, lambda before: before.version < match.version)


_CACHES: WeakKeyDictionary[Store, _MatchCache] = WeakKeyDictionary()


def _cache_of(store: Store) -> _MatchCache:
    return _CACHES.setdefault(store, _MatchCache())


def forget_matches(store: Store) -> None:
    _CACHES.pop(store, None)
    store.forget_heads()


def _read_new_entries(store: Store, known: LoadedMatch) -> tuple[Entry, ...] | None:
    """Return the entries after those in memory, or None if another program removed or replaced the match."""
    last, *news = store.read(known.id, after=known.version - 1) or (None,)
    return tuple(news) if last == known.entries[-1] else None


def load_match(store: Store, match: str, games: Games | None = None) -> LoadedMatch | Unavailable:
    """Return the current match with its game and rules. A file can be damaged, so physics is checked as for an import
    before the entries are folded. Raises StoreError with the match and entry."""
    known = _cache_of(store).matches.get(match)
    if known is not None:
        if (news := _read_new_entries(store, known)) is not None:
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
    folded = _cache_of(store).folded
    return _cache_of(store).keep(
        LoadedMatch(id=match, entries=entries, table=fold_entries(entries), law=read.law, folded=folded)
    )


def load_sound(store: Store, match: str, games: Games | None = None) -> tuple[LoadedMatch | Unavailable, int]:
    """Return the undamaged part of a match for display, and its first damaged entry (0 for none). Raises StoreError if
    no part can be read."""
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
        # Not cached, because recording must see the damage.
        return LoadedMatch(id=match, entries=read.entries, table=fold_entries(read.entries), law=read.law), error.entry


def read_sound(store: Store, match: str, games: Games | None = None) -> tuple[Entry, ...]:
    """Return the entries of a match before the first damaged one. Raises StoreError for a broken store."""
    try:
        read = _read(store, match, games)
    except StoreError as error:
        damage_in(match, error)
        return ()
    return () if read is None else read.entries


def damage_of(store: Store, match: str, games: Games | None = None) -> DamagedMatch | None:
    """Return the damage of a match, or None if it is sound or not in the store. Caches are bypassed. Raises StoreError
    for a broken store."""
    try:
        read = _read(store, match, games)
        if read is None:
            if match not in match_ids(store):
                return None
            raise store.make_gap_error(match, 1)
        read.require_sound()
        require_filed(store, match)
    except StoreError as error:
        return damage_in(match, error)
    return None


def load_bare(store: Store, match: str, games: Games | None = None) -> tuple[LoadedMatch, int]:
    """Return a match with an unknown law for display, and its first damaged entry (0 for none). Visibility follows its
    schema, which the recording program derived from the law. Raises StoreError if no part can be read."""
    cache = _cache_of(store).bare
    known = cache.get(match)
    if known is not None and _read_new_entries(store, known) == ():
        return known, 0
    read = _read(store, match, games)
    if read is None:
        raise store.make_gap_error(match, 1)
    error, entries = read.error, read.entries
    if error is not None and error.trouble != "corrupt":
        raise error
    law = bare_law_of(opened_of(entries), games)
    loaded = LoadedMatch(id=match, entries=entries, table=fold_entries(entries), law=law)
    return (cache.put(match, loaded, lambda before: True), 0) if error is None else (loaded, error.entry)


def read_listed(store: Store, match: str, upto: int | None = None) -> tuple[tuple[Entry, ...], bytes]:
    """Return the entries of a match for a list, and the head of its chain. Raises StoreError for a damaged match.

    Costs a third of a full check. Links cover all entries but the last, so physics is checked for all only if a link is
    missing or broken.
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
    return entries, chain.compute_head(states) if head is None else head


class _Read(Struct, frozen=True):
    """The undamaged entries of a match, its law or why it is unavailable, and the damage."""

    entries: tuple[Entry, ...]
    law: Law | Text
    error: StoreError | None = None

    def require_sound(self) -> tuple[Entry, ...]:
        """Return the entries. Raises the error of a damaged record."""
        if self.error is not None:
            raise self.error
        return self.entries


def _read(store: Store, match: str, games: Games | None) -> _Read | None:
    """Read a match up to its first damaged entry, or return None if there is no such match.

    Every record that is folded is read here first. Decodable entries are checked by physics even if a later one is not
    decodable. Raises StoreError if the first entry is damaged.
    """
    error = None
    try:
        entries = store.read(match)
    except StoreError as read_error:
        if read_error.trouble not in UNREAD or read_error.entry < 2:
            raise
        error, entries = read_error, store.read(match, upto=read_error.entry - 1)
    if not entries:
        return None
    law = law_of(entries[0], games)
    has_opening = isinstance(entries[0], Opened)
    bad = find_damage(entries, None if isinstance(law, Text) else law.game) if has_opening else None
    if bad is None:
        return _Read(entries, law, error)
    error = store.make_damage_error(match, bad.entry, bad.what)
    if bad.entry == 1:
        raise error
    return _Read(entries[: bad.entry - 1], law, error)


def _require_sound(store: Store, match: str, entries: Sequence[Entry], game: Game | None, since: int = 1) -> None:
    bad = find_damage(entries, game, since)
    if bad is not None:
        raise store.make_damage_error(match, bad.entry, bad.what)


def truncate(match: LoadedMatch, upto: int) -> LoadedMatch:
    """Return a match as of an entry."""
    return replace(match, entries=match.entries[:upto], table=match.after(upto))


def extend(store: Store, match: LoadedMatch, news: Sequence[Entry], table: Table | None = None) -> LoadedMatch:
    """Return the match with new entries appended, and cache it. `table` is the new table if known already."""
    if not news:
        return match
    entries = (*match.entries, *news)
    if table is None:
        *_, (_, _, _, table) = tables_between(entries, match.version + 1, len(entries), match.table)
    return _cache_of(store).keep(replace(match, entries=entries, table=table))
