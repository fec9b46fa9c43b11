"""Write entries through either recorder of the library, with their command ids and names. What is written, and in which
order, is defined here. `sqlite` and `postgres` define how it is stored."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from secrets import token_bytes
from typing import Any, ClassVar, Protocol

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, JSONTranscoder, Mapper, PersistenceError, StoredEvent
from eventsourcing.utils import Environment, EnvType, get_topic
from msgspec import Struct

from domain.evidence import chain
from domain.evidence.names import SALT_BYTES, PlayerName, conceal, separate
from domain.law.entries import Closed, Entry
from recorder import codec
from recorder.library.cursor import Cursor, SqlRow
from recorder.library.odd_text import insert_rows, same_id
from recorder.rows import WriteBatch, row

TABLES = frozenset(
    ("stored_events", "matches", "commands", "asked", "secrets", "leaves", "checkpoints", "names", "meta")
)
"""All tables of a store. An older program may have left one out; it is added when the store is written to."""

CLOSED = codec.topic_of(Closed)

NEW_ENTRY = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
NEXT_ENTRY = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) SELECT ?,?,?,?"
    " WHERE EXISTS (SELECT 1 FROM stored_events WHERE originator_id=? AND originator_version=?)"
)
"""Insert an entry after another one, unless another program removed the match meanwhile."""
STATE = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=?"
NEW_NAME = "INSERT INTO names VALUES (?,?,?,?)"
ALL_NAMES = "SELECT match, seat, name, salt FROM names"
COUNT_FORGETTING = (
    "INSERT INTO meta VALUES ('forgotten', '1')"
    " ON CONFLICT (key) DO UPDATE SET value=CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT)"
)
"""Increment the count of erasures. Programs that cache names read the count to notice an erasure."""
FORGET_COMMAND = (
    "DELETE FROM asked WHERE match=? AND command IN (SELECT command FROM commands WHERE match=? AND first=1)"
)
"""Delete the hash of the opening command, which includes names and could confirm a guess."""
NEW_LEAF = "INSERT INTO leaves (number, match, entries, head) SELECT COALESCE(MAX(number), 0)+1, ?, ?, ? FROM leaves"
NEW_MATCH = "INSERT INTO matches (number, match) SELECT COALESCE(MAX(number), 0)+1, ? FROM matches"
"""Gapless numbers, safe because there is one writer; a database sequence would lose numbers with failed writes."""

HEADS_MAX = 10_000

Head = tuple[int, bytes]
"""The number of a match's last entry, and the hash that the next entry links to."""
NO_HEAD: Head = (0, chain.START)


def new_salt() -> bytes:
    return token_bytes(SALT_BYTES)


class NotReadBack(PersistenceError):
    """The database does not hold what was written."""

    store_code = "NOT_READ_BACK"


class Subscription(Protocol):
    """A subscription to the database's notifications of new entries."""

    @property
    def is_reliable(self) -> bool:
        """True if notifications are known to arrive."""
        ...

    def close(self) -> None: ...


class Envelope(Struct, frozen=True):
    """An entry in the form that the library passes around."""

    originator_id: str
    originator_version: int
    entry: Entry


