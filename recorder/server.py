"""Check a store on a server before it is opened, with the same errors as for a file."""

from eventsourcing.persistence import PersistenceError

from domain.words import Text
from recorder.library.entries import TABLES, EntryLog
from recorder.library.schema import foreign_object
from recorder.store_location import FORMAT, address_of, check_format
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
    contents = postgres.read_database_contents(server)
    if contents.schema is None:
        raise StoreError("foreign", Text("store.no_schema", {"store": name}))
    if contents.foreign.active is not None:
        raise foreign_object(name, *contents.foreign.active)
    if contents.tables and not {"meta", "stored_events"} <= contents.tables:
        raise StoreError("foreign", Text("store.not_ours", {"store": name, "schema": contents.schema}))
    if contents.tables:
        check_format(name, contents.meta.get("format"), unfinished)
    elif read_only:
        raise StoreError("missing", Text("store.empty", {"store": name}))
    if contents.foreign.other is not None:
        raise foreign_object(name, *contents.foreign.other)
    log = postgres.open_log(server, contents.schema)
    if not (read_only or (contents.tables >= TABLES and "store" in contents.meta)):
        log.entries.create(FORMAT)
    return log
