"""The rows of a match that a pack shows, and the hash by which the log binds them.

A leaf covers the rows of every viewer. Each viewer's hash is salted, so the rows of one reveal nothing about another's.
The salts are derived from the first link of the record, which requires access to the whole record. Rows have no
players' names, so erasing names changes no hash.
"""

import hmac
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from domain.evidence import chain, names
from domain.law.record import Record
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import Seat
from domain.words.lines import escape_line_ends
from projections.seen_entries import seen_entries
from recorder import codec
from recorder.evidence.verifier import hash_rows, hash_views

ROWS: Final = 1
"""Version of the rows. Raise it for every change in how existing entries are shown: rows of other versions are not
compared."""
SALT_TAG: Final = b"shinpan/shown-salt/1\0"


class ShownRowHashes(Struct, frozen=True):
    """The salt of one viewer's rows, and the hash of every viewer's rows."""

    salt: bytes
    views: Mapping[str, str]


def write_rows(record: Record, opening: bytes, eyes: TableViewer) -> bytes:
    """Return a viewer's rows as JSON Lines, one per entry. Row 1 has hashes in place of names."""
    return b"".join(_rows(record, opening, eyes))


def _rows(record: Record, opening: bytes, eyes: TableViewer) -> Iterator[bytes]:
    hashes = codec.content(opening).get(names.HASHES)
    for number, entry in enumerate(seen_entries(record, eyes, flow=True), start=1):
        row: object = entry
        if number == 1 and hashes:
            row = {**msgspec.to_builtins(entry), names.HASHES: hashes}
            row.pop(names.NAMES, None)
        yield escape_line_ends(msgspec.json.encode(row)) + b"\n"


def hash_rows_of(record: Record, opening: bytes, viewer: Seat) -> ShownRowHashes | None:
    """Return the hashes of every viewer's rows, or None if the chain begins without salt."""
    link = chain.link_of(opening)
    if link is None:
        return None
    entries = len(record.entries)
    views = {
        str(eyes.viewer): hash_rows(make_salt(link, eyes.viewer, entries), write_rows(record, opening, eyes))
        for eyes in map(record.eyes, (SPECTATOR, *record.opening.seats))
    }
    return ShownRowHashes(make_salt(link, viewer, entries), views)


def hash_shown(record: Record, opening: bytes) -> bytes | None:
    """Return the hash over all viewers' rows for a leaf, or None if the chain begins without salt."""
    rows = hash_rows_of(record, opening, SPECTATOR)
    return None if rows is None else bytes.fromhex(hash_views(rows.views))


def make_salt(link: bytes, viewer: Seat, entries: int) -> bytes:
    """Return the salt of a viewer's rows up to an entry, derived from the first link."""
    return hmac.digest(link, SALT_TAG + f"{viewer} {entries}".encode(), "sha256")