class EntryMapper(Mapper[str]):
    """Encodes entries with msgpack under our own topics. The library's mapper needs objects with a `__dict__`."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        return StoredEvent(*row(domain_event.originator_id, domain_event.originator_version, domain_event.entry))

    def to_domain_event(self, stored_event: StoredEvent) -> Envelope:
        entry = codec.decode(stored_event.state)
        return Envelope(str(stored_event.originator_id), stored_event.originator_version, entry)


class EntryWriter:
    """Writes entries, their command id and a new match's secret in one transaction, for a recorder of the library.
    Statements are SQL for both databases, with `?` for a value."""

    clear_names: ClassVar[str]
    """The statement that deletes all names, including their bytes."""
    place: ClassVar[str]
    """The column with the position of a row in the order of recording."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._heads: dict[str, Head] = {}
        """The last entry of matches written to, which stays valid because entries are append-only."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int]:
        """Call `write` for the library, and return the positions of the rows."""
        rows = [(str(row.originator_id), row.originator_version, row.topic, row.state) for row in stored_events]
        self.write(WriteBatch(rows, **kwargs))
        places = f"SELECT {self.place} FROM stored_events WHERE originator_id=? AND originator_version>=? ORDER BY 1"
        return [place for (place,) in self.select(f"{places} LIMIT ?", (*rows[0][:2], len(rows)))]

    def write(self, *writings: WriteBatch) -> None:
        """Write rows of one or more matches, all or none. Raises IntegrityError if another writer was first."""
        raise NotImplementedError

    def select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        raise NotImplementedError

    def transaction(self) -> AbstractContextManager[Cursor]:
        """Open an exclusive write transaction."""
        raise NotImplementedError

    def snapshot(self) -> AbstractContextManager[Any]:
        """Open a connection with a consistent snapshot of the store."""
        raise NotImplementedError

    def forget(self, names: Collection[tuple[str, str]]) -> bool:
        """Delete names permanently, by match and seat; False if old bytes stay on disk for now. All other names are
        rewritten, so that no page of the table keeps a deleted one."""
        with self.transaction() as c:
            self._forget(c, names)
        return True

    def _forget(self, c: Cursor, names: Collection[tuple[str, str]]) -> None:
        c.execute(ALL_NAMES)
        rows = [tuple(row) for row in c.fetchall()]
        c.execute(self.clear_names)
        insert_rows(c, NEW_NAME, [row for row in rows if row[:2] not in names])
        c.executemany(FORGET_COMMAND, [(match, match) for match in {match for match, _ in names}])
        c.execute(COUNT_FORGETTING)

    def remove(self, c: Cursor, ids: Sequence[object]) -> None:
        """Delete a match's entries in a transaction, by the values of its id. Later entries never reuse their
        positions."""
        for value in ids:
            condition, values = same_id("originator_id", value)
            c.execute(f"DELETE FROM stored_events WHERE {condition}", values)
            self._heads.pop(str(value), None)

    def tables(self) -> frozenset[str]:
        raise NotImplementedError

    def create(self, form: int) -> None:
        """Create missing tables, all or none, safely if several programs do so at once."""
        raise NotImplementedError

    def listen(self, heard: Callable[[], None]) -> Subscription | None:
        """Call `heard` from any thread whenever entries were recorded; None if the database has no notifications. It
        may be called without new entries."""
        return None

    def close(self) -> None:
        raise NotImplementedError

    def _keep_heads(self, heads: dict[str, Head]) -> None:
        if len(self._heads) > HEADS_MAX:
            self._heads.clear()
        self._heads.update(heads)

    def _insert(self, c: Cursor, writing: WriteBatch, heads: dict[str, Head]) -> None:
        """Write rows, and store the match's new last entry in `heads`."""
        rows, command_id, topic = writing.rows, writing.command_id, ""
        assert rows, "an append needs entries"
        match, first = rows[0][:2]
        last, head = self._heads.get(match, NO_HEAD)
        if last != first - 1:
            last, head = first - 1, head_of(c, match, first - 1)
        before = head if first > 1 else token_bytes(len(chain.START))
        names: list[PlayerName] = []
        for _, last, topic, stored in rows:
            state = stored
            if last == 1:
                state, names = conceal(state, new_salt) if writing.linked else separate(state)
            if writing.linked:
                state = chain.link(state, before)
            if last == 1:
                c.execute(NEW_ENTRY, (match, last, topic, state))
            else:
                c.execute(NEXT_ENTRY, (match, last, topic, state, match, last - 1))
            before = head = chain.next_head(head, last, state)
        if first == 1:
            c.execute(NEW_MATCH, (match,))
        for name in names:
            c.execute(NEW_NAME, (match, name.seat, name.name.encode(), name.salt))
        if topic == CLOSED:
            c.execute(NEW_LEAF, (match, last, head))
        if command_id is not None:
            c.execute("INSERT INTO commands VALUES (?,?,?,?)", (match, command_id, first, last))
            if writing.asked:
                c.execute("INSERT INTO asked VALUES (?,?,?)", (match, command_id, writing.asked))
        if writing.secret is not None:
            c.execute("INSERT INTO secrets VALUES (?,?)", (match, writing.secret))
        self._require_read_back(c, match, last, state)
        heads[match] = last, head

    def _require_read_back(self, c: Cursor, match: str, number: int, state: bytes) -> None:
        """Raise NotReadBack if the last entry is not stored as written. Triggers are refused when the store is opened,
        so one that changes entries was added later."""
        c.execute(STATE, (match, number))
        row = c.fetchone()
        if row is None or row[0] != state:
            raise NotReadBack(f"match {match}: entry {number} is not what was written")


def head_of(c: Cursor, match: str, number: int) -> bytes:
    """Return the chain head after a stored entry. Raises IntegrityError if it is missing. A linked entry has the head
    before it. Entries of earlier versions are hashed from the first one."""
    if number == 0:
        return chain.START
    state = state_of(c, match, number)
    if number > 1 and (link := chain.link_of(state)) is not None:
        return chain.next_head(link, number, state)
    c.execute(
        "SELECT state FROM stored_events WHERE originator_id=? AND originator_version<=? ORDER BY originator_version",
        (match, number),
    )
    return chain.compute_head([_require_bytes(match, row[0]) for row in c.fetchall()])


def state_of(c: Cursor, match: str, number: int) -> bytes:
    """Return a stored entry. Raises IntegrityError if it is missing."""
    c.execute(STATE, (match, number))
    row = c.fetchone()
    if row is None:
        raise IntegrityError(f"match {match} has no entry {number}")
    return _require_bytes(match, row[0])


def _require_bytes(match: str, state: object) -> bytes:
    if not isinstance(state, bytes):
        raise IntegrityError(f"match {match} is damaged: an entry is not made of bytes")
    return state


class EntryLog(Application[str]):
    """The library's application. It ignores environment variables, so they cannot weaken the store's guarantees."""

    name = "shinpan"

    def __init__(self, env: EnvType, make_factory: Callable[[Environment], Any]) -> None:
        self._make_factory = make_factory
        super().__init__(env)
        assert isinstance(self.recorder, EntryWriter)
        self.entries: EntryWriter = self.recorder

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> Any:
        return self._make_factory(env)

    def close(self) -> None:
        self.entries.close()
        super().close()


def common_settings(recorder: type[EntryWriter]) -> dict[str, str]:
    return {
        "ORIGINATOR_ID_TYPE": "text",
        "MAPPER_TOPIC": get_topic(EntryMapper),
        "TRANSCODER_TOPIC": get_topic(JSONTranscoder),
        "APPLICATION_RECORDER_TOPIC": get_topic(recorder),
        "CREATE_TABLE": "no",
    }
