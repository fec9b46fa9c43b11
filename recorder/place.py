"""Where a store lies: its path looked at before SQLite says less plainly what is wrong with it, and what is in it.

Or on a server: its address is then its name, without the password, by which nobody but this program may open it.
"""

import os
import re
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from domain.words import Text
from domain.words.foreign import system
from recorder.files import create_private
from recorder.library.entries import TABLES
from recorder.library.schema import require_plain, require_schema
from recorder.troubles import StoreError, code_of
from recorder.watch import IDENTITY

FORMAT = 1
"""The form of a new store. One more for every change that an older program would misread."""

ENCRYPTED = 2
"""The form of a store with encrypted entries. Builds of Shinpan 0.2.0 before December 2026 wrote it; it is refused."""

SHOWN = 3
"""The form of a store whose log has leaves over shown rows. Sealing raises the form of a store to it."""

COPYING = "copying"
"""In its place of a copy that is not finished: no program takes it for a store."""

LOCK_SECONDS = 5
"""How long a write waits for another program's."""

ADDRESS: Final = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)(?:(?P<user>[^@/:]*)(?P<password>:[^@/]*)?@)?(?P<rest>[^@?]*)(?:[?](?P<query>[^@]*))?"
)
"""The address of a store on a server, as libpq reads it; what would be read in two ways must be written with %40."""
SCHEME: Final = re.compile("postgres(?:ql)?://", re.IGNORECASE)
SECRETS: Final = ("password=", "sslpassword=")
WHOLE: Final = "SHINPAN_ADDRESS_"
"""Where this program and those it begins find the whole address of a name: not among arguments, which all may see."""

NO_ROOM: Final = ("SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_SHMOPEN")
"""SQLite's codes where the disk has no room for the index of its write-ahead log, which a reader needs too."""
CLOSED: Final = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""SQLite's codes for a folder in which no file can be made."""

_NUMBER = re.compile("[0-9]{1,9}")


def on_server(where: str) -> bool:
    """Does this name a store on a server, and no file?"""
    return SCHEME.match(where) is not None


def name_of(where: str) -> str:
    """A store's name for people, by which this program can open it again: an address without its password, which is
    remembered. Raises StoreError for an address that is none."""
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
    """The whole address of a store's name, as far as it was given."""
    return os.environ.get(_key(name), name)


def _key(name: str) -> str:
    return WHOLE + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def beside_server(name: str, identity: str) -> str:
    """Beside which path the files lie that belong to a store on a server: in this user's data folder."""
    home = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    folder = home / "shinpan" / "stores"
    with suppress(OSError):  # whoever needs it says so
        folder.mkdir(parents=True, exist_ok=True)
    database = re.sub(r"[^\w.-]+", "-", name.partition("://")[2].partition("?")[0].rpartition("/")[2])
    return str(folder / f"{database or 'store'}-{identity}")


def path_of(where: str) -> Path:
    """The path of a store, of what names it. Raises StoreError for what no store lies under."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", where)
    if scheme is None:
        return Path(where).expanduser().absolute()
    if scheme[1] != "sqlite":
        raise StoreError("path", Text("store.scheme", {"scheme": scheme[1]}))
    return Path(where[len("sqlite://") :]).absolute()


def look(path: Path, read_only: bool) -> None:
    """Say what is plainly wrong with a path before SQLite says it less plainly."""
    try:
        if path.is_dir():
            raise StoreError("path", Text("store.folder", {"store": path}))
        if path.exists() and not path.is_file():
            raise StoreError("path", Text("store.no_file", {"store": path}))
        if not path.exists():
            if read_only:
                raise StoreError("missing", Text("store.missing", {"store": path}))
            path.parent.mkdir(parents=True, exist_ok=True)
            # Hands and what comes next are their keeper's only; SQLite's own files beside it get the same permissions.
            with suppress(FileExistsError):
                create_private(path)
    except OSError as error:
        raise StoreError("path", Text("store.unusable", {"store": path, "why": system(error)})) from None


def inspect(path: Path, read_only: bool, unfinished: bool = False) -> tuple[str, bool]:
    """How SQLite is to open the file, and whether all that this program keeps in a store is there already; also of a
    copy that is not finished, if that may be so."""
    uri = path.as_uri()
    if not read_only:
        return uri, _format(path, uri, unfinished=unfinished)
    try:
        return f"{uri}?mode=ro", _format(path, f"{uri}?mode=ro", needed=True)
    except sqlite3.OperationalError as error:
        code = code_of(error)
        if code in NO_ROOM:  # alone with the file SQLite keeps its index of the log in memory
            alone = f"{uri}?mode=rw&vfs=unix-excl"
            return alone, _format(path, alone, needed=True)
        # In a folder that cannot be written SQLite needs to be told that nobody else writes there either.
        if not code.startswith(CLOSED) or path.with_name(path.name + "-wal").exists():
            raise
        return f"{uri}?immutable=1", _format(path, f"{uri}?immutable=1", needed=True)


def _format(path: Path, uri: str, needed: bool = False, unfinished: bool = False) -> bool:
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
    """Raises StoreError for a store of a form that this program does not know, and for half a copy, unless it may be
    one."""
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
