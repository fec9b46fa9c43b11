"""Match summaries for lists. Only new entries are read, and nothing for unchanged matches."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.evidence import chain
from domain.law.entries import Entry, Rewound, opened_of
from projections.tables import (
    JudgeCall,
    OpenRewindRequest,
    TableStatus,
    describe_opening,
    read_table_status,
    update_table_status,
)
from recorder.lru_cache import LruCache
from recorder.match_list import damage_in
from recorder.match_loader import read_listed
from recorder.remarks import Call, RewindRequest, find_rewind_request, open_calls
from recorder.store import Store, StoreError

MATCHES_MAX: Final = 4_096


class MatchSummary(Struct, frozen=True):
    """A match after a number of entries: its summary, open calls, times of the entries, and chain head.

    `rewind_request` is the open one. `opening` holds the table, round and players only.
    """

    table: TableStatus
    opening: TableStatus
    calls: tuple[Call, ...]
    rewind_request: RewindRequest | None
    times: tuple[int, ...]
    head: bytes


class MatchSummaries:
    """Cached summaries of a store's matches, with a second cache for delayed viewers. A damaged match is summarised up
    to its first damaged entry. Raises StoreError if that is the opening."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._newest: LruCache[str, MatchSummary] = LruCache(MATCHES_MAX)
        self._due: LruCache[str, MatchSummary] = LruCache(MATCHES_MAX)

    def read(self, match: str, version: int, until: int | None = None) -> TableStatus | None:
        """Return the summary of a match at this version, or before its first entry later than `until`."""
        if not version:
            return None
        newest = self._look(self._newest, match, version)
        if until is None:
            return newest.table
        before = self._due.get(match)
        due = 0 if before is None else before.table.entries
        while due < min(version, len(newest.times)) and newest.times[due] <= until:
            due += 1
        if due == newest.table.entries and not newest.table.damaged:
            return self._due.put(match, newest, lambda other: other.table.entries < due).table
        return replace(self._look(self._due, match, due).table, damaged=newest.table.damaged) if due else None

    def read_opening(self, match: str, version: int) -> TableStatus | None:
        """Return what may be known of a match without seeing any entry: its table, round and players, and the timer of
        the round at this version. None for a damaged match and a branch, which belong to no round."""
        if not version:
            return None
        newest = self._look(self._newest, match, version)
        alone = newest.table.damaged or newest.table.parent
        return None if alone else replace(newest.opening, timer=newest.table.timer)

    def _look(self, cache: LruCache[str, MatchSummary], match: str, upto: int) -> MatchSummary:
        before = cache.get(match)
        if before is not None and before.table.entries >= upto:
            return before
        try:
            summary = self._follow(before, match, upto) or _begin(match, *read_listed(self._store, match, upto))
        except StoreError as error:
            damaged = damage_in(match, error).entry
            if damaged < 2:
                raise
            # Not cached: the store may be restored.
            summary = _begin(match, self._store.read(match, upto=damaged - 1), b"")
            return replace(summary, table=replace(summary.table, damaged=damaged))
        return cache.put(match, summary, lambda other: other.table.entries < upto)

    def _follow(self, before: MatchSummary | None, match: str, upto: int) -> MatchSummary | None:
        if before is None:
            return None
        after = before.table.entries
        news, states = self._store.read_with_bytes(match, upto, after)
        head = chain.follow_links(states, before.head, after)
        if head is None or any(isinstance(entry, Rewound) for entry in news):
            return None
        return _extend(before, news, head)


def _begin(match: str, entries: tuple[Entry, ...], head: bytes) -> MatchSummary:
    calls, request = open_calls(entries), find_rewind_request(entries)
    table = read_table_status(match, entries, _convert_calls(calls), _convert_request(request))
    opening = describe_opening(match, opened_of(entries))
    return MatchSummary(table, opening, calls, request, tuple(entry.at for entry in entries), head)


def _extend(before: MatchSummary, news: tuple[Entry, ...], head: bytes) -> MatchSummary:
    calls = open_calls(news, before.calls, before.table.entries)
    request = find_rewind_request(news, before.rewind_request, before.table.entries)
    table = update_table_status(before.table, news, _convert_calls(calls), _convert_request(request))
    times = (*before.times, *(entry.at for entry in news))
    return MatchSummary(table, before.opening, calls, request, times, head)


def _convert_calls(calls: tuple[Call, ...]) -> list[JudgeCall]:
    return [JudgeCall(call.entry, call.at) for call in calls]


def _convert_request(request: RewindRequest | None) -> OpenRewindRequest | None:
    return None if request is None or request.void else OpenRewindRequest(request.entry, request.at, request.to)
