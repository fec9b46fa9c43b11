"""The follower of a store, which keeps its search index up to date. Each entry is processed exactly once.

The rows and the position are written in one transaction. The index has no data of its own, so a missing, damaged or
outdated file is rebuilt.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final
from uuid import uuid4

from eventsourcing.application import ProcessingEvent
from eventsourcing.persistence import IntegrityError, Mapper, StoredEvent, Tracking
from eventsourcing.sqlite import SQLiteCursor, SQLiteProcessRecorder
from eventsourcing.system import ProcessApplication
from eventsourcing.utils import Environment, EnvType, get_topic

from domain.law.entries import Closed, Entry, Opened, Pledged, Undealt
from recorder import codec
from recorder.files import Closeable, create_private
from recorder.finding.rows import TABLES, Rows, Statement, statements
from recorder.library.cursor import SqlRow
from recorder.library.entries import EntryLog
from recorder.library.schema import require_schema
from recorder.library.sqlite import EntryRecorderFactory, settings
from recorder.match_list import damage_in
from recorder.match_loader import read_listed
from recorder.store import Store
from recorder.store_location import LOCK_SECONDS
from recorder.troubles import StoreError, convert_store_errors

FORM: Final = "6"
"""Version of these tables. Raise it for every change of the tables or their content."""
SUFFIX: Final = ".find"
OPENING: Final = tuple(codec.topic_of(kind) for kind in (Opened, Undealt, Pledged))
CLOSING: Final = codec.topic_of(Closed)
FILE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
SECTION: Final = 10
"""Notifications in one request."""

IndexMatch = Callable[[str, tuple[Entry, ...]], Rows]
"""Callback that returns the index rows of a match, from all entries if it is closed, else from the first."""


class RawRowMapper(Mapper[str]):
    """Passes stored rows on undecoded, since not every entry is read."""

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return stored_event


class SearchIndexRecorder(SQLiteProcessRecorder):
    """Writes the rows of a match and the position in one transaction."""

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), *TABLES]

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        made: Sequence[Statement] = kwargs.pop("made", ())
        for statement, values in made:
            c.execute(statement, values)
        return super()._insert_events(c, stored_events, **kwargs)

    def select(self, statement: str, values: Sequence[object] = ()) -> list[SqlRow]:
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(statement, values)
            return [tuple(row) for row in cursor.fetchall()]


class Follower(ProcessApplication[str]):
    """Follows a store's log. It has no events of its own."""

    name = "find"
    topics = (*OPENING, CLOSING)
    pull_section_size = SECTION

    def __init__(self, env: EnvType, store: Store, index_match: IndexMatch) -> None:
        self.store, self.index_match = store, index_match
        super().__init__(env)
        assert isinstance(self.recorder, SearchIndexRecorder)
        self.rows = self.recorder
        self.follow(EntryLog.name, store.log.notification_log)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> Any:
        return EntryRecorderFactory(env, read_only=False, lasting=False)

    def policy(self, domain_event: Any, processing_event: ProcessingEvent[str]) -> None:
        """Index a match when it is opened or closed. An unreadable one keeps its rows."""
        match, version = str(domain_event.originator_id), domain_event.originator_version
        with suppress(UnindexableMatch):
            rows = self._rows(match, version)
            processing_event.saved_kwargs["made"] = statements(self._number(match, processing_event), match, rows)

    def _rows(self, match: str, version: int) -> Rows:
        try:
            entries, _ = read_listed(self.store, match, version)
        except StoreError as error:
            damage_in(match, error)
            raise UnindexableMatch from error
        if not entries:
            raise UnindexableMatch  # the row's id is damaged and belongs to no match
        return self.index_match(match, entries)

    def _number(self, match: str, processing_event: ProcessingEvent[str]) -> int:
        """Return a match's number in the index: the position of its opening in the store."""
        before = self.rows.select("SELECT number FROM found WHERE match=?", (match,))
        tracking = processing_event.tracking
        assert tracking is not None
        return before[0][0] if before else tracking.notification_id

    def at(self) -> int:
        return self.rows.max_tracking_id(EntryLog.name) or 0

    def steps(self) -> Iterator[None]:
        """Follow the store to its current end, a match at a time."""
        last = self.store.log.recorder.max_notification_id() or 0
        start = self.at()
        while start < last:
            try:
                yield from self._steps(start, last)
                return
            except IntegrityError:
                before, start = start, self.at()
                if start <= before:
                    raise  # else another program follows with the same file; continue after it

    def _steps(self, start: int, last: int) -> Iterator[None]:
        for notifications in self.pull_notifications(EntryLog.name, start=start, stop=last, inclusive_of_start=False):
            for notification in notifications:
                self.process_event(notification, Tracking(EntryLog.name, notification.id))  # type: ignore[arg-type]
                yield
        if self.at() < last:
            self.rows.insert_tracking(Tracking(EntryLog.name, last))


class UnindexableMatch(Exception):
    """A match that this program cannot read."""


