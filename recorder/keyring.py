"""Invitations and tokens for signing in, stored as hashes in a file next to the store. A token is 256 random bits and
is shown once. An invitation can be exchanged once for a token, which expires. A copy of the file grants no access."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Literal, Self

import msgspec
from msgspec import Struct

from domain.table.table import Seat
from domain.words import Text
from recorder.files import Closeable, create_private
from recorder.library.cursor import SqlRow
from recorder.library.schema import require_schema
from recorder.person_names import is_alike
from recorder.troubles import StoreError, convert_store_errors

TOKEN_BYTES = 32
MEMORY = ":memory:"
SUFFIX = ".keys"
"""Suffix that a store's key file adds to the store's name."""
LOCK_SECONDS = 5
PLAYER = "seat"
HASHES_PER_QUERY_MAX = 500
TABLE = (
    "CREATE TABLE IF NOT EXISTS keys (hash BLOB PRIMARY KEY, invitation INTEGER NOT NULL, ends INTEGER NOT NULL,"
    " holder BLOB NOT NULL) WITHOUT ROWID"
)
SERVED = "CREATE TABLE IF NOT EXISTS served (public TEXT PRIMARY KEY) WITHOUT ROWID"
SPENT = "CREATE TABLE IF NOT EXISTS spent (hash BLOB PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID"
VALID_KEYS = "SELECT holder, ends, hash, invitation FROM keys WHERE ends>? ORDER BY ends"
SPEND = "INSERT OR IGNORE INTO spent VALUES (?, ?)"
WRITERS = "CREATE TABLE IF NOT EXISTS writers (match TEXT PRIMARY KEY, hash BLOB NOT NULL) WITHOUT ROWID"


class Holder(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The holder of a token: role, name, matches (none for the whole event) and seat. A player of the whole event has
    the seats under their name. `by` is who invited them."""

    role: str
    name: str
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    by: str = ""

    @property
    def for_event(self) -> bool:
        """True for a player whose seats are found by name."""
        return self.role == PLAYER and not self.matches and not self.seat


class AccessKey(Struct, frozen=True):
    """The access that a token grants, until `ends` in milliseconds. `number` identifies it but grants nothing."""

    holder: Holder
    ends: int
    number: str


Spent = Literal["used", "revoked", "expired", "unknown"]
"""Reasons why an invitation is not valid."""


class Issued(Struct, frozen=True):
    """A valid key: an unused invitation, or a sign-in. `number` identifies it but grants nothing."""

    holder: Holder
    ends: int
    number: str
    invitation: bool


