"""Why a store cannot be used, as values and in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from eventsourcing.persistence import PersistenceError

from domain.words import Text
from domain.words.foreign import quoted

Trouble = Literal[
    "locked",
    "read_only",
    "newer",
    "corrupt",
    "foreign",
    "path",
    "missing",
    "full",
    "setting",
    "replaced",
    "failed",
    "vault",
]

UNREAD: Final = ("newer", "corrupt", "vault")
"""Troubles that a single match may have: others of the store can be read all the same."""


class StoreError(Exception):
    """The store cannot be used; the text says which file, why, and what helps. `trouble` says it in a word.

    `entry`: the first of a match that is no entry of it, where that is all that is wrong.
    """

    def __init__(self, trouble: Trouble, text: Text, entry: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.trouble: Trouble = trouble
        self.entry = entry


_TROUBLES: tuple[tuple[str, Trouble, str], ...] = (
    ("SQLITE_BUSY", "locked", "store.locked"),
    ("SQLITE_LOCKED", "locked", "store.locked"),
    ("SQLITE_READONLY", "read_only", "store.read_only"),
    ("SQLITE_FULL", "full", "store.full"),
    ("SQLITE_CORRUPT", "corrupt", "store.damaged"),
    ("SQLITE_NOTADB", "corrupt", "store.no_database"),
    ("SQLITE_CANTOPEN", "path", "store.closed_path"),
    ("SQLITE_PERM", "path", "store.closed_path"),
)
"""What SQLite's codes begin with, and what they come to."""


AGAINST: Final = (sqlite3.Error, PersistenceError, UnicodeDecodeError)
"""What comes of a file that cannot be used; the last of one whose text is no text."""


@contextmanager
def clear(name: str) -> Iterator[None]:
    """What the library and SQLite say against the file of this name becomes a StoreError."""
    try:
        yield
    except AGAINST as error:
        raise in_words(name, error) from error


def in_words(name: str, error: Exception) -> StoreError:
    """What the library and SQLite say, as something a person can act on."""
    code = _code(error)
    for begins, trouble, key in _TROUBLES:
        if code.startswith(begins):
            return StoreError(trouble, Text(key, {"store": name}))
    return StoreError("failed", Text("store.failed", {"store": name, "why": quoted(error)}))


def _code(error: BaseException | None) -> str:
    for _ in range(8):
        if error is None:
            break
        if isinstance(error, UnicodeDecodeError):
            return "SQLITE_CORRUPT"
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", None):
            return str(error.sqlite_errorname)
        error = error.__cause__ or error.__context__
    return ""
