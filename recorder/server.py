"""A store on a server, looked into before it is opened: what is wrong with it is said as of a file."""

from eventsourcing.persistence import PersistenceError

from domain.words import Text
from recorder.library.entries import TABLES, EntryLog
from recorder.library.schema import foreign_object
from recorder.place import FORMAT, address_of, check_format
from recorder.troubles import StoreError


def open_log(name: str, read_only: bool, lock_seconds: int, unfinished: bool = False) -> EntryLog:
    """The library's application on the store of this name; made if the database is empty, and not only to be read.

    Raises StoreError, and PersistenceError for what the server says.
    """
    try:
        from recorder.library import postgres
    except ImportError:
        raise StoreError("setting", Text("store.no_driver", {"store": name})) from None
    try:
        server = postgres.Server(address_of(name), lock_seconds)
    except PersistenceError:  # what the driver says of it may say the password
        raise StoreError("path", Text("store.address", {"store": name})) from None
    seen = postgres.look_into(server)
    if seen.schema is None:
        raise StoreError("foreign", Text("store.no_schema", {"store": name}))
    if seen.foreign.active is not None:
        raise foreign_object(name, *seen.foreign.active)
    if seen.tables and not {"meta", "stored_events"} <= seen.tables:
        raise StoreError("foreign", Text("store.not_ours", {"store": name, "schema": seen.schema}))
    if seen.tables:
        check_format(name, seen.meta.get("format"), unfinished)
    elif read_only:
        raise StoreError("missing", Text("store.empty", {"store": name}))
    if seen.foreign.other is not None:
        raise foreign_object(name, *seen.foreign.other)
    log = postgres.open_log(server, seen.schema)
    if not (read_only or (seen.tables >= TABLES and "store" in seen.meta)):
        log.entries.create(FORMAT)
    return log
