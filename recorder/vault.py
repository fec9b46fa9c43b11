"""The vault of a store: the keys of what is encrypted in it, in a file of their own that no copy of the store has.

A match has a key until it is closed, when the store itself publishes it. Whoever loses the vault loses the matches that
are not closed yet. Each name of a player has a key of its own, which is published never: without it there is no name.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from typing import Any, Final, Self
from uuid import uuid4

from domain.words import Text
from domain.words.foreign import system
from recorder.files import Closing
from recorder.troubles import StoreError, clear

PLACE: Final = "SHINPAN_VAULT"
"""Names the folder where vaults lie, each under its own number; without it each lies beside its store."""
SUFFIX: Final = ".vault"
KEY_BYTES: Final = 32
FORM: Final = 1
"""The form of these tables. One more for every change that an older program would misread."""
LOCK_SECONDS: Final = 5
PRIVATE: Final = 0o600
TABLES: Final = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE keys (match TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE names (match TEXT, seat TEXT, key BLOB NOT NULL, PRIMARY KEY (match, seat)) WITHOUT ROWID",
)


def place_of(store: str, number: str) -> Path:
    """Where the vault of this number lies, that of the store of this name."""
    folder = os.environ.get(PLACE, "")
    return Path(folder).expanduser().absolute() / f"{number}{SUFFIX}" if folder else Path(store + SUFFIX)


class Vault(Closing):
    """Keys in a file. Raises StoreError, always for want of a `vault`, where the file cannot be used."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection, self._lock = path, connection, Lock()
        self._file = _file_id(path)

    @classmethod
    def make(cls, store: str) -> str:
        """A new vault for the store of this name; its number. One beside it that holds nothing yet is taken.

        Whoever calls has the store for themselves.
        """
        number = uuid4().hex
        path = place_of(store, number)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            if path.exists():
                return _number_of_empty(path)
            os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
            with _in_words(half), _connected(half) as connection:
                for statement in TABLES:
                    connection.execute(statement)
                connection.executemany("INSERT INTO about VALUES (?,?)", (("form", str(FORM)), ("vault", number)))
            half.replace(path)
        except OSError as error:
            raise _shut("vault.unusable", vault=path, why=system(error)) from None
        finally:
            with suppress(OSError):
                half.unlink(missing_ok=True)
        return number

    @classmethod
    def open(cls, path: Path, number: str) -> Self:
        """The vault of this number."""
        connection = _open(path)
        try:
            if (there := _read_about(path, connection).get("vault")) != number:
                raise _shut("vault.other", vault=path, number=there or "?", wanted=number)
            return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def key(self, match: str) -> bytes:
        """The key of a match."""
        rows = self._execute("SELECT key FROM keys WHERE match=?", (match,))
        if not rows:
            raise _shut("vault.no_key", vault=self.path, match=match)
        return self._whole(match, rows[0][0])

    def new_key(self, match: str) -> bytes:
        """The key of a match that is about to be opened, on disk before the match is; of two who open it, the first's.

        One that then is not opened leaves a key that opens nothing.
        """
        self._require_file()
        rows = self._execute(
            "INSERT INTO keys VALUES (?,?) ON CONFLICT DO UPDATE SET key=key RETURNING key",
            (match, token_bytes(KEY_BYTES)),
        )
        return self._whole(match, rows[0][0])

    def new_name_keys(self, match: str, seats: Iterable[str]) -> dict[str, bytes]:
        """Keys for the names of a match that is about to be opened, as `new_key` makes one for the match."""
        self._require_file()
        statement = "INSERT INTO names VALUES (?,?,?) ON CONFLICT DO UPDATE SET key=key RETURNING key"
        made = {seat: self._execute(statement, (match, seat, token_bytes(KEY_BYTES))) for seat in seats}
        return {seat: self._whole(match, rows[0][0]) for seat, rows in made.items()}

    def name_keys(self, match: str) -> dict[str, bytes]:
        """The keys that are left of a match's names."""
        rows = self._execute("SELECT seat, key FROM names WHERE match=?", (match,))
        return {str(seat): self._whole(match, key) for seat, key in rows}

    def forget(self, names: Iterable[tuple[str, str]]) -> None:
        """Remove the keys of names for good, each by its match and seat: written over in the file, and nowhere else."""
        self._require_file()
        with self._lock, _in_words(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("DELETE FROM names WHERE match=? AND seat=?", [*names])
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            self._connection.execute("VACUUM")

    def count(self) -> int:
        """How many matches have a key here."""
        return int(self._execute("SELECT COUNT(*) FROM keys")[0][0])

    def copy(self, to: Path) -> None:
        """Write a copy, which is its owner's only and must not be there yet."""
        try:
            os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        except FileExistsError:
            raise StoreError("path", Text("vault.taken", {"file": to})) from None
        except OSError as error:
            raise StoreError("path", Text("backup.unwritable", {"file": to, "why": system(error)})) from None
        try:
            with self._lock, _in_words(to), _connected(to) as copy:
                self._connection.backup(copy)
                if copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                    raise _shut("vault.damaged", vault=self.path)
        except BaseException:
            to.unlink(missing_ok=True)
            raise

    def _require_file(self) -> None:
        """What is written to a file that lies there no more is lost."""
        if _file_id(self.path) != self._file:
            raise _shut("vault.missing", vault=self.path)

    def _whole(self, match: str, key: object) -> bytes:
        if not isinstance(key, bytes) or len(key) != KEY_BYTES:
            raise _shut("vault.no_key", vault=self.path, match=match)
        return key

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, _in_words(self.path):
            return self._connection.execute(statement, values).fetchall()


def _number_of_empty(path: Path) -> str:
    """The number of a vault that was made and never used: whoever made it was stopped before the store knew of it."""
    with closing(_open(path)) as connection:
        number = _read_about(path, connection).get("vault", "")
        with _in_words(path):
            if not number or connection.execute("SELECT 1 FROM keys LIMIT 1").fetchall():
                raise _shut("vault.there", vault=path)
    return number


def _open(path: Path) -> sqlite3.Connection:
    """The file of a vault, which must be there: an empty one in its place would be taken for a loss of all keys."""
    try:
        if not path.is_file():
            raise _shut("vault.missing", vault=path)
    except OSError as error:
        raise _shut("vault.unusable", vault=path, why=system(error)) from None
    with _in_words(path):
        return _connect(path)


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _read_about(path: Path, connection: sqlite3.Connection) -> dict[str, str]:
    with _in_words(path):
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        about = dict(connection.execute("SELECT key, value FROM about")) if "about" in tables else {}
    form = str(about.get("form", ""))
    if not form.isdecimal():
        raise _shut("vault.foreign", vault=path)
    if int(form) > FORM:
        raise _shut("vault.newer", vault=path, form=form, known=FORM)
    return about


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=LOCK_SECONDS,
        check_same_thread=False,
        isolation_level=None,
    )
    # What is deleted here is to be gone: written over in the file, and no log beside it that still has it.
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(_connect(path)) as connection:
        yield connection


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """What SQLite says against a vault closes it, and nothing else: what is not encrypted stays readable."""
    try:
        with clear(str(path)):
            yield
    except StoreError as error:
        raise StoreError("vault", error.text) from error.__cause__


def _shut(key: str, **about: object) -> StoreError:
    return StoreError("vault", Text(key, about))