class UnusableIndex(Exception):
    """A file that is not a valid index."""


def remove_index(store: Store) -> None:
    """Remove a store's search index, which is rebuilt on demand. Raises OSError."""
    for ending in FILE_SUFFIXES:
        Path(store.local_prefix + SUFFIX + ending).unlink(missing_ok=True)


class SearchIndex(Closeable):
    """The search index of a store, updated on request. The file is opened when it is first needed. Every method raises
    StoreError if the index cannot be used."""

    def __init__(self, store: Store, index_match: IndexMatch, law: str) -> None:
        """Open the index next to the store, or in memory for a store in memory. `law` is a fingerprint of the indexing
        code; other code indexes matches again."""
        self.path = Path(store.local_prefix + SUFFIX) if store.name != ":memory:" else None
        self._store, self._index_match = store, index_match
        self._about = {"form": FORM, "store": store.identity(), "law": law}
        self._following, self._lock = Lock(), Lock()
        """Locks for following, and for opening, querying or closing the file. Queries do not wait for indexing."""
        self._follower: Follower | None = None

    def close(self) -> None:
        with self._following, self._lock:
            self._close_follower()

    def reset(self) -> None:
        """Remove the file, which contains erased names. It is rebuilt when the store is followed."""
        with self._following:
            self._remove()

    def catch_up(self, most: int | None = None, patience: float = -1) -> bool:
        """Follow at most `most` changes of the store, and return True if the index is current. `patience` is the number
        of seconds to wait for another thread that follows it."""
        if not self._following.acquire(timeout=patience):
            return False
        try:
            return self._catch_up(most)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            self._remove()
            return self._catch_up(most)
        finally:
            self._following.release()

    def select(self, statement: str, values: Sequence[object] = ()) -> list[SqlRow]:
        with self._lock:
            rows = self._open().rows
            with convert_store_errors(self.where):
                return rows.select(statement, values)

    def at(self) -> int:
        """Return the last position followed. Query results change only when it does."""
        with self._lock:
            follower = self._open()
            with convert_store_errors(self.where):
                return follower.at()

    def get_indexed_fraction(self) -> float:
        """Return the fraction of the store that is indexed, from 0 to 1."""
        last = self._store.log.recorder.max_notification_id() or 0
        return min(1.0, self.at() / last) if last else 1.0

    def _catch_up(self, most: int | None) -> bool:
        done = 0
        with self._lock:
            follower = self._open()
        with convert_store_errors(self.where):
            for _ in follower.steps():
                done += 1
                if done == most:
                    return False
        return True

    @property
    def where(self) -> str:
        return ":memory:" if self.path is None else str(self.path)

    def _open(self) -> Follower:
        if self._follower is not None and self.path is not None and not self.path.exists():
            self._close_follower()  # another program removed a match or a name from the store
        if self._follower is None:
            with suppress(UnusableIndex):
                follower = self._start()
                if self._is_current(follower):
                    self._follower = follower
                else:
                    follower.close()
        if self._follower is None:
            self._unlink()
            self._follower = self._start()
        return self._follower

    def _close_follower(self) -> None:
        if self._follower is not None:
            self._follower.close()
        self._follower = None

    def _remove(self) -> None:
        with self._lock:
            self._close_follower()
            self._unlink()

    def _unlink(self) -> None:
        if self.path is not None:
            for ending in FILE_SUFFIXES:
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def _start(self) -> Follower:
        """Open or create the file. Raises UnusableIndex for a damaged one."""
        if self.path is None:
            uri = f"file:find-{uuid4().hex}?mode=memory&cache=shared"
        else:
            uri = self.path.as_uri()
            with suppress(FileExistsError):
                create_private(self.path)
            _check(self.path, uri)
        environment = settings(uri, LOCK_SECONDS) | {
            "MAPPER_TOPIC": get_topic(RawRowMapper),
            "PROCESS_RECORDER_TOPIC": get_topic(SearchIndexRecorder),
            "CREATE_TABLE": "yes",
        }
        with convert_store_errors(self.where):
            follower = Follower(environment, self._store, self._index_match)
            with follower.rows.datastore.transaction(commit=True) as cursor:
                for about in self._about.items():
                    cursor.execute("INSERT OR IGNORE INTO about VALUES (?,?)", about)
            return follower

    def _is_current(self, follower: Follower) -> bool:
        """True if this is an index of this store, tables and law, and not ahead of the store."""
        with convert_store_errors(self.where):
            about: dict[str, object] = dict(follower.rows.select("SELECT key, value FROM about"))
            return about == self._about and follower.at() <= (self._store.log.recorder.max_notification_id() or 0)


def _check(path: Path, uri: str) -> None:
    try:
        with (
            convert_store_errors(str(path)),
            closing(sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS)) as connection,
        ):
            require_schema(connection, str(path), TABLES)
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
                return
    except StoreError as error:
        if error.trouble not in ("corrupt", "foreign"):
            raise
    raise UnusableIndex
