"""Locate a store and check it before it is opened, with clearer messages than SQLite's. The name of a store on a server
is its address without the password, so only this program can open it by name."""

import os
import re
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder.files import create_private
from recorder.library.entries import TABLES
from recorder.library.schema import require_plain, require_schema
from recorder.troubles import StoreError, code_of
from recorder.watch import IDENTITY

FORMAT = 1
"""Format of a new store. It is raised for every change that an older program would misread."""

ENCRYPTED = 2
"""Format of a store with encrypted entries, written by builds of 0.2.0 before December 2026. It is refused."""

SHOWN = 3
"""Format of a store whose log has leaves over shown rows. Sealing upgrades a store to it."""

COPYING = "copying"
"""Format of an unfinished copy, which no program accepts as a store."""

LOCK_SECONDS = 5
"""Seconds that a write waits for another program's."""

ADDRESS: Final = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)(?:(?P<user>[^@/:]*)(?P<password>:[^@/]*)?@)?(?P<rest>[^@?]*)(?:[?](?P<query>[^@]*))?"
)
"""Address of a store on a server, as libpq reads it. Ambiguous characters must be percent-encoded, as %40 for @."""
SCHEME: Final = re.compile("postgres(?:ql)?://", re.IGNORECASE)
SECRETS: Final = ("password=", "sslpassword=")
ADDRESS_PREFIX: Final = "SHINPAN_ADDRESS_"
"""Prefix of the environment variables with full addresses. Arguments would be visible to other users."""

NO_ROOM: Final = ("SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_SHMOPEN")
"""SQLite's codes if the index of its write-ahead log has no room. Readers need the index too."""
UNWRITABLE: Final = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""SQLite's codes for a folder that is not writable."""

_NUMBER = re.compile("[0-9]{1,9}")


def on_server(where: str) -> bool:
    return SCHEME.match(where) is not None


def name_of(where: str) -> str:
    """Return the display name of a store, which this program can open: an address without its password. The password is
    kept in the environment. Raises StoreError for an invalid address."""
    if not on_server(where):
        return where
    address = ADDRESS.fullmatch(where)
    if address is None:
        raise StoreError("path", Text("store.address", {"store": "postgresql://..."}))
    query = [part for part in (address["query"] or "").split("&") if part and not part.startswith(SECRETS)]
    name = "postgresql://" + (f"{address['user']}@" if address["user"] else "") + address["rest"]
    name += f"?{'&'.join(query)}" if query else ""
    if name != where:
        os.environ[_key(name)] = where
    return name


def address_of(name: str) -> str:
    """Return the full address of a store's name, if it was given."""
    return os.environ.get(_key(name), name)


def _key(name: str) -> str:
    return ADDRESS_PREFIX + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def local_files_prefix(name: str, identity: str) -> str:
    """Return the path prefix for the local files of a store on a server, in the user's data folder."""
    home = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    folder = home / "shinpan" / "stores"
    with suppress(OSError):  # the first write there reports it
        folder.mkdir(parents=True, exist_ok=True)
    database = re.sub(r"[^\w.-]+", "-", name.partition("://")[2].partition("?")[0].rpartition("/")[2])
    return str(folder / f"{database or 'store'}-{identity}")


def path_of(where: str) -> Path:
    """Return the path of a store's name. Raises StoreError for an unknown scheme."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", where)
    if scheme is None:
        return Path(where).expanduser().absolute()
    if scheme[1] != "sqlite":
        raise StoreError("path", Text("store.scheme", {"scheme": scheme[1]}))
    return Path(where[len("sqlite://") :]).absolute()


def require_usable_path(path: Path, read_only: bool) -> None:
    """Raise StoreError for an unusable path, with a clearer message than SQLite's."""
    try:
        if path.is_dir():
            raise StoreError("path", Text("store.folder", {"store": path}))
        if path.exists() and not path.is_file():
            raise StoreError("path", Text("store.no_file", {"store": path}))
        if not path.exists():
            if read_only:
                raise StoreError("missing", Text("store.missing", {"store": path}))
            path.parent.mkdir(parents=True, exist_ok=True)
            # Hidden cards are for the owner alone; SQLite gives its own files the same permissions.
            with suppress(FileExistsError):
                create_private(path)
    except OSError as error:
        raise StoreError("path", Text("store.unusable", {"store": path, "why": explain_system_error(error)})) from None


def inspect(path: Path, read_only: bool, unfinished: bool = False) -> tuple[str, bool]:
    """Return the URI for SQLite, and whether the store has all its tables. `unfinished` accepts an unfinished copy."""
    uri = path.as_uri()
    if not read_only:
        return uri, _read_format(path, uri, unfinished=unfinished)
    try:
        return f"{uri}?mode=ro", _read_format(path, f"{uri}?mode=ro", needed=True)
    except sqlite3.OperationalError as error:
        code = code_of(error)
        if code in NO_ROOM:  # with exclusive access, SQLite keeps its index of the log in memory
            alone = f"{uri}?mode=rw&vfs=unix-excl"
            return alone, _read_format(path, alone, needed=True)
        # In a read-only folder, SQLite must be told that no other program writes.
        if not code.startswith(UNWRITABLE) or path.with_name(path.name + "-wal").exists():
            raise
        return f"{uri}?immutable=1", _read_format(path, f"{uri}?immutable=1", needed=True)


def _read_format(path: Path, uri: str, needed: bool = False, unfinished: bool = False) -> bool:
    connection = sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS)
    try:
        tables = require_plain(connection, str(path))
        if not tables and not needed:
            return False
        if not {"meta", "stored_events"} <= tables:
            raise StoreError("foreign", Text("store.foreign", {"store": path}))
        row = connection.execute("SELECT value FROM meta WHERE key='format'").fetchone()
        identity = connection.execute(IDENTITY).fetchone()
        check_format(str(path), None if row is None else row[0], unfinished)
        require_schema(connection, str(path))
    except sqlite3.DatabaseError as error:
        if code_of(error) == "SQLITE_NOTADB":
            raise StoreError("corrupt", Text("store.no_store", {"store": path})) from None
        raise
    finally:
        connection.close()
    return identity is not None and tables >= TABLES


def check_format(name: str, form: object, unfinished: bool = False) -> None:
    """Raise StoreError for an unknown format, or for an unfinished copy unless `unfinished`."""
    if form == COPYING:
        if unfinished:
            return
        raise StoreError("corrupt", Text("store.unfinished", {"store": name}))
    if form is None or _NUMBER.fullmatch(str(form)) is None:
        raise StoreError("corrupt", Text("store.no_format", {"store": name}))
    if int(str(form)) == ENCRYPTED:
        raise StoreError("foreign", Text("store.encrypted", {"store": name}))
    if int(str(form)) > SHOWN:
        raise StoreError("newer", Text("store.newer", {"store": name, "format": form, "known": SHOWN}))
