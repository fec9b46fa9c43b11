"""Erase players' names by deleting their rows. Records stay unchanged."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.table.table import Seat
from recorder.finding.index_follower import remove_index
from recorder.match_loader import forget_matches
from recorder.store import DamagedMatch, MatchListItem, Store
from recorder.troubles import convert_store_errors

DAY_MS: Final = 86_400_000
FORGOTTEN: Final = "SELECT value FROM meta WHERE key='forgotten'"


class ReadableName(Struct, frozen=True):
    """A readable name with its match and seat. `fixed`: it is part of the record and cannot be erased."""

    match: str
    seat: Seat
    name: str
    fixed: bool = False


def known_names(
    store: Store, name: str = "", match: str = "", closed_before: int | None = None
) -> Iterator[ReadableName]:
    """Yield the readable names, filtered by player, by match, or by closed matches opened before a time. Raises
    StoreError."""
    chosen = [
        listed for listed in store.matches() if match in ("", listed.match) and _is_closed_before(listed, closed_before)
    ]
    names = store.player_names([listed.match for listed in chosen])
    for listed in chosen:
        rows = {Seat(row.seat): row.name for row in names[listed.match]}
        for seat, called in (rows if isinstance(listed, DamagedMatch) else listed.names).items():
            if name in ("", called):
                yield ReadableName(listed.match, seat, called, fixed=seat not in rows)


def _is_closed_before(listed: MatchListItem | DamagedMatch, before: int | None) -> bool:
    """True if a match is closed and was opened before a time, or no time is given. False for a damaged one."""
    return before is None or (isinstance(listed, MatchListItem) and listed.closed and listed.at < before)


def read_erasure_count(store: Store) -> str:
    """Return how often names were erased in a store, by any program; "" for never. Raises StoreError."""
    with convert_store_errors(store.name):
        rows = store.log.entries.select(FORGOTTEN, ())
    return str(rows[0][0]) if rows else ""


def forget_names(store: Store, names: Sequence[ReadableName]) -> bool:
    """Delete names permanently. False if another program still keeps old bytes on disk. Raises StoreError."""
    done = store.forget_names({(known.match, str(known.seat)) for known in names if not known.fixed})
    forget_matches(store)
    remove_index(store)  # it contains names too
    return done
