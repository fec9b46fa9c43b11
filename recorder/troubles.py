"""Errors of a store, as codes and as messages."""

import re
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
    "unreachable",
]

UNREAD: Final = ("newer", "corrupt")
"""Troubles that can affect a single match while the others stay readable."""


class StoreError(Exception):
    """The store cannot be used; `text` names the file, the reason and a remedy, and `trouble` is a code. `entry` is the
    first invalid entry, if only one match is affected."""

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
    ("SQLITE_IOERR_SHMSIZE", "full", "store.full"),
    ("SQLITE_IOERR_SHMOPEN", "full", "store.full"),
    ("SQLITE_CORRUPT", "corrupt", "store.damaged"),
    ("SQLITE_NOTADB", "corrupt", "store.no_database"),
    ("SQLITE_CANTOPEN", "path", "store.closed_path"),
    ("SQLITE_PERM", "path", "store.closed_path"),
    ("55P03", "locked", "store.locked"),
    ("40P01", "locked", "store.locked"),
    ("25006", "read_only", "store.read_only"),
    ("42501", "read_only", "store.denied"),
    ("42P01", "foreign", "store.no_tables"),
    ("3F000", "foreign", "store.no_schema"),
    ("53100", "full", "store.full"),
    ("53300", "unreachable", "store.crowded"),
    ("57P0", "unreachable", "store.cut_off"),
    ("08", "unreachable", "store.cut_off"),
    ("XX001", "corrupt", "store.damaged"),
    ("XX002", "corrupt", "store.damaged"),
    ("NO_TEXT", "corrupt", "store.no_text"),
    ("NOT_READ_BACK", "failed", "store.not_read_back"),
    ("22012", "failed", "store.not_read_back"),
    ("CHANGED", "replaced", "store.other"),
    ("CONNECTION", "unreachable", "store.cut_off"),
)
"""Prefixes of SQLite's and PostgreSQL's error codes, with our trouble and message key."""

_REFUSALS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, re.compile(pattern))
    for key, pattern in (
        ("store.no_entry", "authentication failed|no password supplied|role .* does not exist|no pg_hba.conf entry"),
        ("store.no_such_database", "database .* does not exist"),
        ("store.crowded", "too many clients|remaining connection slots"),
        ("store.starting", "the database system is"),
    )
)
"""A server's login refusals have no code, so they are matched by their English text."""


_NO_TEXT: Final = re.compile("Could not decode to UTF-8 column")
"""Start of the `sqlite3` error for text that is not UTF-8, which has no code."""

STORE_EXCEPTIONS: Final = (sqlite3.Error, PersistenceError, UnicodeDecodeError)
"""Exceptions raised for an unusable file; the last for text that is not UTF-8."""


@contextmanager
def convert_store_errors(name: str) -> Iterator[None]:
    """Convert errors of the library and SQLite about this file to StoreError."""
    try:
        yield
    except STORE_EXCEPTIONS as error:
        raise to_store_error(name, error) from error


def to_store_error(name: str, error: Exception) -> StoreError:
    """Return an error of the library or SQLite as a StoreError that people can act on."""
    code = code_of(error)
    if code == "DOOR":
        key = next((key for key, pattern in _REFUSALS if pattern.search(str(error))), "store.no_server")
        trouble: Trouble = "path" if key == "store.no_such_database" else "unreachable"
        return StoreError(trouble, Text(key, {"store": name, "why": quoted(" ".join(str(error).split()))}))
    for begins, trouble, key in _TROUBLES:
        if code.startswith(begins):
            return StoreError(trouble, Text(key, {"store": name}))
    return StoreError("failed", Text("store.failed", {"store": name, "why": quoted(error)}))


def code_of(error: BaseException | None) -> str:
    """Return the error code of SQLite, PostgreSQL or ours in a chain of causes, or ''."""
    for _ in range(8):
        if error is None:
            break
        if isinstance(error, UnicodeDecodeError) or _NO_TEXT.match(str(error)):
            return "NO_TEXT"
        for attribute in ("sqlite_errorname", "sqlstate", "store_code"):
            if code := getattr(error, attribute, None):
                return str(code)
        error = error.__cause__ or error.__context__
    return ""
