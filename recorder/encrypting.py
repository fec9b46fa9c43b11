"""A store that has a vault: given one, and told how things stand with it."""

from pathlib import Path

from msgspec import Struct

from domain.words import Text
from recorder.boxes import TABLES, is_encrypted
from recorder.place import VAULTED
from recorder.store import Store, StoreError
from recorder.troubles import clear
from recorder.vault import Vault, place_of


class Standing(Struct, frozen=True):
    """How things stand with the vault of a store: where it lies (nothing: the store has none), for how many matches
    it has keys, how many of the store are encrypted now; and what keeps it from being used."""

    vault: str = ""
    keys: int = 0
    encrypted: int = 0
    trouble: Text | None = None


def give_vault(store: Store) -> None:
    """From now on every match that is opened in this store is encrypted until it is closed. Raises StoreError.

    Once more it changes nothing: a store keeps its vault.
    """
    if store.name == ":memory:":
        raise StoreError("vault", Text("vault.memory"))
    if store.boxes.number():
        return
    with store.transaction() as c:
        c.execute("SELECT value FROM meta WHERE key='vault'")
        if c.fetchone() is None:  # else another program gave it one meanwhile
            number = Vault.make(store.beside)
            for statement in TABLES:
                c.execute(statement)
            c.execute("INSERT INTO meta VALUES ('vault', ?)", (number,))
            c.execute("UPDATE meta SET value=? WHERE key='format'", (str(VAULTED),))


def look_at_vault(store: Store) -> Standing:
    """How things stand. Raises StoreError where the store itself cannot be used."""
    number = store.boxes.number()
    if not number:
        return Standing()
    first = (
        "SELECT state FROM stored_events WHERE originator_version=1"
        " AND originator_id NOT IN (SELECT match FROM published)"
    )
    with clear(store.name):
        encrypted = sum(
            isinstance(state, bytes) and is_encrypted(state) for (state,) in store.log.entries.select(first, ())
        )
    where = str(place_of(store.beside, number))
    try:
        return Standing(where, store.boxes.vault().count(), encrypted)
    except StoreError as error:
        if error.trouble != "vault":
            raise
        return Standing(where, 0, encrypted, error.text)


def require_copy(store: Store, to: Path) -> None:
    """Raises StoreError where the store has no vault that could be copied, or something lies in the copy's place."""
    if not store.boxes.number():
        raise StoreError("vault", Text("vault.none", {"store": store.name}))
    store.boxes.vault().count()
    if to.expanduser().exists():
        raise StoreError("path", Text("vault.taken", {"file": to}))


def copy_vault(store: Store, to: Path) -> None:
    """Copy the vault of a store to a second place. Raises StoreError."""
    require_copy(store, to)
    store.boxes.vault().copy(to.expanduser().absolute())
