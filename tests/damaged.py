"""Ways to damage one match of a store on disk, in a file or in a database."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from tests.places import rows

MIDDLE: Final = 12
_ENTRY: Final = "WHERE originator_id=? AND originator_version=?"


class Way(Struct, frozen=True):
    """The entry at which a record breaks, and the SQL that breaks it. It runs after the first byte is checked."""

    entry: int
    change: str = ""
    gone: bool = False


WAYS: Final[Mapping[str, Way]] = MappingProxyType(
    {
        "a flipped byte in the first entry": Way(1),
        "a flipped byte in a later entry": Way(MIDDLE),
        "no first entry": Way(1, gone=True),
        "a missing entry": Way(MIDDLE, gone=True),
        "a first entry of another type": Way(1, "state='text'"),
        "a later entry of another type": Way(MIDDLE, "state=12"),
        "a number of another type": Way(MIDDLE, "originator_version='twelve'"),
    }
)
BOTH: Final = tuple(name for name, way in WAYS.items() if not way.change)
"""Damage that both databases accept. Columns of PostgreSQL accept no other type."""


def damage(where: str, match: str, name: str) -> int:
    """Damage a match and return the number of the entry at which its record breaks."""
    way = WAYS[name]
    if way.gone:
        rows(where, f"DELETE FROM stored_events {_ENTRY}", match, way.entry)
    elif way.change:
        rows(where, f"UPDATE stored_events SET {way.change} {_ENTRY}", match, way.entry)
    else:
        ((state,),) = rows(where, f"SELECT state FROM stored_events {_ENTRY}", match, way.entry)
        flipped = bytes([state[0] ^ 0x40, *state[1:]])
        rows(where, f"UPDATE stored_events SET state=? {_ENTRY}", flipped, match, way.entry)
    return way.entry
