"""Check a store on a server before it is opened, with the same errors as for a file."""

from eventsourcing.persistence import PersistenceError

from domain.words import Text
from recorder.library.entries import TABLES, EntryLog
from recorder.library.schema import foreign_object
from recorder.place import FORMAT, address_of, check_format
from recorder.troubles import StoreError


def open_log(name: str, read_only: bool, lock_seconds: int, unfinished: bool = False) -> EntryLog:
    """Open the store of this name, creating it in an empty database unless `read_only`. Raises StoreError, and
    PersistenceError for errors of the server."""
    try:
        from recorder.library import postgres
    except ImportError:
        raise StoreError("setting", Text("store.no_driver", {"store": name})) from None
    try:
        server = postgres.Server(address_of(name), lock_seconds)
    except PersistenceError:  # the driver's message may contain the password
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
