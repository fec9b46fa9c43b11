"""Who may come in: invitations and tokens, kept as hashes in a file beside the store: no copy of it opens a door.

A token is 256 bits by chance, said once. An invitation is good for one exchange; what it is exchanged for has an end.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Self

import msgspec
from msgspec import Struct

from domain.table.table import Seat
from recorder.files import Closing
from recorder.troubles import clear

TOKEN_BYTES = 32
MEMORY = ":memory:"
SUFFIX = ".keys"
"""What the name of a store's file of keys has behind the store's own."""
LOCK_SECONDS = 5
AT_ONCE = 500
"""How many keys are asked for in one statement."""
PRIVATE = 0o600
TABLE = (
    "CREATE TABLE IF NOT EXISTS keys (hash BLOB PRIMARY KEY, invitation INTEGER NOT NULL, ends INTEGER NOT NULL,"
    " holder BLOB NOT NULL) WITHOUT ROWID"
)


class Holder(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who holds a token: in which role, under which name, for which matches (none: all of the event), as which seat."""

    role: str
    name: str
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")


class Key(Struct, frozen=True):
    """What a token opens: for whom, until when (milliseconds); the `number` by which it is known opens nothing."""

    holder: Holder
    ends: int
    number: str


class Keyring(Closing):
    """The keys of one store. Raises StoreError where its file cannot be used."""

    def __init__(self, name: str, connection: sqlite3.Connection) -> None:
        self._name, self._connection, self._lock = name, connection, Lock()

    @classmethod
    def open(cls, where: str | Path) -> Self:
        """The keys kept in a file (or `:memory:`), made if it is not there yet."""
        name = str(where)
        with clear(name):
            if name != MEMORY:
                with suppress(FileExistsError):
                    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
            connection = sqlite3.connect(name, timeout=LOCK_SECONDS, check_same_thread=False, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(TABLE)
        return cls(name, connection)

    @classmethod
    def beside(cls, store: str) -> Self:
        """The keys of the store of this name."""
        return cls.open(store if store == MEMORY else store + SUFFIX)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def invite(self, holder: Holder, ends: int) -> str:
        """An invitation, good once and until `ends`."""
        return self._add(holder, ends, invitation=True)

    def issue(self, holder: Holder, ends: int) -> str:
        """A token, good until `ends`."""
        return self._add(holder, ends, invitation=False)

    def exchange(self, invitation: str, at: int, ends: int) -> str | None:
        """The token an invitation is good for; None if there is none (any more)."""
        statement = "DELETE FROM keys WHERE hash=? AND invitation=1 AND ends>? RETURNING holder"
        rows = self._do(statement, (_hash(invitation), at))
        return self.issue(msgspec.msgpack.decode(rows[0][0], type=Holder), ends) if rows else None

    def key(self, token: str, at: int) -> Key | None:
        """What a token opens; None if nothing (any more)."""
        statement = "SELECT holder, ends, hash FROM keys WHERE hash=? AND invitation=0 AND ends>?"
        rows = self._do(statement, (_hash(token), at))
        return None if not rows else Key(msgspec.msgpack.decode(rows[0][0], type=Holder), rows[0][1], rows[0][2].hex())

    def is_new(self) -> bool:
        """Has nobody ever been let in, or invited?"""
        return not self._do("SELECT holder, ends, hash FROM keys LIMIT 1", ())

    def standing(self, numbers: Iterable[str], at: int) -> frozenset[str]:
        """Which of these keys, by their numbers, still open what they opened."""
        hashes = [bytes.fromhex(number) for number in numbers]
        rows: list[tuple[Any, ...]] = []
        for first in range(0, len(hashes), AT_ONCE):
            part = hashes[first : first + AT_ONCE]
            marks = ",".join("?" * len(part))
            rows += self._do(f"SELECT hash FROM keys WHERE ends>? AND hash IN ({marks})", (at, *part))
        return frozenset(row[0].hex() for row in rows)

    def revoke(self, token: str) -> None:
        """A token opens nothing from now on."""
        self.revoke_number(_hash(token).hex())

    def revoke_number(self, number: str) -> None:
        """What the key of this number opened is shut from now on."""
        self._do("DELETE FROM keys WHERE hash=?", (bytes.fromhex(number),))

    def _add(self, holder: Holder, ends: int, *, invitation: bool) -> str:
        token = token_urlsafe(TOKEN_BYTES)
        row = (_hash(token), invitation, ends, msgspec.msgpack.encode(holder))
        self._do("INSERT INTO keys VALUES (?, ?, ?, ?)", row)
        return token

    def _do(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, clear(self._name), closing(self._connection.execute(statement, values)) as cursor:
            return cursor.fetchall()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
