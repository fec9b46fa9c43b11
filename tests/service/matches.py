"""Matches that drawing is tested on: those of the repository, and one of a game without a layout."""

from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec import Struct

from domain.law.entries import tables
from domain.law.record import Record, record_of
from domain.table.redact import SPECTATOR, View
from domain.table.table import JUDGE, Seat, Table
from projections.board import board_of
from tests.games import TOYS
from tests.laws.samples import sample
from tests.shelves import SHELVES

SHELVED = [(key, name) for key, shelf in SHELVES.items() for name in shelf.matches]
TOY = [(key, "0") for key in TOYS]
MATCHES = [*SHELVED, *TOY]


class Moment(Struct, frozen=True):
    number: int
    table: Table
    view: View


@cache
def match_of(key: str, name: str) -> Record:
    if key in SHELVES:
        return record_of(SHELVES[key].game, SHELVES[key].entries(name))
    drawn = sample(key, int(name))
    return record_of(drawn.game, drawn.entries)


def viewers(record: Record) -> tuple[Seat, ...]:
    return (*record.opening.seats, SPECTATOR, JUDGE)


def moments(key: str, name: str, number: int) -> Iterator[Moment]:
    """Yield the boards of all viewers after sampled entries, the last one included."""
    record, random = match_of(key, name), Random(f"{key} {name}")
    last = len(record.entries)
    wanted = {*random.sample(range(1, last + 1), min(number, last)), last}
    for at, _, _, table in tables(record.entries):
        if at in wanted:
            for viewer in viewers(record):
                yield Moment(at, table, board_of(record, record.eyes(viewer), at, table))
