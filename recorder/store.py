"""The store of matches: entries in an SQLite file or a PostgreSQL database, through the event store library only.

Each match is a stream with versions from 1 without gaps. Writes use optimistic concurrency: a write names the version
it was decided on, and of two writers one wins.
"""

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import msgspec
from eventsourcing.persistence import IntegrityError
from eventsourcing.utils import strtobool

from domain.evidence.names import PlayerName, attach, has_hashes
from domain.law.entries import Entry
from domain.law.logged import Logged
from domain.words import Text
from domain.words.foreign import explain_decode_error
from recorder import codec, server
from recorder.library import sqlite
from recorder.library.cursor import Cursor, SqlRow
from recorder.library.entries import EntryLog
from recorder.library.odd_text import name_id, same_id
from recorder.lru_cache import LruCache
from recorder.match_list import HEAD, HEADS_MAX, DamagedMatch, Head, MatchListItem, damage_in, make_list_item
from recorder.rows import Conflict, Repeated, StateRows, WriteBatch, row
from recorder.side_rows import PAGE, SideRows
from recorder.store_location import (
    FORMAT,
    LOCK_SECONDS,
    inspect,
    local_files_prefix,
    name_of,
    on_server,
    path_of,
    require_usable_path,
)
from recorder.troubles import STORE_EXCEPTIONS, StoreError, Trouble, convert_store_errors, to_store_error
from recorder.watch import IDENTITY, Watch

__all__ = ["FORBIDDEN", "FORMAT", "Conflict", "DamagedMatch", "MatchListItem", "Repeated", "Store", "StoreError"]

FORBIDDEN = "POSTGRES_ENABLE_DB_FUNCTIONS"
"""A setting of the library that silently loses entries for followers and forgets command ids."""


