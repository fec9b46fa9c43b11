"""Names of players forgotten: the keys that read them are removed, and every record stays as it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.table.table import Seat
from domain.words import Text
from recorder.finding.following import BESIDE, SUFFIX
from recorder.store import Store, StoreError

DAY_MS: Final = 86_400_000


class Known(Struct, frozen=True):
    """A name that can be read: in which match, of which seat."""

    match: str
    seat: Seat
    name: str


def known_names(store: Store, name: str = "", match: str = "", closed_before: int | None = None) -> Iterator[Known]:
    """The names that can be forgotten: of one player, of one match, of closed matches that were opened before a time;
    each where it is asked. Raises StoreError."""
    if not store.boxes.number():
        raise StoreError("vault", Text("vault.none", {"store": store.name}))
    store.boxes.vault().count()
    for listed in store.matches():
        old = closed_before is None or (listed.closed and listed.at < closed_before)
        if old and match in ("", listed.match):
            keys = store.boxes.name_keys(listed.match)
            yield from (
                Known(listed.match, seat, called)
                for seat, called in listed.names.items()
                if seat in keys and name in ("", called)
            )


def forget_names(store: Store, names: list[Known]) -> None:
    """Forget names for good: no copy of the store tells them any more. Raises StoreError."""
    keys = {(known.match, str(seat)) for known in names for seat in ("", known.seat)}
    store.boxes.vault().forget(sorted(keys))
    for ending in BESIDE:  # a finder from before there was a vault
        Path(store.beside + SUFFIX + ending).unlink(missing_ok=True)
