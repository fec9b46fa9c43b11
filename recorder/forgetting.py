"""Erasing players' names: their rows are deleted, and every record stays as it is."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.table.table import Seat
from recorder.finding.following import BESIDE, SUFFIX
from recorder.loading import forget_matches
from recorder.store import Store

DAY_MS: Final = 86_400_000


class Known(Struct, frozen=True):
    """A readable name with its match and seat. `fixed`: it stands in the record itself and cannot be erased."""

    match: str
    seat: Seat
    name: str
    fixed: bool = False


def known_names(store: Store, name: str = "", match: str = "", closed_before: int | None = None) -> Iterator[Known]:
    """Return the names of one player, of one match, of closed matches that were opened before a time; each where it is
    asked. Raises StoreError."""
    chosen = [
        listed
        for listed in store.matches()
        if match in ("", listed.match) and (closed_before is None or (listed.closed and listed.at < closed_before))
    ]
    kept = store.player_names([listed.match for listed in chosen])
    for listed in chosen:
        seats = {row.seat for row in kept[listed.match]}
        for seat, called in listed.names.items():
            if name in ("", called):
                yield Known(listed.match, seat, called, fixed=seat not in seats)


def forget_names(store: Store, names: Sequence[Known]) -> bool:
    """Delete names for good; False if another program keeps old bytes of them on disk for now. Raises StoreError."""
    done = store.forget_names({(known.match, str(known.seat)) for known in names if not known.fixed})
    forget_matches(store)
    for ending in BESIDE:  # the search index has names of its own; it is made anew
        Path(store.beside + SUFFIX + ending).unlink(missing_ok=True)
    return done