class Store(SideRows):
    """The matches of one file or database. Open it with `Store.open`, then close it or use it in a `with`. `name` is
    for display and opens it again; `local_prefix` is the path prefix of local files that belong to it."""

    def __init__(self, name: str, log: EntryLog, read_only: bool) -> None:
        self.name = self.local_prefix = name
        self.read_only = read_only
        self._log = log
        self._heads: LruCache[str, Head] = LruCache(HEADS_MAX)
        self._odd_ids: dict[str, object] = {}
        """Ids in the list of matches that are not text, by their display form."""

    @classmethod
    def open(
        cls, where: str | Path, read_only: bool = False, lock_seconds: int = LOCK_SECONDS, unfinished: bool = False
    ) -> Self:
        """Open the store at a path (or `sqlite:///path`, or `:memory:`), creating it and its folder if needed.

        A database at `postgresql://...` must exist; an empty one becomes a store. Read-only stores must exist.
        `unfinished` accepts an unfinished copy. Raises StoreError.
        """
        if strtobool(os.environ.get(FORBIDDEN) or "no"):
            raise StoreError("setting", Text("store.setting", {"name": FORBIDDEN}))
        name = str(where)
        if on_server(name):
            return cls._on_server(name_of(name), read_only, lock_seconds, unfinished)
        if name == ":memory:":
            uri, ready, watch = f"file:shinpan-{uuid4().hex}?mode=memory&cache=shared", False, None
        else:
            path = path_of(name)
            require_usable_path(path, read_only)
            name = str(path)
            with convert_store_errors(name):
                uri, ready = inspect(path, read_only, unfinished)
            watch = Watch(path)
        with convert_store_errors(name):
            store = cls(name, sqlite.open_log(uri, lock_seconds, read_only, watch), read_only)
            if not ready and not read_only:
                store._log.entries.create(FORMAT)
            return store

    @classmethod
    def _on_server(cls, name: str, read_only: bool, lock_seconds: int, unfinished: bool) -> Self:
        with convert_store_errors(name):
            store = cls(name, server.open_log(name, read_only, lock_seconds, unfinished), read_only)
            store.local_prefix = local_files_prefix(name, store.identity())
            return store

    def close(self) -> None:
        self._log.close()

    def append(
        self,
        match: str,
        version: int,
        entries: Sequence[Entry],
        command_id: str | None = None,
        secret: bytes | None = None,
        asked: bytes = b"",
    ) -> int | Conflict | Repeated:
        """Record entries after `version` (0 for a new match), all or none, and return the new version. `asked` is the
        hash of the command's request. Raises StoreError or CodecError; then nothing was recorded."""
        assert version >= 0, "versions count from 1"
        if version == 0 and not (isinstance(match, str) and codec.MATCH_ID.fullmatch(match)):
            raise codec.CodecError(codec.invalid_id_text(match))
        rows = [row(match, number, entry) for number, entry in enumerate(entries, start=version + 1)]
        if self._write(WriteBatch(rows, command_id, asked, secret)):
            return version + len(rows)
        return self._describe_conflict(match, version, command_id)

    def append_bytes(
        self,
        match: str,
        states: Sequence[bytes],
        secret: bytes | None = None,
        command_id: str | None = None,
        asked: bytes = b"",
    ) -> int | Conflict | Repeated:
        """Record a new match of stored entries, all or none. Raises StoreError, or CodecError for an invalid entry."""
        if self._write(WriteBatch(StateRows(match, states), command_id, asked, secret)):
            return len(states)
        return self._describe_conflict(match, 0, command_id)

    def append_run(self, match: str, writings: Sequence[WriteBatch]) -> int | Conflict:
        """Record several commands of one match, all or none, and return the new version. Raises StoreError."""
        if self._write(*writings):
            return writings[-1].rows[-1][1]
        return Conflict(match, writings[0].rows[0][1] - 1, self.version(match))

    def append_matches(self, matches: Mapping[str, WriteBatch]) -> Conflict | None:
        """Record new matches, all or none. A Conflict names one that exists. Raises StoreError or CodecError."""
        if self._write(*matches.values()):
            return None
        existing = next(
            ((match, version) for match in matches if (version := self.version(match))), (next(iter(matches)), 0)
        )
        return Conflict(existing[0], 0, existing[1])

    def _describe_conflict(self, match: str, version: int, command_id: str | None) -> Conflict | Repeated:
        """Return the answer after another writer was first, possibly with the same command."""
        before = None if command_id is None else self.command(match, command_id)
        return Conflict(match, version, self.version(match)) if before is None else before

    def _write(self, *writings: WriteBatch) -> bool:
        """Write all or nothing; False if another writer was first."""
        if self.read_only:
            raise StoreError("read_only", Text("store.for_reading", {"store": self.name}))
        try:
            self._log.entries.write(*writings)
            return True
        except IntegrityError:
            return False
        except STORE_EXCEPTIONS as error:
            raise to_store_error(self.name, error) from error

    def read(self, match: str, upto: int | None = None, after: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a match after `after` up to `upto` inclusive, none if there is no such match. Raises
        StoreError for an unreadable or missing entry."""
        return self._decode_rows(match, self._states(match, upto, after))

    def read_with_bytes(
        self, match: str, upto: int | None = None, after: int = 0
    ) -> tuple[tuple[Entry, ...], list[bytes]]:
        """Return entries as `read` does, with their stored forms. Raises StoreError."""
        rows = self._states(match, upto, after)
        return self._decode_rows(match, rows), [state for _, state in rows]

    def _decode_rows(self, match: str, rows: list[tuple[int, bytes]]) -> tuple[Entry, ...]:
        if rows and rows[0][0] == 1 and isinstance(rows[0][1], bytes):
            rows = [(1, self._with_names(match, rows[0][1])), *rows[1:]]
        try:
            return tuple([codec.DECODE(state) for _, state in rows])
        except (msgspec.MsgspecError, RecursionError, UnicodeError, TypeError):
            return tuple(
                self._decode(match, number, self._require_bytes(match, number, state)) for number, state in rows
            )

    def read_bytes(self, match: str, upto: int | None = None) -> list[bytes]:
        """Return the stored entries of a match, for export and hashing. Raises StoreError."""
        return [self._require_bytes(match, number, state) for number, state in self._states(match, upto, 0)]

    def read_record(self, match: str, upto: int | None = None) -> list[bytes]:
        """Return stored entries for export, the first with the known names and their salts. Raises StoreError."""
        states = self.read_bytes(match, upto)
        return [attach(states[0], self.player_names([match])[match]), *states[1:]] if states else []

    def _with_names(self, match: str, opening: bytes) -> bytes:
        return attach(opening, self.player_names([match])[match]) if has_hashes(opening) else opening

    def pages(self, match: str) -> Iterator[bytes]:
        """Yield the stored entries of a match, fetched a page at a time. Raises StoreError."""
        after = 0
        while page := self._states(match, after + PAGE, after):
            yield from (self._require_bytes(match, number, state) for number, state in page)
            after += len(page)

    def _states(self, match: str, upto: int | None, after: int) -> list[tuple[int, bytes]]:
        rows: list[tuple[int, bytes]] = self._select(
            "SELECT originator_version, state FROM stored_events"
            " WHERE originator_id=? AND originator_version>? AND (? OR originator_version<=?)"
            " ORDER BY originator_version",
            (match, after, upto is None, upto),
        )
        gap = next((number for number, row in enumerate(rows, start=after + 1) if row[0] != number), None)
        if gap is not None:
            raise self.make_gap_error(match, gap)
        return rows

    def make_gap_error(self, match: str, entry: int) -> StoreError:
        return StoreError("corrupt", Text("store.gap", {"store": self.name, "match": match, "entry": entry}), entry)

    def _require_bytes(self, match: str, number: int, state: bytes) -> bytes:
        if type(state) is not bytes:
            self._decode(match, number, state)
        return state

    def _decode(self, match: str, number: int, state: bytes) -> Entry:
        try:
            return codec.decode(state)
        except codec.CodecError as error:
            trouble: Trouble = "newer" if error.newer else "corrupt"
            raise self.make_damage_error(match, number, error.text, trouble) from None

    def version(self, match: str) -> int:
        rows = self._select("SELECT MAX(originator_version) FROM stored_events WHERE originator_id=?", (match,))
        last = rows[0][0] or 0
        return last if type(last) is int else len(self._states(match, None, 0))

    def list_changes(self, after: int | None = None) -> tuple[int, dict[str, int]]:
        """Return the position of the newest row, and the matches with rows after position `after`, each with its last
        entry. Writes of other programs count. Without `after` there are no matches."""
        place = self._log.entries.place
        newest = self._select(f"SELECT COALESCE(MAX({place}), 0) FROM stored_events", ())[0][0]
        if after is None or newest <= after:
            return newest, {}
        between = f"SELECT originator_id, MAX(originator_version) FROM stored_events WHERE {place}>? AND {place}<=?"
        rows = self._select(f"{between} GROUP BY originator_id", (after, newest))
        return newest, {name_id(match): last if type(last) is int else sys.maxsize for match, last in rows}

    def matches(self, after: str = "", limit: int | None = None) -> list[MatchListItem | DamagedMatch]:
        """List the matches after match `after`, oldest first. Those with an unreadable opening are DamagedMatch. Raises
        StoreError."""
        known, values = self._row_of(after)
        condition = f"m.number>COALESCE(({known}), 0) ORDER BY m.number LIMIT ?"
        return self._list(condition, (*values, sys.maxsize if limit is None else limit))

    def newest(self, count: int, before: str = "") -> list[MatchListItem | DamagedMatch]:
        """List the newest `count` matches, or those before match `before`, oldest first. Raises StoreError."""
        known, values = self._row_of(before)
        condition = f"m.number<COALESCE(({known}), ?) ORDER BY m.number DESC LIMIT ?"
        return self._list(condition, (*values, sys.maxsize, count))[::-1]

    def _row_of(self, match: str) -> tuple[str, tuple[object, ...]]:
        condition, values = same_id("match", self._odd_ids.get(match, match))
        return f"SELECT number FROM matches WHERE {condition}", values

    def count(self) -> int:
        """Return the number of matches. Raises StoreError."""
        return int(self._select("SELECT COUNT(*) FROM matches", ())[0][0])

    def entries(self) -> int:
        """Return the number of entries in all matches. Raises StoreError."""
        return int(self._select("SELECT COUNT(*) FROM stored_events", ())[0][0])

    def list_matches_with(self, kind: type[Logged]) -> list[str]:
        """List the matches with an entry of this kind, oldest first, without reading entries. Raises StoreError."""
        ids = "SELECT originator_id FROM stored_events WHERE topic=?"
        rows = self._select(
            f"SELECT match FROM matches WHERE match IN ({ids}) ORDER BY number", (codec.topic_of(kind),)
        )
        return [name_id(match) for (match,) in rows]

    def _list(self, where: str, parameters: tuple[object, ...]) -> list[MatchListItem | DamagedMatch]:
        rows = self._select(
            "SELECT m.match, (SELECT MAX(originator_version) FROM stored_events v WHERE v.originator_id=m.match),"
            " (SELECT topic FROM stored_events t WHERE t.originator_id=m.match"
            f" ORDER BY originator_version DESC LIMIT 1) FROM matches m WHERE {where}",
            parameters,
        )
        self._odd_ids |= {name_id(match): match for match, *_ in rows if type(match) is not str}
        rows = [(name_id(match), *rest) for match, *rest in rows]
        heads = self._heads_of([match for match, *_ in rows])
        return [self._make_item(heads[row[0]], *row) for row in rows]

    def head(self, match: str) -> Head | DamagedMatch | None:
        """Return the opening of a match for lists, or None. Raises StoreError."""
        known = self._heads.get(match)
        if known is not None or not self._select("SELECT 1 FROM matches WHERE match=?", (match,)):
            return known
        return self._heads_of([match])[match]

    def _heads_of(self, matches: Sequence[str]) -> dict[str, Head | DamagedMatch]:
        """Return the openings of matches for lists. They never change, so they are cached."""
        heads: dict[str, Head | DamagedMatch] = {match: head for match in matches if (head := self._heads.get(match))}
        missing = [match for match in matches if match not in heads]
        first = "SELECT originator_id, state FROM stored_events WHERE originator_version=1 AND originator_id IN"
        for at in range(0, len(missing), PAGE):
            part = missing[at : at + PAGE]
            states: dict[str, Any] = dict(self._select(f"{first} ({','.join('?' * len(part))})", tuple(part)))
            hashed = [match for match, state in states.items() if isinstance(state, bytes) and has_hashes(state)]
            names = self.player_names(hashed)
            heads.update((match, self._head(match, states.get(match), names.get(match, ()))) for match in part)
        return heads

    def forget_names(self, names: Collection[tuple[str, str]]) -> bool:
        """Delete names by match and seat; False if old bytes stay on disk for now. Raises StoreError."""
        if self.read_only:
            raise StoreError("read_only", Text("store.for_reading", {"store": self.name}))
        self.forget_heads()
        with convert_store_errors(self.name):
            return self._log.entries.forget(names)

    def forget_heads(self) -> None:
        """Drop cached openings, including players' names."""
        self._heads = LruCache(HEADS_MAX)

    @property
    def log(self) -> EntryLog:
        """The library's application, for followers."""
        return self._log

    def identity(self) -> str:
        """Return the id that distinguishes the store even from its backups; "" for stores of the first releases."""
        rows = self._select(IDENTITY, ())
        return str(rows[0][0]) if rows else ""

    @contextmanager
    def snapshot(self) -> Iterator[Any]:
        """Open a read snapshot of the store for copying, without blocking writers."""
        with convert_store_errors(self.name), self._log.entries.snapshot() as connection:
            yield connection

    def list_ids_with_prefix(self, prefix: str, limit: int) -> list[str]:
        """Return the ids of matches with this prefix, an exact match first. Raises StoreError."""
        rows = self._select(
            "SELECT match FROM matches WHERE match>=? AND match<? ORDER BY match LIMIT ?", (prefix, prefix + "{", limit)
        )
        return [str(row[0]) for row in rows]

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """Open a write transaction for side rows. Raises StoreError."""
        if self.read_only:
            raise StoreError("read_only", Text("store.for_reading", {"store": self.name}))
        with convert_store_errors(self.name), self._log.entries.transaction() as cursor:
            yield cursor

    def _head(self, match: str, state: bytes | None, names: Sequence[PlayerName]) -> Head | DamagedMatch:
        try:
            if state is None:
                raise self.make_gap_error(match, 1)
            return self._heads.put(match, HEAD.decode(attach(self._require_bytes(match, 1, state), names)))
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            return damage_in(
                match, self.make_damage_error(match, 1, Text("codec.no_entry", {"why": explain_decode_error(error)}))
            )
        except StoreError as error:
            return damage_in(match, error)

    def _make_item(
        self, head: Head | DamagedMatch, match: str, entries: int, topic: str
    ) -> MatchListItem | DamagedMatch:
        try:
            if type(entries) is not int and isinstance(head, Head):
                self._states(match, None, 0)
                raise self.make_gap_error(match, 1)
            if type(topic) is not str and isinstance(head, Head):
                raise self.make_damage_error(match, entries, Text("store.kind"))
        except StoreError as error:
            return damage_in(match, error)
        return (
            head
            if isinstance(head, DamagedMatch)
            else make_list_item(match, entries, head, closed=topic == "match.closed")
        )

    def make_damage_error(self, match: str, number: int, why: Text, trouble: Trouble = "corrupt") -> StoreError:
        values = {"store": self.name, "match": match, "entry": number, "why": why}
        return StoreError(trouble, Text("store.entry", values), number)

    def _has_names(self) -> bool:
        with convert_store_errors(self.name):
            return not self.read_only or "names" in self._log.entries.tables()

    def _select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        try:
            return self._log.entries.select(statement, parameters)
        except STORE_EXCEPTIONS as error:
            raise to_store_error(self.name, error) from error