class Keyring(Closeable):
    """The keys of one store. Its methods raise StoreError if the file cannot be used."""

    def __init__(self, name: str, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self._name, self._writer, self._reader = name, writer, reader
        self._writing = Lock()
        self._reading = self._writing if reader is writer else Lock()

    @classmethod
    def open(cls, where: str | Path) -> Self:
        """Open a key file (or `:memory:`), creating it if needed."""
        name = str(where)
        with convert_store_errors(name):
            if name != MEMORY:
                with suppress(FileExistsError):
                    create_private(Path(name))
            writer = _connect(name)
            require_schema(writer, name, (TABLE, WRITERS, SPENT, SERVED))
            writer.execute("PRAGMA journal_mode=WAL")
            writer.execute(TABLE)
            writer.execute(WRITERS)
            writer.execute(SPENT)
            writer.execute(SERVED)
            return cls(name, writer, writer if name == MEMORY else _connect(name))

    @classmethod
    def open_for_store(cls, store: str) -> Self:
        return cls.open(store if store == MEMORY else store + SUFFIX)

    def close(self) -> None:
        self._writer.close()
        self._reader.close()

    def invite(self, holder: Holder, ends: int, at: int = 0) -> str | Issued:
        """Return an invitation that can be used once, until `ends`. For a player of the event, return instead the key
        valid `at` this time for the same or a confusable name, if any."""
        with self._change() as keys:
            rows = keys.execute(VALID_KEYS, (at,)).fetchall() if holder.for_event else []
            known = _find_alike(holder, map(self._issued, rows))
            return _add(keys, holder, ends, invitation=True) if known is None else known

    def player_alike(self, holder: Holder, at: int) -> Issued | None:
        """Return a valid key of an event player with a confusable name, if any."""
        return _find_alike(holder, self.list_issued(at)) if holder.for_event else None

    def issue(self, holder: Holder, ends: int) -> str:
        with self._change() as keys:
            return _add(keys, holder, ends, invitation=False)

    def exchange(self, invitation: str, at: int, ends: int, event_ends: int = 0) -> str | None:
        """Exchange an invitation for a token valid until `ends`, or None if it is not valid. A token of an event player
        is valid until `event_ends`, if that is later."""
        statement = "DELETE FROM keys WHERE hash=? AND invitation=1 AND ends>? RETURNING holder"
        with self._change() as keys:
            rows = keys.execute(statement, (_hash(invitation), at)).fetchall()
            if not rows:
                return None
            holder = self._holder(rows[0][0])
            keys.execute(SPEND, (_hash(invitation), "used"))
            return _add(keys, holder, max(ends, event_ends) if holder.for_event else ends, invitation=False)

    def get_invitation_state(self, invitation: str) -> Spent:
        """Return why an invitation could not be exchanged. Only its holder can ask."""
        if rows := self._read("SELECT state FROM spent WHERE hash=?", (_hash(invitation),)):
            return "revoked" if rows[0][0] == "revoked" else "used"
        rows = self._read("SELECT 1 FROM keys WHERE hash=? AND invitation=1", (_hash(invitation),))
        return "expired" if rows else "unknown"

    def list_issued(self, at: int) -> list[Issued]:
        return [self._issued(row) for row in self._read(VALID_KEYS, (at,))]

    def key(self, token: str, at: int) -> AccessKey | None:
        """Return the access that a token grants, or None if it is not valid."""
        statement = "SELECT holder, ends, hash FROM keys WHERE hash=? AND invitation=0 AND ends>?"
        rows = self._read(statement, (_hash(token), at))
        return None if not rows else AccessKey(self._holder(rows[0][0]), rows[0][1], rows[0][2].hex())

    def holders(self, match: str, seat: Seat, at: int) -> tuple[Holder, ...]:
        """Return the holders of valid keys and invitations to a seat of a match."""
        every = (issued.holder for issued in self.list_issued(at))
        return tuple(holder for holder in every if holder.seat == seat and match in holder.matches)

    def players(self, name: str, at: int) -> tuple[Holder, ...]:
        """Return the holders of valid keys and invitations for this event player."""
        every = (issued.holder for issued in self.list_issued(at))
        return tuple(holder for holder in every if holder.for_event and holder.name == name)

    def is_new(self) -> bool:
        """True if the file has no key and no invitation, not even an expired one."""
        return not self._read("SELECT holder, ends, hash FROM keys LIMIT 1", ())

    def list_valid_numbers(self, numbers: Iterable[str], at: int) -> frozenset[str]:
        """Return the key numbers that are still valid."""
        hashes = [bytes.fromhex(number) for number in numbers]
        rows: list[SqlRow] = []
        for first in range(0, len(hashes), HASHES_PER_QUERY_MAX):
            part = hashes[first : first + HASHES_PER_QUERY_MAX]
            marks = ",".join("?" * len(part))
            rows += self._read(f"SELECT hash FROM keys WHERE ends>? AND hash IN ({marks})", (at, *part))
        return frozenset(row[0].hex() for row in rows)

    def revoke_number(self, number: str) -> None:
        with self._change() as keys:
            if keys.execute("DELETE FROM keys WHERE hash=?", (bytes.fromhex(number),)).rowcount:
                keys.execute(SPEND, (bytes.fromhex(number), "revoked"))

    def _issued(self, row: SqlRow) -> Issued:
        return Issued(self._holder(row[0]), row[1], row[2].hex(), bool(row[3]))

    def _holder(self, data: bytes) -> Holder:
        try:
            return msgspec.msgpack.decode(data, type=Holder)
        except (msgspec.MsgspecError, UnicodeError, TypeError):
            raise StoreError("corrupt", Text("store.key", {"store": self._name})) from None

    def save_public_address(self, public: str) -> None:
        with self._change() as keys:
            keys.execute("DELETE FROM served")
            keys.execute("INSERT INTO served VALUES (?)", (public,))

    def read_public_address(self) -> str:
        """Return the last public address of this store's service; '' if it never ran."""
        rows = self._read("SELECT public FROM served", ())
        return str(rows[0][0]) if rows else ""

    def keep_writer(self, match: str, number: str) -> None:
        """Record that the key of this number opened a match."""
        with self._change() as keys:
            keys.execute("INSERT OR REPLACE INTO writers VALUES (?, ?)", (match, bytes.fromhex(number)))

    def is_writer(self, match: str, number: str) -> bool:
        return bool(self._read("SELECT 1 FROM writers WHERE match=? AND hash=?", (match, bytes.fromhex(number))))

    def _read(self, statement: str, values: tuple[object, ...]) -> list[SqlRow]:
        """Query rows without waiting for writers."""
        with self._reading, convert_store_errors(self._name):
            return self._reader.execute(statement, values).fetchall()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Open a write transaction. Raises StoreError if another thread writes for too long."""
        if not self._writing.acquire(timeout=LOCK_SECONDS):
            raise StoreError("locked", Text("store.locked", {"store": self._name}))
        try:
            with convert_store_errors(self._name):
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                finally:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
        finally:
            self._writing.release()


def _add(keys: sqlite3.Connection, holder: Holder, ends: int, *, invitation: bool) -> str:
    token = token_urlsafe(TOKEN_BYTES)
    row = (_hash(token), invitation, ends, msgspec.msgpack.encode(holder))
    keys.execute("INSERT INTO keys VALUES (?, ?, ?, ?)", row)
    return token


def _find_alike(holder: Holder, issued: Iterable[Issued]) -> Issued | None:
    players = (player for player in issued if player.holder.for_event)
    return next((player for player in players if is_alike(player.holder.name, holder.name)), None)


def _connect(name: str) -> sqlite3.Connection:
    return sqlite3.connect(name, timeout=LOCK_SECONDS, check_same_thread=False, isolation_level=None)


def number_of(token: str) -> str:
    """Return the number that identifies a token or invitation but grants nothing."""
    return _hash(token).hex()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
