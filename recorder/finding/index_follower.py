"""The follower of a store: an application of the event store library that keeps a finder beside it, exactly once.

What it makes of an entry and how far it has come stand in one transaction, so that whatever ends it loses and doubles
nothing. The file holds nothing that the store does not: a missing, a damaged and an old one are made anew.
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
from recorder.place import LOCK_SECONDS
from recorder.store import Store
from recorder.troubles import StoreError, clear

FORM: Final = "6"
"""The form of these tables. One more for every change of them, and of what stands in them."""
SUFFIX: Final = ".find"
OPENING: Final = tuple(codec.topic_of(kind) for kind in (Opened, Undealt, Pledged))
CLOSING: Final = codec.topic_of(Closed)
BESIDE: Final = ("", "-wal", "-shm", "-journal")
SECTION: Final = 10
"""How many notifications are asked for at once."""

Look = Callable[[str, tuple[Entry, ...]], Rows]
"""What a finder is to hold of a match: all of its entries if it is closed, else the first alone."""


class RawRowMapper(Mapper[str]):
    """Hands rows on as they lie: not every entry that is gone by has to be read."""

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """The row itself."""
        return stored_event


class SearchIndexRecorder(SQLiteProcessRecorder):
    """Writes the rows of a match and how far the store was followed in one transaction."""

    def construct_create_table_statements(self) -> list[str]:
        """The library's tables and ours."""
        return [*super().construct_create_table_statements(), *TABLES]

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        made: Sequence[Statement] = kwargs.pop("made", ())
        for statement, values in made:
            c.execute(statement, values)
        return super()._insert_events(c, stored_events, **kwargs)

    def select(self, statement: str, values: Sequence[object] = ()) -> list[SqlRow]:
        """Rows of one statement."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(statement, values)
            return [tuple(row) for row in cursor.fetchall()]


class Follower(ProcessApplication[str]):
    """Follows a store's log. It keeps no events of its own, only what it makes of those."""

    name = "find"
    topics = (*OPENING, CLOSING)
    pull_section_size = SECTION

    def __init__(self, env: EnvType, store: Store, look: Look) -> None:
        self.store, self.look = store, look
        super().__init__(env)
        assert isinstance(self.recorder, SearchIndexRecorder)
        self.rows = self.recorder
        self.follow(EntryLog.name, store.log.notification_log)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Our settings, and only they."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> Any:
        """Our factory on SQLite."""
        return EntryRecorderFactory(env, read_only=False, lasting=False)

    def policy(self, domain_event: Any, processing_event: ProcessingEvent[str]) -> None:
        """What a match comes to as it is opened or closed. One that cannot be read is left as it was."""
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
            raise UnindexableMatch  # the id of the row is damaged, and no match has it
        return self.look(match, entries)

    def _number(self, match: str, processing_event: ProcessingEvent[str]) -> int:
        """The number of a match in the finder: that of its opening among all entries of the store."""
        before = self.rows.select("SELECT number FROM found WHERE match=?", (match,))
        tracking = processing_event.tracking
        assert tracking is not None
        return before[0][0] if before else tracking.notification_id

    def at(self) -> int:
        """How far it has followed."""
        return self.rows.max_tracking_id(EntryLog.name) or 0

    def steps(self) -> Iterator[None]:
        """Follow as far as the store goes now, a match at a time."""
        last = self.store.log.recorder.max_notification_id() or 0
        start = self.at()
        while start < last:
            try:
                yield from self._steps(start, last)
                return
            except IntegrityError:
                before, start = start, self.at()
                if start <= before:
                    raise  # else another program follows with the same file: on behind what it has done

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
    """A file that is no finder any more."""


def remove_index(store: Store) -> None:
    """Remove the search index beside a store; it is made anew when it is needed. Raises OSError."""
    for ending in BESIDE:
        Path(store.beside + SUFFIX + ending).unlink(missing_ok=True)


class SearchIndex(Closeable):
    """The finder beside a store. It is brought up to the store when it is asked, or by whoever has the time.

    Its file is opened when it is first needed. Every method raises StoreError where it cannot be used.
    """

    def __init__(self, store: Store, look: Look, law: str) -> None:
        """`law` tells the code by which matches are looked at: by other code they are looked at again.

        The file lies beside the store; a finder of a store in memory is in memory too.
        """
        self.path = Path(store.beside + SUFFIX) if store.name != ":memory:" else None
        self._store, self._look = store, look
        self._about = {"form": FORM, "store": store.identity(), "law": law}
        self._following, self._lock = Lock(), Lock()
        """Held while the store is followed; while the file is opened, asked or let go of. Who asks waits for no look at
        a match."""
        self._follower: Follower | None = None

    def close(self) -> None:
        """Let go of the file."""
        with self._following, self._lock:
            self._let_go()

    def begin_anew(self) -> None:
        """Remove the file, which names what was forgotten; it is made again as the store is followed."""
        with self._following:
            self._remove()

    def catch_up(self, most: int | None = None, patience: float = -1) -> bool:
        """Follow the store, at most so many of its news; whether the finder is where the store was.

        `patience` is how many seconds to wait where somebody else follows it just now.
        """
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
        """Rows of one statement."""
        with self._lock:
            rows = self._open().rows
            with clear(self.where):
                return rows.select(statement, values)

    def at(self) -> int:
        """How far it has followed: what it answers changes only where this does."""
        with self._lock:
            follower = self._open()
            with clear(self.where):
                return follower.at()

    def share(self) -> float:
        """How much of all that was recorded it has followed, from 0 to 1."""
        last = self._store.log.recorder.max_notification_id() or 0
        return min(1.0, self.at() / last) if last else 1.0

    def _catch_up(self, most: int | None) -> bool:
        done = 0
        with self._lock:
            follower = self._open()
        with clear(self.where):
            for _ in follower.steps():
                done += 1
                if done == most:
                    return False
        return True

    @property
    def where(self) -> str:
        """The file, as troubles name it."""
        return ":memory:" if self.path is None else str(self.path)

    def _open(self) -> Follower:
        if self._follower is not None and self.path is not None and not self.path.exists():
            self._let_go()  # another program took a match or a name out of the store
        if self._follower is None:
            with suppress(UnusableIndex):
                follower = self._start()
                if self._holds(follower):
                    self._follower = follower
                else:
                    follower.close()
        if self._follower is None:
            self._unlink()
            self._follower = self._start()
        return self._follower

    def _let_go(self) -> None:
        if self._follower is not None:
            self._follower.close()
        self._follower = None

    def _remove(self) -> None:
        with self._lock:
            self._let_go()
            self._unlink()

    def _unlink(self) -> None:
        if self.path is not None:
            for ending in BESIDE:
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def _start(self) -> Follower:
        """Raises Worthless for a file that is damaged."""
        if self.path is None:
            uri = f"file:find-{uuid4().hex}?mode=memory&cache=shared"
        else:
            uri = self.path.as_uri()
            with suppress(FileExistsError):
                create_private(self.path)
            _check(self.path, uri)
        given = settings(uri, LOCK_SECONDS) | {
            "MAPPER_TOPIC": get_topic(RawRowMapper),
            "PROCESS_RECORDER_TOPIC": get_topic(SearchIndexRecorder),
            "CREATE_TABLE": "yes",
        }
        with clear(self.where):
            follower = Follower(given, self._store, self._look)
            with follower.rows.datastore.transaction(commit=True) as cursor:
                for about in self._about.items():
                    cursor.execute("INSERT OR IGNORE INTO about VALUES (?,?)", about)
            return follower

    def _holds(self, follower: Follower) -> bool:
        """Is this a finder of this store, by these tables and this law, and not ahead of it?"""
        with clear(self.where):
            about: dict[str, object] = dict(follower.rows.select("SELECT key, value FROM about"))
            return about == self._about and follower.at() <= (self._store.log.recorder.max_notification_id() or 0)


def _check(path: Path, uri: str) -> None:
    """Raises Worthless for a file that is no sound database."""
    try:
        with clear(str(path)), closing(sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS)) as connection:
            require_schema(connection, str(path), TABLES)
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
                return
    except StoreError as error:
        if error.trouble not in ("corrupt", "foreign"):
            raise
    raise UnusableIndex
